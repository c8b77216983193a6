import type { UnsafeUse } from '../unsafe-use.ts'
import { list, type Program } from './program.ts'

/** What the managers of packages are called with, beside a command of their own. */
const PACKAGES: UnsafeUse = {
  syntax: 'nopt',
  options: list(
    '--script-shell --shell-mode --node-options --userconfig --globalconfig --prefix --dir --cwd --pnpmfile ' +
      '--global-pnpmfile --use-yarnrc --config.script-shell --store-dir --modules-dir --virtual-store-dir',
  ),
  harmless: ['--global'],
  letters: 'Cc',
  readingUses: new Map<string, readonly string[]>([
    ...['config', 'c'].map((name) => [name, ['get', 'list', 'ls']] as const),
    ['plugin', ['list']],
    ['pkg', ['get']],
  ]),
  runningSubcommands: ['set'],
  passesOn: true,
}

const PACKAGES_FOLDER = ['-C', '--dir', '--cwd']

/** Commands of packages that remove what they are given. */
const REMOVERS = ['rimraf', 'del-cli', 'trash']

/** Commands of the managers' own that are called like a program. */
const OWN_COMMANDS = list(
  'add audit bin build c cache config create dedupe deploy env exec fetch help info init install link list login node npm ' +
    'pack patch pkg plugin prune publish rebuild remove repl rm run search set start stop store test unlink up update ' +
    'upgrade version view why workspace x',
)

/** Names that projects give to scripts, and that programs have as well. */
const SCRIPT_NAMES = list('test time watch start build install link make set command')

/** Managers of packages that run a project's scripts and the programs of its packages. */
export const PACKAGE_MANAGERS: readonly Program[] = [
  {
    names: ['npm'],
    runsCode: true,
    // `exec -c` takes a line for a shell.
    runsShell: true,
    unsafe: {
      syntax: 'nopt',
      options: list(
        '--script-shell --shell --editor --viewer --browser --git --node-options --userconfig --globalconfig ' +
          '--init-module --prefix --call --cache --logs-dir --pack-destination --tmp --nodedir',
      ),
      harmless: ['--global', '--no'],
      letters: 'Cc',
      readingUses: new Map<string, readonly string[]>([
        ...['config', 'c'].map((name) => [name, ['get', 'list', 'ls']] as const),
        ['pkg', ['get']],
      ]),
      runningSubcommands: ['explore', 'set', 'set-script', 'edit'],
      passesOn: true,
    },
    wraps: { subcommands: ['exec', 'x'], valued: ['--package', '-c', '--call'] },
    examples: {
      permitted: ['npm run build -- --exec x', 'npm install --global x', 'npm config get registry'],
      refused: [
        'npm test --script-shell=./x',
        'npm test -script-shell=./x',
        'npm test ---script-sh=./x',
        'npm test -prefix=../x',
        'npm config set script-shell ./x',
        'npm conf set script-shell ./x',
        'npm pkg set scripts.test=id',
        'npm explore x -- id',
        'npm exec -- prettier --plugin=./x y',
      ],
      mutates: [
        ['npm exec -- rimraf a', 'a'],
        ["npm exec -c 'rm -r a'", 'a'],
        ['npm --silent x --package tar rimraf a', 'a'],
      ],
      harmless: ['npm rm a', 'npm run rm a'],
    },
  },
  // Of pnpm, `run` knows scripts alone; yarn and bun look for a program where there is no script of that name.
  {
    names: ['pnpm'],
    runsCode: true,
    runsShell: true,
    unsafe: PACKAGES,
    wraps: { subcommands: ['exec', 'dlx'], commands: REMOVERS, otherThan: OWN_COMMANDS, folder: PACKAGES_FOLDER },
    examples: {
      permitted: [
        'pnpm test',
        'pnpm install x',
        'pnpm prettier --check x',
        'pnpm exec prettier --check x',
        'pnpm install -g x',
        'pnpm run watch',
      ],
      refused: [
        'pnpm -script-shell=./x test',
        'pnpm config set script-shell ./x',
        'pnpm -C .. test',
        'pnpm exec prettier --plugin=x y',
        'pnpm dlx env id',
        'pnpm prettier --plugin=x y',
        'pnpm xargs id',
      ],
      mutates: [
        ['pnpm exec rimraf a', 'a'],
        ['pnpm rimraf a', 'a'],
        ['pnpm -C b dlx rimraf a', 'b/a'],
        ["pnpm exec -c 'rm -r a'", 'a'],
      ],
      harmless: ['pnpm remove a', 'pnpm rm a', 'pnpm run rm a'],
    },
  },
  {
    names: ['yarn'],
    runsCode: true,
    runsShell: true,
    unsafe: PACKAGES,
    wraps: {
      subcommands: ['exec', 'dlx'],
      commands: REMOVERS,
      otherThan: OWN_COMMANDS,
      script: { subcommand: 'run', otherThan: SCRIPT_NAMES },
      folder: PACKAGES_FOLDER,
    },
    examples: {
      permitted: ['yarn test', 'yarn prettier --check x', 'yarn run test x', 'yarn run watch', 'yarn run prettier x'],
      refused: [
        'yarn --cwd .. test',
        'yarn prettier --plugin=x y',
        'yarn run prettier --plugin=x y',
        'yarn run xargs id',
        'yarn exec env id',
      ],
      mutates: [
        ['yarn rimraf a', 'a'],
        ['yarn run rimraf a', 'a'],
        ['yarn --cwd b run rimraf a', 'b/a'],
      ],
      harmless: ['yarn remove a', 'yarn run build a', 'yarn run install a'],
    },
  },
  {
    names: ['bun'],
    runsCode: true,
    // `exec` takes a line for its own shell.
    runsShell: true,
    unsafe: {
      options: list(
        '--cwd --config --preload --require --import --eval --print --env-file --shell --tsconfig-override',
      ),
      letters: 'crep',
      runningSubcommands: ['exec'],
      passesOn: true,
    },
    wraps: {
      subcommands: ['x'],
      commands: REMOVERS,
      otherThan: OWN_COMMANDS,
      script: { subcommand: 'run', otherThan: SCRIPT_NAMES },
      folder: ['--cwd'],
    },
    examples: {
      permitted: ['bun test', 'bun x prettier --check .', 'bun run test x', 'bun run watch', 'bun run prettier x'],
      refused: [
        'bun --cwd .. test',
        'bun --preload ./x test',
        'bun x prettier --plugin=x y',
        'bun run prettier --plugin=x y',
        'bun prettier --plugin=x y',
        'bun run xargs id',
        'bun exec id',
      ],
      mutates: [
        ['bun x rimraf a', 'a'],
        // It runs programs of the system too.
        ['bun run rm a', 'a'],
        ['bun --cwd b run rimraf a', 'b/a'],
        ['bun rimraf a', 'a'],
        ["bun exec 'rm -r a'", 'a'],
      ],
      harmless: ['bun remove a', 'bun rm a', 'bun run build a'],
    },
  },
]
