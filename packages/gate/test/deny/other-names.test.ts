import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BUILD_TOOLS } from '../../src/shell/programs/other-names/build-tools.ts'
import { CLUSTERS } from '../../src/shell/programs/other-names/clusters.ts'
import { PACKAGES } from '../../src/shell/programs/other-names/packages.ts'
import { REPOSITORIES } from '../../src/shell/programs/other-names/repositories.ts'
import { SYSTEMS } from '../../src/shell/programs/other-names/systems.ts'
import { judge } from '../../src/internal.ts'
import { runs } from '@repertoire/test-servers/properties'
import { permits } from '../permits.ts'
import { toolset } from '../toolset.ts'

const tools = toolset()

async function permitted(denied: string, command: string): Promise<boolean> {
  const policy = { lists: [], denied: [{ rules: [{ tool: 'Bash', pattern: `${denied}:*` }] }] }
  return (await permits(policy, { tool: 'Bash', input: { command } }, { tools, cwd: '/p' })).allowed
}

describe('other names of a denied subcommand', () => {
  test.each([
    ['npm install', 'npm i x'],
    ['npm install', 'npm add x'],
    ['npm install', 'npm isntall x'],
    ['npm install', 'npm --silent in x'],
    ['npm install', 'npm inst'],
    ['npm i', 'npm install x'],
    ['npm publish', 'npm pub'],
    ['npm publish', 'npm.ps1 publish'],
    ['npm run test', 'npm t'],
    ['npm run start', 'npm start'],
    ['npm run', 'npm test'],
    ['pnpm run build', 'pnpm build'],
    ['pnpm run deploy:prod', 'pnpm --silent deploy:prod'],
    ['pnpm run', 'pnpm deploy:prod'],
    ['pnpm exec tsc', 'pnpm tsc'],
    ['yarn run build', 'yarn build'],
    ['yarn run', 'yarnpkg build'],
    ['bun run deploy', 'bun deploy'],
    ['pip install', 'python3 -mpip install x'],
    ['pip install', 'python -Impip install x'],
    ['python -m pip install', 'python3 -mpip install x'],
    ['docker run --net', 'docker run --network=host x'],
    ['docker run --network', 'docker run --net host x'],
    ['npm publish', 'npm publi --tag x'],
    ['npm uninstall', 'npm un x'],
    ['npm uninstall', 'npm rm x'],
    ['npm uninstall', 'npm r x'],
    ['npm uninstall', 'npm unlink x'],
    ['npm install-test', 'npm installTest'],
    ['npm ci', 'npm install-cl'],
    ['npm exec', 'npx x'],
    ['npx', 'npm x y'],
    ['npm', 'npx x'],
    ['git', 'git-push origin'],
    ['docker', 'docker-compose up'],
    ['/usr/bin/npm exec', 'npx x'],
    ['./node_modules/.bin/yarn install', 'yarn'],
    ['pnpm install', 'pnpm i'],
    ['pnpm remove', 'pnpm rm x'],
    ['pnpm dlx', 'pnpx x'],
    ['yarn install', 'yarn'],
    ['yarn install', 'yarn --frozen-lockfile'],
    ['yarn npm publish', 'yarn publish'],
    ['yarn add', 'yarnpkg add x'],
    ['bun add', 'bun a x'],
    ['pip install', 'pip3 install x'],
    ['pip install', 'python3 -m pip install x'],
    ['python -m pip install', 'pip3.12 install x'],
    ['uv tool run', 'uvx ruff'],
    ['conda remove', 'conda uninstall x'],
    ['gem uninstall', 'gem unin x'],
    ['bundle install', 'bundle'],
    ['bundle exec', 'bundler e rake'],
    ['composer require', 'composer req a/b'],
    ['composer remove', 'composer rem a/b'],
    ['composer self-update', 'composer self-up'],
    ['composer install', 'composer my-own-command'],
    ['php artisan migrate:fresh', 'php artisan mi:f'],
    ['cargo run', 'cargo r'],
    ['cargo run', 'cargo +nightly r'],
    ['cargo publish', 'cargo ship'],
    ['cargo publish', 'cargo-publish'],
    ['rustup toolchain uninstall', 'rustup uninstall stable'],
    ['dotnet add package', 'dotnet package add X'],
    ['gradle publishToMavenLocal', './gradlew pTML'],
    ['gradle publish', 'gradle :app:publ'],
    ['mvn deploy', './mvnw deploy:deploy'],
    ['apt install', 'apt-get install x'],
    ['apt-get remove', 'apt purge x'],
    ['apt remove', 'apt install vim-'],
    ['apt install', 'apt remove vim+'],
    ['apt purge', 'apt-get remove --purge x'],
    ['dnf remove', 'yum erase x'],
    ['dnf groupremove', 'dnf group remove x'],
    ['zypper remove', 'zypper rm x'],
    ['brew uninstall', 'brew rm x'],
    ['brew uninstall', 'brew remove x'],
    ['flatpak uninstall', 'flatpak remove x'],
    ['git add', 'git stage x'],
    ['git push', 'git send-pack x'],
    ['git stash push', 'git stash'],
    ['git remote remove', 'git remote rm x'],
    ['gh pr create', 'gh pr new'],
    ['gh codespace delete', 'gh cs delete'],
    ['svn remove', 'svn rm x'],
    ['svn remove', 'svn del x'],
    ['svn rm', 'svn delete x'],
    ['svn commit', 'svn ci'],
    ['hg commit', 'hg ci'],
    ['hg commit', 'hg com'],
    ['hg commit', 'hg record'],
    ['hg push', 'hg pu'],
    ['hg push', 'hg deploy'],
    ['jj git push', 'jj sync-all'],
    ['jj bookmark delete', 'jj b d main'],
    ['fossil commit', 'fossil com'],
    ['docker rmi', 'docker image rm x'],
    ['docker rmi', 'docker --debug image remove x'],
    ['docker image rm', 'docker rmi x'],
    ['docker image', 'docker rmi x'],
    ['docker image', 'docker pull x'],
    ['docker run', 'docker container run x'],
    ['docker container', 'docker exec x id'],
    ['docker ps', 'docker container list'],
    ['docker compose up', 'docker-compose up'],
    ['docker-compose up', 'docker compose up'],
    ['docker volume rm', 'docker volume remove x'],
    ['podman rmi', 'podman image rm x'],
    ['kubectl delete secrets', 'kubectl delete secret x'],
    ['kubectl delete secrets', 'kubectl delete pods,secrets --all'],
    ['kubectl delete deployments', 'kubectl delete deploy/x'],
    ['kubectl delete pods', 'kubectl delete all --all'],
    ['kubectl delete pods', 'kubectl my-alias'],
    ['helm uninstall', 'helm del x'],
    ['helm uninstall', 'helm delete x'],
    ['terraform destroy', 'terraform -chdir=x apply -destroy'],
    ['terraform apply', 'terraform -chdir=x apply'],
    ['pulumi destroy', 'pulumi down'],
    ['ip link', 'ip l'],
    ['ip link delete', 'ip li del eth0'],
    ['ip l', 'ip link'],
    ['tc qdisc delete', 'tc q d dev eth0'],
    ['nmcli connection delete', 'nmcli c del x'],
    ['systemctl stop nginx', 'systemctl stop nginx.service'],
    ['systemctl poweroff', 'poweroff'],
    ['reboot', 'systemctl reboot'],
    ['zfs snapshot', 'zfs snap x'],
    ['mysqladmin drop', 'mysqladmin dr x'],
  ])('[GATE-14] [ABUSE-131] a rule that denies %s refuses %j', async (denied, command) => {
    expect(await permitted(denied, command)).toBe(false)
  })

  test.each([
    ['npm install', 'npm view x'],
    ['npm init', 'npm i x'],
    ['npm stop', 'npm search x'],
    ['docker rmi', 'docker image ls'],
    ['docker image rm', 'docker container ls'],
    ['yarn install', 'yarn build'],
    ['pnpm run build', 'pnpm test'],
    ['pnpm run', 'pnpm install'],
    ['npm run', 'npm ci'],
    ['npm run build', 'npm test'],
    ['npm exec', 'npm test'],
    ['docker run --net', 'docker run x'],
    ['git stash push', 'git stash list'],
    ['hg push', 'hg pull'],
    ['cargo publish', 'cargo build'],
    ['cargo publish', 'cat cargo notes'],
    ['kubectl delete pods', 'kubectl get pods'],
    ['ip link', 'ip route'],
    ['apt remove', 'apt install vim'],
    ['gradle publish', 'gradle build'],
  ])('[GATE-14] a rule that denies %s leaves %j', async (denied, command) => {
    expect(await permitted(denied, command)).toBe(true)
  })
})

test('[GATE-14] a rule that asks, and one of a skill’s disallowed tools, cover the same names', async () => {
  const call = { tool: 'Bash', input: { command: 'npm isntall x' } }
  const rules = [{ tool: 'Bash', pattern: 'npm install:*' }]
  const gate = { mode: 'restrict', composition: 'all', protect: [], programs: 'any' } as const
  const asking = { ...gate, host: { lists: [], asked: [{ rules }] } }
  expect(await judge(call, [], { tools, gate: asking })).toMatchObject({ askedBy: 'Bash(npm install:*)' })
  const skill = { name: 'careful', location: '/skills/careful', scripts: [], denied: rules }
  expect(await judge(call, [skill], { tools, gate: { ...gate, host: { lists: [] } } })).toMatchObject({
    allowed: false,
    refusal: { refusedBy: { by: 'disallowed-tools', skill: 'careful', rule: 'Bash(npm install:*)' } },
  })
})

describe('other spellings of a denied option', () => {
  test.each([
    ['git push --force', 'git push origin main -f'],
    ['git push --force', 'git push origin +main'],
    ['git push -f', 'git push origin +main'],
    ['git push --delete', 'git push origin :main'],
    ['git push --force', 'git --no-pager push origin --for'],
    ['git checkout -- x', 'git checkout -- x'],
    ['kubectl -n prod delete', 'kubectl delete pod x -n prod'],
    ['kubectl -n prod delete', 'kubectl delete pod x --namespace=prod'],
    ['kubectl -n prod delete', 'kubectl delete pod x -nprod'],
    ['npm publish --access public', 'npm publish --access=public'],
    ['npm publish --dry-run', 'npm publish --dryRun'],
    ['terraform apply -auto-approve', 'terraform apply --auto-approve'],
    ['tar -x', 'tar xf a'],
    ['pacman -R', 'pacman --remove x'],
    ['pacman --remove', 'pacman -Rns x'],
  ])('[GATE-14] [ABUSE-131] a rule that denies %s refuses %j', async (denied, command) => {
    expect(await permitted(denied, command)).toBe(false)
  })

  test.each([
    ['git push --force', 'git push origin main'],
    ['git push --force', 'git push --tags'],
    ['git push --delete', 'git push origin main'],
    ['kubectl -n prod delete', 'kubectl delete pod x -n test'],
    ['tar -x', 'tar cf a'],
  ])('[GATE-14] a rule that denies %s leaves %j', async (denied, command) => {
    expect(await permitted(denied, command)).toBe(true)
  })
})

describe('the table', () => {
  const groups = [PACKAGES, BUILD_TOOLS, REPOSITORIES, CLUSTERS, SYSTEMS].flatMap((table) =>
    Object.entries(table).flatMap(([programs, { same }]) =>
      same.map((group) => ({ programs: programs.split(' '), names: group.split('|') })),
    ),
  )
  /** A name as a rule or a command may have it. */
  const written = (name: string): string => name.replaceAll('*', 'x').replace(/ ?\$$/, '')
  const rules = groups.filter(({ names }) => names.length > 1)

  test('[GATE-14] denying one name of a group denies each other name, before and behind other words', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...rules).chain(({ programs, names }) =>
          fc.record({
            program: fc.constantFrom(...programs),
            denied: fc.constantFrom(...names.filter((name) => !/[*$]/.test(name))),
            used: fc.constantFrom(...names),
            option: fc.constantFrom('', ' --verbose', ' -v'),
          }),
        ),
        async ({ program, denied, used, option }) => {
          expect(await permitted(`${program} ${denied}`, `${program}${option} ${written(used)}`.trimEnd())).toBe(false)
        },
      ),
      { numRuns: runs(500) },
    )
  })

  test('[GATE-14] a program is in one row', () => {
    const programs = [PACKAGES, BUILD_TOOLS, REPOSITORIES, CLUSTERS, SYSTEMS].flatMap((table) =>
      Object.keys(table).flatMap((key) => key.split(' ')),
    )
    expect(programs).toEqual([...new Set(programs)])
  })
})
