import { type Command, Option } from 'commander'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { writeNewFile } from '../output/new-file.ts'
import { count, paragraphs, visible } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { agrees } from './ask-yes.ts'
import { EXAMPLE_SKILL, FIRST_PROGRAMS, type Framework } from './init-programs.ts'

interface InitFlags {
  readonly framework?: Framework
  readonly yes?: true
}

const HELP = `
It shows an example skill and a program, and writes them after a yes. It never changes a file that exists, and installs
nothing: it prints the commands that install the packages and start the program.

Exit code: 0; 1 if nothing was written, because the answer was not yes; 2 for a wrong command.

Examples:
  $ repertoire init
  $ repertoire init --framework langchain --yes`

/** Adds `repertoire init`. */
export function addInit(program: Command, context: Context, finish: Finish): void {
  const frameworks = Object.keys(FIRST_PROGRAMS)
  program
    .command('init')
    .summary('set up a project: an example skill and a first program')
    .description('Set up a project: write an example skill and the first program of your framework.')
    .addOption(
      new Option('--framework <name>', 'your framework (default: the one in package.json)').choices(frameworks),
    )
    .option('-y, --yes', 'write without asking')
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (options: InitFlags) => finish(await init(options, context)))
}

async function init({ framework: named, yes }: InitFlags, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const dependencies = dependenciesOf(join(folder, 'package.json'))
  const { title, vendor, packages, text: program } = FIRST_PROGRAMS[named ?? frameworkOf(dependencies)]
  const files = [
    { path: '.agents/skills/release-notes/SKILL.md', text: EXAMPLE_SKILL },
    { path: 'skills-agent.mjs', text: program },
  ]
  const due = files.filter(({ path }) => !existsSync(join(folder, path)))
  await stdout.print(`For ${title}${named === undefined ? '; --framework chooses another' : ''}.\n\n`)
  for (const file of files) {
    const { path, text } = file
    await stdout.print(
      due.includes(file) ? `+ ${path}\n${indented(text)}\n` : `= ${path}  exists, and stays as it is\n\n`,
    )
  }
  if (due.length > 0 && !yes && !(await agrees(`Write ${count(due.length, 'file')}?`, context))) {
    await stdout.write('Nothing was written.\n')
    return 1
  }
  for (const { path, text } of due) writeNewFile(join(folder, path), text, 'Move it away.')
  if (due.length > 0) await stdout.print(`Written: ${due.map(({ path }) => path).join(', ')}.\n`)
  const missing = packages.filter((name) => !dependencies.has(name))
  const install = missing.length === 0 ? '' : `  $ ${installerOf(folder)} ${missing.join(' ')}\n`
  await stdout.print(`Next, install the packages and start the program:
${install}  $ ${vendor}_API_KEY=… node skills-agent.mjs

Set ${vendor}_BASE_URL and ${vendor}_MODEL for another endpoint, such as a model on this machine.
To see what your skill costs and where else it loads:
  $ repertoire check .agents/skills/release-notes\n`)
  return 0
}

/** The names of what a project depends on. @throws {UsageError} package.json cannot be read */
function dependenciesOf(path: string): ReadonlySet<string> {
  if (!existsSync(path)) return new Set()
  try {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path, 'utf8')) as {
      readonly dependencies?: object
      readonly devDependencies?: object
    }
    return new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)])
  } catch (error) {
    throw new UsageError(
      `${visible(path)} cannot be read: ${error instanceof Error ? visible(error.message) : ''} Correct it first.`,
    )
  }
}

function frameworkOf(dependencies: ReadonlySet<string>): Framework {
  const found = Object.entries(FIRST_PROGRAMS).find(([, { signs }]) => signs.some((name) => dependencies.has(name)))
  return (found?.[0] as Framework | undefined) ?? 'none'
}

/** The command that installs packages, by the lock file of the project. */
function installerOf(root: string): string {
  const lock = Object.keys(INSTALLERS).find((name) => existsSync(join(root, name)))
  return INSTALLERS[lock ?? ''] ?? 'npm install'
}

const INSTALLERS: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm add',
  'yarn.lock': 'yarn add',
  'bun.lock': 'bun add',
  'bun.lockb': 'bun add',
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '    ')
}
