import { Command, CommanderError } from 'commander'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  callerFolder,
  type Context,
  createOutput,
  type ExitCode,
  type Output,
  type Stream,
  toJson,
  UsageError,
  visible,
} from 'repertoire/terminal'
import { runBench, temporaryFolder } from './bench.ts'
import { DEFAULTS, PARTS, type RawOptions, resolveOptions } from './options.ts'
import { showAims, showComparisons, showDiscovery, showMachine, showPrompt } from './report.ts'

/** The parts of the process that a run uses. */
export interface Surroundings extends Pick<NodeJS.Process, 'env' | 'cwd'> {
  readonly stdout: Stream
  readonly stderr: Stream
}

const HELP = `
Scans are compared with a floor that the same run measures: open, read 4 KB and close each SKILL.md in plain Node.
"first" is the first scan of a fresh process. "again" is the steady value of later scans in the same process.
"right" is the share of skills with the description that the yaml package reads.

Exit code: 0; with --check 1 if an aim is missed or could not be measured; 2 for a wrong command.
Colours: only on a terminal; NO_COLOR=1 and FORCE_COLOR=1 decide otherwise.

Examples:
  $ npm run bench
  $ npm run bench -- --quick
  $ npm run bench -- --check --json bench.json
  $ npm run bench -- --only discovery --sizes 1000 --contestants repertoire,openskills --source
`
const ERASE_LINE = '\r\u001B[K'

/** Runs the benchmark. Never throws; all output has been written when this resolves. */
export async function run(args: readonly string[], { stdout, stderr, env, cwd }: Surroundings): Promise<ExitCode> {
  const context: Context = {
    stdout: createOutput(stdout, env),
    stderr: createOutput(stderr, env),
    folder: callerFolder(env, cwd(), true, 'bench'),
    env,
  }
  try {
    return await parse(args, context)
  } catch (error) {
    const message =
      error instanceof UsageError
        ? error.message
        : `The benchmark itself failed. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    await context.stderr.write(errorText(message, context.stderr)).catch(() => {})
    return 2
  }
}

async function parse(args: readonly string[], context: Context): Promise<ExitCode> {
  const { stdout, stderr } = context
  const written: Promise<void>[] = []
  let exitCode: ExitCode = 0
  const program = new Command('npm run bench --')
    .description('How fast skills are found and used, compared with the file system and with other loaders.')
    .option('--quick', 'a short run, of about a minute')
    .option('--check', 'exit with 1 unless every aim is met')
    .option('--json <file>', 'where the results go as JSON (default: apps/bench/results/latest.json)')
    .option('--source', 'measure the sources instead of the built packages')
    .option('--sizes <numbers>', `how many skills are generated (default: ${DEFAULTS.sizes})`)
    .option('--rounds <number>', `fresh processes per contestant (default: ${DEFAULTS.rounds}; fewer for larger trees)`)
    .option('--contestants <names>', 'only these, and the floor')
    .option(
      '--patience <seconds>',
      `a loader that has taken longer in all does not run again (default: ${DEFAULTS.patience})`,
    )
    .option('--only <parts>', `only these: ${PARTS.join(', ')}`)
    .option('--seed <number>', 'other generated skills')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', HELP)
    .showHelpAfterError('Run "npm run bench -- --help" for its arguments and options.')
    .allowExcessArguments(false)
    .exitOverride()
    .configureHelp({ styleTitle: (title) => stdout.paint.bold(title) })
    .configureOutput({
      writeOut: (text) => void written.push(stdout.write(text)),
      writeErr: (text) => void written.push(stderr.write(text)),
      outputError: (text, write) => write(errorText(text.replace(/^error: |\n$/g, ''), stderr)),
      getOutHasColors: () => stdout.paint.isColorSupported,
      getErrHasColors: () => stderr.paint.isColorSupported,
      getOutHelpWidth: () => stdout.columns ?? 120,
      getErrHelpWidth: () => stderr.columns ?? 120,
    })
    .action(async (rawOptions: RawOptions) => {
      exitCode = await measure(rawOptions, context)
    })
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

async function measure(rawOptions: RawOptions, context: Context): Promise<ExitCode> {
  const { stdout, stderr } = context
  const options = resolveOptions(rawOptions, context)
  const { paint } = stdout
  const status = (text: string): void => {
    if (stderr.isTerminal) void stderr.write(ERASE_LINE + text).catch(() => {})
  }
  const folder = temporaryFolder()
  const shown: Promise<void>[] = []
  try {
    const results = await runBench(options, folder.path, {
      progress: status,
      discovery: (discovery) => {
        status('')
        shown.push(stdout.write(showDiscovery(discovery, paint)))
      },
    })
    status('')
    await Promise.all(shown)
    await stdout.write(
      [
        showPrompt(results.prompt, paint),
        showComparisons(results.comparisons, paint),
        showMachine(results),
        showAims(results.aims, paint),
      ].join(''),
    )
    save(options.json, toJson(results))
    await stdout.write(`  ${paint.dim(`JSON: ${visible(options.json)}`)}\n`)
    return options.check && results.aims.some(({ met }) => met !== true) ? 1 : 0
  } finally {
    status('')
    folder.remove()
  }
}

/** @throws {UsageError} if it cannot be written */
function save(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  } catch (error) {
    throw new UsageError(`The results cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function errorText(message: string, { paint }: Output): string {
  return `${paint.red(paint.bold('error:'))} ${message.split('\n').map(visible).join('\n')}\n`
}
