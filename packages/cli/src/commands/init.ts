import { type Command, Option } from 'commander'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { writeNewFile } from '../output/new-file.ts'
import { shownPath } from '../output/path.ts'
import { count, paragraphs, visible } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { askYes } from './ask-yes.ts'
import { EXAMPLE_SKILL, FIRST_PROGRAMS, type Framework } from './init-programs.ts'
import { jsonOption } from './options.ts'

interface InitFlags {
  readonly framework?: Framework
  readonly project?: string
  readonly yes?: true
  readonly json?: true
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
    .addOption(new Option('--framework <name>', 'default: the one in package.json').choices(frameworks))
    .option('--project <folder>', 'the folder with package.json (default: the current one)')
    .option('-y, --yes', 'write without asking')
    .addOption(jsonOption())
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (options: InitFlags) => finish(await init(options, context)))
}

async function init({ framework: named, project = '.', yes, json }: InitFlags, context: Context): Promise<ExitCode> {
  const { stdout, stderr, folder } = context
  const root = resolve(folder, project)
  if (!existsSync(root) || !statSync(root).isDirectory()) {
    throw new UsageError(`There is no folder ${visible(root)}. Make it first, or name another with --project.`)
  }
  const dependencies = dependenciesOf(join(root, 'package.json'))
  const framework = named ?? frameworkOf(dependencies)
  const { title, vendor, packages, text } = FIRST_PROGRAMS[framework]
  const files = [
    { path: '.agents/skills/release-notes/SKILL.md', text: EXAMPLE_SKILL },
    { path: 'skills-agent.mjs', text },
  ].map((file) => ({ ...file, action: existsSync(join(root, file.path)) ? 'keep' : 'write' }))
  const due = files.filter(({ action }) => action === 'write')
  const missing = packages.filter((name) => !dependencies.has(name))
  const install = missing.length === 0 ? undefined : `${installerOf(root)} ${missing.join(' ')}`
  const run = `${vendor}_API_KEY=… node skills-agent.mjs`

  if (!json) {
    await stdout.write(`For ${title}${named === undefined ? '; --framework chooses another' : ''}.\n`)
    for (const { path, action, text: content } of files) {
      const shown = action === 'keep' ? `= ${path}  exists, and stays as it is\n` : `+ ${path}\n${indented(content)}`
      await stdout.write(`\n${shown}`)
    }
    await stdout.write('\n')
  }
  const agreed =
    due.length === 0 || yes ? true : json ? false : await askYes(`Write ${count(due.length, 'file')}?`, context)
  if (agreed === true)
    for (const { path, text: content } of due) writeNewFile(join(root, path), content, 'Move it away.')
  if (json) {
    const written = agreed === true && due.length > 0
    await stdout.write(toJson({ framework, files, install, run, written }))
  } else if (agreed === undefined) {
    await stderr.print('There is no terminal to ask at. To write what is shown, run "repertoire init --yes".\n')
  } else if (!agreed) {
    await stdout.write('Nothing was written.\n')
  } else {
    const written = due.map(({ path }) => shownPath(join(root, path), folder))
    if (written.length > 0) await stdout.write(`Written: ${written.join(', ')}.\n`)
    const lines = [install ?? [], run].flat().map((line) => `  $ ${line}\n`)
    await stdout.print(`Next, install the packages and start the program:\n${lines.join('')}
Set ${vendor}_BASE_URL and ${vendor}_MODEL for another endpoint, such as a model on this machine.
To see what your skill costs and where else it loads:
  $ repertoire check .agents/skills/release-notes\n`)
  }
  return agreed === true ? 0 : 1
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
  const found = Object.entries(FIRST_PROGRAMS).find(
    ([, { dependency }]) => dependency !== undefined && dependencies.has(dependency),
  )
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
