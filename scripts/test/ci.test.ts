import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

it("[FRONT-1] CI removes the Debian packages and runs the README's two commands before it installs anything", () => {
  const steps = [...read('.ci/run').matchAll(/^step '[^']*' (.*)$/gm)].map(([, command]) => command)
  const [, block = ''] = /^## See it\n[^]*?```sh\n([^]*?)```/m.exec(read('README.md')) ?? []
  expect([...block.matchAll(/^npm .*?(?=\s+#)/gm)].map(([command]) => command)).toEqual(['npm run demo', 'npm test'])
  expect(steps.slice(0, 4)).toEqual([
    'remove_packages',
    'as_newcomer npm run demo',
    'logged "$newcomers_log" as_newcomer npm test',
    'install_packages',
  ])
})

it('[FRONT-1] a test that is skipped without a Debian package names the package in its title', () => {
  const needs = globSync('{packages,apps}/*/test/**/*.test.ts', { cwd: ROOT }).flatMap((file) =>
    [...read(file).matchAll(/skipIf\(isMissing\('(.*?)'\)\)(?:\.each\(.*?\))?\(\s*(['"`])(.*?)\2,/g)].map(
      ([, name, , title]) => ({ file, name, title }),
    ),
  )
  const [, packages = ''] = /^needed_packages=\((.*)\)$/m.exec(read('.ci/run')) ?? []
  expect(new Set(needs.map(({ name }) => name))).toEqual(new Set(packages.split(' ')))
  expect(needs.filter(({ name, title }) => !title!.endsWith(`(needs ${name})`))).toEqual([])
})

// Files that share a module share its worker: hooks that an import registers would hold for the first file alone.
it('no module that tests share registers hooks when it is imported', () => {
  const files = globSync('{packages,apps}/*/test/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => /^(?:before|after)(?:Each|All)\(/m.test(read(file)))).toEqual([])
})

it('[FRONT-4] the workflow that releases proves itself to npm without a token, and only after a rehearsal', () => {
  const workflow = read('.github/workflows/release.yml')
  expect(workflow).toContain('id-token: write')
  expect(workflow).not.toMatch(/npm_token|secrets\.npm|NODE_AUTH_TOKEN/i)
  const [rehearsal, release] = ['run: npm run -s rehearse-release', 'publish: npm run release'].map((line) =>
    workflow.indexOf(line),
  )
  expect(rehearsal).toBeGreaterThan(0)
  expect(release).toBeGreaterThan(rehearsal!)
})

it('[FRONT-4] every week each adapter meets the oldest and the newest frameworks, and an issue says which fails', () => {
  const workflow = read('.github/workflows/peers.yml')
  expect(
    workflow.match(/adapter: \[ai-sdk, claude-agent, langchain, mastra, openai-agents, react-loop\]/g),
  ).toHaveLength(2)
  expect(workflow).toContain('npm run -s oldest-peers -- ${{ matrix.adapter }} --newest')
  expect(workflow).toMatch(/if: \$\{\{ failure\(\)[^]*gh issue create/)
})

const root = JSON.parse(read('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>
  readonly homepage: string
}
const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT })

it.each(workflows)('[FRONT-4] %s runs scripts that exist, and grants no rights to a job that names none', (file) => {
  const workflow = read(file)
  const named = [...workflow.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name)
  expect(Object.keys(root.scripts)).toEqual(expect.arrayContaining(named))
  expect(workflow).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m)
})

it('[FRONT-3] a workflow builds the site for the address of the project, and publishes what was built', () => {
  const workflow = read('.github/workflows/site.yml')
  const [build = '', publish = ''] = workflow.split(/^ {2}publish:$/m)
  expect(build).toContain('run: npm run site:build')
  expect(build).toContain(`SITE_BASE: /${new URL(root.homepage).pathname.split('/')[2]}/\n`)
  const [, folder = ''] = /upload-pages-artifact@.*\n.*\n +path: (\S+)/.exec(build) ?? []
  expect(read('scripts/site.ts')).toContain("const SITE = resolve('apps/site')")
  expect(folder).toBe('apps/site/dist')
  expect(build).not.toContain('write')
  expect(publish).toMatch(/needs: build\n[^]*pages: write\n[^]*id-token: write\n[^]*deploy-pages@/)
})

it('[FRONT-4] the second part of CI rehearses a release', () => {
  const [, second = ''] = read('.ci/run').split('export CI=true')
  expect(second).toMatch(/^step '.*' npm run -s rehearse-release$/m)
})
