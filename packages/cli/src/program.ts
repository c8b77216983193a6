import { Command, CommanderError, type Option } from 'commander'
import { callerFolder } from './caller-folder.ts'
import { addAdd } from './commands/add.ts'
import { addConformance } from './commands/conformance.ts'
import { addExplain } from './commands/explain.ts'
import { addExport } from './commands/export.ts'
import { addInit } from './commands/init.ts'
import { addInspect } from './commands/inspect.ts'
import { addInstall } from './commands/install.ts'
import { addList } from './commands/list.ts'
import { addNew } from './commands/new.ts'
import { addPack } from './commands/pack.ts'
import { addPrompt } from './commands/prompt.ts'
import { addRecover } from './commands/recover.ts'
import { addRemove } from './commands/remove.ts'
import { addRun } from './commands/run.ts'
import { addSearch } from './commands/search.ts'
import { addServe } from './commands/serve.ts'
import { addShow } from './commands/show.ts'
import { addUpdate } from './commands/update.ts'
import { addValidate } from './commands/validate.ts'
import { addVerify } from './commands/verify.ts'
import type { Context, Input } from './context.ts'
import { type Output, type Stream, createOutput } from './output/output.ts'
import { visible } from './output/text.ts'
import { packageVersion } from './version.ts'
import { UsageError } from './usage-error.ts'

/** The parts of the process that a run of the command uses. */
export interface Surroundings {
  readonly stdout: Stream
  readonly stderr: Stream
  /** Read only by commands that need it. Absent without a configuration. */
  readonly stdin?: Input
  /** Resolves when a command that goes on is to end. Absent: it ends with the process's signals. */
  readonly stopped?: Promise<void>
  readonly env: Readonly<Record<string, string | undefined>>
  cwd(): string
}

const HELP = `
"repertoire COMMAND --help" shows the options of a command, with examples.
Exit code: 0 for success, 1 for findings or failures, 2 for a wrong command; "run" ends as its script does.`

/** The page with every option, and the JSON that each command prints. */
const PAGE = 'https://github.com/repertoire-skills/repertoire/blob/main/docs/command.md'

/** The most used first. */
const COMMANDS = [
  addInit,
  addList,
  addExplain,
  addShow,
  addSearch,
  addPrompt,
  addValidate,
  addNew,
  addAdd,
  addInstall,
  addUpdate,
  addRemove,
  addVerify,
  addRecover,
  addPack,
  addExport,
  addRun,
  addServe,
  addInspect,
  addConformance,
]

/** Reports an uncaught error, for example from an adapter that is being checked. */
export async function reportCrash(
  error: unknown,
  { stderr, env }: Pick<Surroundings, 'stderr' | 'env'>,
): Promise<void> {
  await reportFailure(`An error was left uncaught. ${stackOf(error)}`, createOutput(stderr, env))
}

/**
 * Runs the command. Never throws, and never ends the process: all output has been written when this resolves.
 * @param args without the program's own name
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env } = surroundings
  const stdout = createOutput(surroundings.stdout, env)
  const stderr = createOutput(surroundings.stderr, env)
  try {
    const folder = callerFolder(env, surroundings.cwd(), import.meta.url.endsWith('.ts'))
    return await parse(args, {
      stdout,
      stderr,
      folder,
      env,
      input: () => surroundings.stdin,
      args,
      stopped: surroundings.stopped,
    })
  } catch (error) {
    const text = error instanceof UsageError ? error.message : `Repertoire itself failed. ${stackOf(error)}`
    await reportFailure(text, stderr)
    return 2
  }
}

async function parse(args: readonly string[], context: Context): Promise<number> {
  const { stdout, stderr } = context
  const written: Promise<void>[] = []
  let exitCode = 0
  const finish = (code: number): void => void (exitCode = code)
  const program = new Command('repertoire')
    .description('Find, check, install and run Agent Skills, and see what your agent does with them.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', HELP)
    .exitOverride()
    .configureHelp({ styleTitle: (title) => stdout.paint.bold(title), optionDescription: describedOption })
    .configureOutput({
      writeOut: (text) => void written.push(stdout.write(text)),
      writeErr: (text) => void written.push(stderr.write(text)),
      outputError: (text, write) => write(errorText(text, stderr)),
      getOutHasColors: () => stdout.paint.isColorSupported,
      getErrHasColors: () => stderr.paint.isColorSupported,
      getOutHelpWidth: () => stdout.columns ?? 120,
      getErrHelpWidth: () => stderr.columns ?? 120,
    })
  for (const add of COMMANDS) add(program, context, finish)
  for (const command of program.commands) command.addHelpText('after', moreOf(command))
  for (const command of [program, ...program.commands]) {
    const name = command === program ? 'repertoire' : `repertoire ${command.name()}`
    command.showHelpAfterError(`Run "${name} --help" for its arguments and options.`)
  }
  checkHelp(program, args)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander has already written the message.
    exitCode = error.exitCode === 0 ? 0 : 2
  }
  await Promise.all(written)
  return exitCode
}

/** The end of a command's help: the options that it does not describe, and the page that does. */
function moreOf(command: Command): string {
  const rare = command.options.flatMap(({ hidden, long }) => (hidden && long !== undefined ? [long] : []))
  return `\n${rare.length === 0 ? '' : `Further options: ${rare.join(', ')}\n`}All options, and the JSON: ${PAGE}#${command.name()}`
}

/** An option's description with its choices, as docs/command.md writes them. */
function describedOption({ description, argChoices }: Option): string {
  return argChoices === undefined ? description : `${description} (${argChoices.join('|')})`
}

/** Commander shows the whole help for `help lisst`, and says nothing of the command that there is not. */
function checkHelp(program: Command, [first, name]: readonly string[]): void {
  if (first !== 'help' || name === undefined || name.startsWith('-')) return
  const names = [...program.commands.map((command) => command.name()), 'help']
  if (names.includes(name)) return
  throw new UsageError(`There is no command "${name}". Run "repertoire --help" for all of them.`)
}

async function reportFailure(text: string, stderr: Output): Promise<void> {
  // If stderr cannot be written either, the error cannot be reported.
  await stderr.write(errorText(`error: ${text}\n`, stderr)).catch(() => {})
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** An error for a terminal. Arguments may contain control characters, just like files. */
function errorText(text: string, { paint }: Output): string {
  return text
    .split('\n')
    .map((line) => visible(line).replace(/^error:/, paint.red(paint.bold('error:'))))
    .join('\n')
}
