import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import {
  callerFolder,
  createOutput,
  type ExitCode,
  type Output,
  type Stream,
  toJson,
  UsageError,
  visible,
} from 'repertoire/terminal'
import { runBench } from './bench.ts'
import { CONTESTANTS } from './contestants/index.ts'
import { DEFAULTS, type Options, PARTS, readOptions } from './options.ts'
import { showResults } from './report.ts'

/** The parts of the process that a run uses. */
export interface Surroundings extends Pick<NodeJS.Process, 'env' | 'cwd'> {
  readonly stdout: Stream
  readonly stderr: Stream
}

const HELP = `Usage: npm run bench -- [options]

How fast skills are found and used, compared with the file system and with other loaders.

Options:
  --quick                a short run, of about a minute
  --check                exit with 1 unless every aim is met
  --json <file>          where the results go as JSON (default: apps/bench/results/latest.json)
  --source               measure the sources instead of the built packages
  --sizes <numbers>      how many skills are generated (default: ${DEFAULTS.sizes})
  --rounds <number>      fresh processes per contestant (default: ${DEFAULTS.rounds}; fewer for larger trees)
  --contestants <names>  only these, and the floor: ${Object.keys(CONTESTANTS).join(', ')}
  --only <parts>         only these: ${PARTS.join(', ')}
  --seed <number>        other generated skills
  -h, --help             print this help

Scans are compared with a floor that the same run measures: open, read 4 KB and close each SKILL.md in plain Node.
"first" is the first scan of a fresh process. "again" is the steady value of later scans in the same process.
"right" is the share of skills with the description that the yaml package reads.

Exit code: 0; with --check 1 if an aim is missed or could not be measured; 2 for a wrong command.
Colours: only on a terminal; NO_COLOR=1 and FORCE_COLOR=1 decide otherwise.
`

const ERASE_LINE = '\r\u001B[K'

/** Runs the benchmark. Never throws; all output has been written when this resolves. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { env, cwd } = surroundings
  const stdout = createOutput(surroundings.stdout, env)
  const stderr = createOutput(surroundings.stderr, env)
  try {
    const options = readOptions(args, callerFolder(env, cwd(), true, 'bench'))
    if (options !== undefined) return await measure(options, stdout, stderr)
    await stdout.write(HELP)
    return 0
  } catch (error) {
    const message =
      error instanceof UsageError
        ? error.message
        : `The benchmark itself failed. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    const shown = message.split('\n').map(visible).join('\n')
    const { red, bold } = stderr.paint
    await stderr.write(`${red(bold('error:'))} ${shown}\n`).catch(() => {})
    return 2
  }
}

async function measure(options: Options, stdout: Output, stderr: Output): Promise<ExitCode> {
  const { paint } = stdout
  const status = (text: string): void => {
    if (stderr.isTerminal) void stderr.write(ERASE_LINE + text).catch(() => {})
  }
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-bench-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  try {
    const results = await runBench(options, folder, status)
    status('')
    await stdout.write(showResults(results, paint))
    save(options.json, toJson(results))
    await stdout.write(`  ${paint.dim(`JSON: ${visible(options.json)}`)}\n`)
    return options.check && results.aims.some(({ met }) => met !== true) ? 1 : 0
  } finally {
    status('')
    remove()
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
