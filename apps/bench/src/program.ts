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
import { HELP, type Options, readOptions } from './options.ts'
import { showResults } from './report.ts'

/** The parts of the process that a run uses. */
export interface Surroundings extends Pick<NodeJS.Process, 'env' | 'cwd'> {
  readonly stdout: Stream
  readonly stderr: Stream
}

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
  const folder = temporaryFolder()
  try {
    const results = await runBench(options, folder.path, status)
    status('')
    await stdout.write(showResults(results, paint))
    save(options.json, toJson(results))
    await stdout.write(`  ${paint.dim(`JSON: ${visible(options.json)}`)}\n`)
    return options.check && results.aims.some(({ met }) => met !== true) ? 1 : 0
  } finally {
    status('')
    folder.remove()
  }
}

/** Creates a folder that is removed when the process ends, or earlier. */
function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'repertoire-bench-'))
  const remove = (): void => {
    process.off('exit', remove)
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', remove)
  return { path, remove }
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
