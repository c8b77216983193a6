import { Command, CommanderError, type Option } from 'commander'
import { callerFolder } from './caller-folder.ts'
import { addAdd } from './commands/add.ts'
import { addCheck } from './commands/check.ts'
import { addConformance } from './commands/conformance.ts'
import { addEval } from './commands/eval-options.ts'
import { addExplain } from './commands/explain.ts'
import { addExport } from './commands/export.ts'
import { addInit } from './commands/init.ts'
import { addInspect } from './commands/inspect.ts'
import { addInstall } from './commands/install.ts'
import { addList } from './commands/list.ts'
import { addNew } from './commands/new.ts'
import { addOutdated } from './commands/outdated.ts'
import { addPack } from './commands/pack.ts'
import { addRecover } from './commands/recover.ts'
import { addRemove } from './commands/remove.ts'
import { addRun } from './commands/run.ts'
import { addSearch } from './commands/search.ts'
import { addServe } from './commands/serve.ts'
import { addShow } from './commands/show.ts'
import { addUpdate } from './commands/update.ts'
import { addValidate } from './commands/validate.ts'
import { addVerify } from './commands/verify.ts'
import type { Context, Finish, Input } from './context.ts'
import { type Failure, failureOf } from './output/failure.ts'
import { toJson } from './output/json.ts'
import { type Output, type Stream, createOutput } from './output/output.ts'
import { paragraphs, visible } from './output/text.ts'
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
New here? "repertoire init" sets up a project. "repertoire COMMAND --help" shows a command's options, with examples.

Exit code: 0 for success, 1 for findings or failures, 2 for a wrong command; "run" ends as its script does.`

type Add = (program: Command, context: Context, finish: Finish) => void

/** The commands as the help groups them. */
const GROUPS: Readonly<Record<string, readonly Add[]>> = {
  'Write skills:': [addInit, addNew, addCheck, addValidate, addEval, addPack],
  'Install skills:': [addAdd, addInstall, addOutdated, addUpdate, addRemove],
  'Run skills:': [addRun, addServe],
  'Look at skills:': [addList, addShow, addExplain, addSearch, addInspect],
  'Maintain:': [addVerify, addRecover, addExport, addConformance],
}

/** Reports an uncaught error, for example from an adapter that is being checked. */
export async function reportCrash(
  error: unknown,
  args: readonly string[],
  { stdout, stderr, env }: Pick<Surroundings, 'stdout' | 'stderr' | 'env'>,
): Promise<void> {
  const failure = { ...failureOf(error), code: 'FAILED' }
  const message = failure.message.replace('Repertoire itself failed.', 'An error was left uncaught.')
  await report({ ...failure, message }, args, { stdout: createOutput(stdout, env), stderr: createOutput(stderr, env) })
}

/**
 * Runs the command. Never throws, and never ends the process: all output has been written when this resolves.
 * @param args without the program's own name
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env, stopped } = surroundings
  const stdout = createOutput(surroundings.stdout, env)
  const stderr = createOutput(surroundings.stderr, env)
  try {
    const folder = callerFolder(env, workingFolder(surroundings), import.meta.url.endsWith('.ts'))
    return await parse(args, { stdout, stderr, folder, env, input: () => surroundings.stdin, args, stopped })
  } catch (error) {
    const failure = failureOf(error)
    await report(failure, args, { stdout, stderr })
    return failure.exitCode
  }
}

function workingFolder(surroundings: Surroundings): string {
  try {
    return surroundings.cwd()
  } catch (cause) {
    throw new UsageError('The current folder does not exist any more. Change to another one.', { cause })
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
    .addHelpCommand(
      new Command('help').argument('[command]').description('print the help of a command').helpGroup('Maintain:'),
    )
    .addHelpText('after', paragraphs(HELP, stdout))
    .exitOverride()
    .configureHelp({
      styleTitle: (title) => stdout.paint.bold(title),
      optionDescription: describedOption,
      subcommandTerm: (command) => command.name(),
    })
    .configureOutput({
      writeOut: (text) => void written.push(stdout.write(text)),
      writeErr: (text) => void written.push(stderr.write(text)),
      outputError: (text) => void written.push(stderr.print(errorText(text, stderr))),
      getOutHasColors: () => stdout.paint.isColorSupported,
      getErrHasColors: () => stderr.paint.isColorSupported,
      getOutHelpWidth: () => Math.min(stdout.columns ?? 80, 100),
      getErrHelpWidth: () => Math.min(stderr.columns ?? 80, 100),
    })
  for (const [title, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(title)
    for (const add of commands) add(program, context, finish)
  }
  for (const command of program.commands) command.addHelpText('after', moreOf(command, stdout))
  for (const command of [program, ...program.commands]) {
    const [name, what] =
      command === program
        ? ['repertoire', 'all commands']
        : [`repertoire ${command.name()}`, 'its arguments and options']
    command.showHelpAfterError(`Run "${name} --help" for ${what}.`)
  }
  checkHelp(program, args)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    exitCode = error.exitCode === 0 ? 0 : 2
    // Commander has already written the message for a person.
    const message = visible(error.message.replace(/^error: /, '').replace(/\n(?=\(Did you mean)/, ' '))
    if (exitCode === 2 && wantsJson(args)) await stdout.write(toJson({ error: { code: 'USAGE', message } }))
  }
  await Promise.all(written)
  return exitCode
}

/** The end of a command's help: the options that it does not describe, and the page that does. */
function moreOf(command: Command, stdout: Output): string {
  const rare = command.options.flatMap(({ hidden, long }) => (hidden && long !== undefined ? [long] : []))
  const further = rare.length === 0 ? '' : `Further options: ${rare.join(', ')}\n\n`
  return paragraphs(
    `${further}More: docs/command.md#${command.name()} of https://github.com/repertoire-skills/repertoire`,
    stdout,
  )
}

/** An option's description with its choices. */
function describedOption({ description, argChoices }: Option): string {
  return argChoices === undefined ? description : `${description}; one of ${argChoices.join(', ')}`
}

/** Commander shows the whole help for `help lisst`, and says nothing of the command that there is not. */
function checkHelp(program: Command, [first, name]: readonly string[]): void {
  if (first !== 'help' || name === undefined || name.startsWith('-')) return
  const names = [...program.commands.map((command) => command.name()), 'help']
  if (names.includes(name)) return
  throw new UsageError(`There is no command "${name}". Run "repertoire --help" for all of them.`)
}

/** Writes an error for a person, and as JSON if it was asked for. */
async function report(
  { code, message }: Failure,
  args: readonly string[],
  { stdout, stderr }: Pick<Context, 'stdout' | 'stderr'>,
): Promise<void> {
  // If the streams cannot be written either, the error cannot be reported.
  if (wantsJson(args)) await stdout.write(toJson({ error: { code, message } })).catch(() => {})
  await stderr.print(errorText(`error: ${message}\n`, stderr)).catch(() => {})
}

/** Whether the command line asks for JSON, however wrong the rest of it is. What is behind `--` is a script's. */
function wantsJson(args: readonly string[]): boolean {
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  return own.includes('--json')
}

/** An error for a terminal. Arguments may contain control characters, just like files. */
function errorText(text: string, { paint }: Output): string {
  return text
    .split('\n')
    .map((line) => visible(line).replace(/^error:/, paint.red(paint.bold('error:'))))
    .join('\n')
}
