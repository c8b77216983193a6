import { flag, listOf, required, text, timeLimit, withDefault, type OptionTable } from '@repertoire/core/options'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path'
import process from 'node:process'
import type { FetchOptions, FetchedSkill } from '../origins/origin.ts'
import { realPathOf } from '../real-path.ts'
import { runProgram, type ProgramEnd } from '../run-program.ts'
import { readReport, type ScanReport } from './scan-report.ts'

/** A scanner of the user's choice, which looks at each skill before it is installed. */
export interface ScanOptions {
  /**
   * The program and its arguments, without a shell. `{path}` is replaced by the skill's folder: `['skillspector',
   * 'scan', '{path}', '--format', 'json']`. It writes SARIF, or the JSON of SkillSpector, on its standard output, and
   * ends with 0, or with 1 for what must not be installed.
   */
  readonly command: readonly string[]
  /** Whether a skill is installed if the scanner fails: it is missing, crashes, or writes no report. Default false. */
  readonly optional?: boolean | undefined
  /** How long it may take for one skill, in milliseconds. Default 120,000. */
  readonly timeout?: number | undefined
}

export const SCAN_OPTIONS: OptionTable<ScanOptions> = {
  command: required(listOf(text, 'a list of the program and its arguments')),
  optional: withDefault(false, flag),
  timeout: withDefault(120_000, timeLimit),
}

/** What a scanner has said of a skill. */
export interface ScanResult extends ScanReport {
  /** Why it failed. */
  readonly reason?: string
  /** Whether it stops the installation. */
  readonly stops: boolean
}

const PATH = '{path}'
const MAX_REPORT_BYTES = 16 * 1024 * 1024
const SHOWN_ERROR_CHARS = 300

/** Options of a plan that fetches. */
export interface WithScan {
  /** The scanner that looks at each skill before it is installed. Default: none. */
  readonly scan?: ScanOptions | undefined
}

/** Scans a fetched skill. */
export type Scan = (skill: FetchedSkill) => Promise<ScanResult>

/**
 * Returns what scans the skills of a plan; undefined: there is no scanner.
 * @throws {TypeError} the command has no `{path}`, or depends on a folder that it is not started in
 */
export function scanWith(
  project: string,
  { scan, signal: aborted, onProgress }: WithScan & FetchOptions,
): Scan | undefined {
  if (scan === undefined) return undefined
  checkCommand(scan)
  let count = 0
  return async (skill) => {
    onProgress?.({ kind: 'scanned', count })
    count++
    return scanSkill(skill, project, scan, aborted)
  }
}

function checkCommand({ command: [program = '', ...args] }: ScanOptions): void {
  if (program === '' || !args.some((word) => word.includes(PATH))) {
    const example = "['skillspector', 'scan', '{path}', '--format', 'json']"
    throw new TypeError(`scan: write the scanner's program and its arguments, one of them with {path}: ${example}.`)
  }
  if (/[/\\]/.test(program) && !isAbsolute(program)) {
    throw new TypeError(`scan: name the program ${JSON.stringify(program)} by its absolute path, or as it is on PATH.`)
  }
}

/**
 * Runs the scanner on a copy of a skill's files. It starts in an empty folder, and programs of the project do not count
 * as installed, so that nothing of a repository or of the skill decides what runs.
 * @throws the signal's reason
 */
async function scanSkill(
  skill: FetchedSkill,
  project: string,
  { command, optional = false, timeout = 120_000 }: ScanOptions,
  aborted: AbortSignal | undefined,
): Promise<ScanResult> {
  const root = mkdtempSync(join(realpathSync.native(tmpdir()), 'repertoire-scan-'))
  const [program = '', ...words] = command
  const scanner = basename(program)
  const failed = (reason: string): ScanResult => ({
    scanner,
    verdict: 'failed',
    findings: [],
    reason,
    stops: !optional,
  })
  const limit = AbortSignal.timeout(timeout)
  try {
    const path = join(root, 'skill', skill.name)
    const cwd = join(root, 'empty')
    mkdirSync(cwd)
    writeFiles(path, skill.files)
    const end = await runProgram({
      program,
      args: words.map((word) => word.replaceAll(PATH, path)),
      cwd,
      env: environmentFor(project),
      maxBytes: MAX_REPORT_BYTES,
      signal: aborted === undefined ? limit : AbortSignal.any([aborted, limit]),
    })
    const problem = endProblem(end)
    if (problem !== undefined) return failed(problem)
    const report = readReport(end.stdout, { folder: path, scanner })
    if (typeof report === 'string') return failed(report)
    const verdict = end.code === 1 ? 'refused' : report.verdict
    return { ...report, verdict, stops: verdict === 'refused' }
  } catch (error) {
    aborted?.throwIfAborted()
    return failed(limit.aborted ? `it did not end within ${timeout / 1000} s` : (error as Error).message)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Why the end of a scanner is no answer. */
function endProblem({ code, stderr, isMissing, isTooMuch }: ProgramEnd): string | undefined {
  if (isMissing) return 'there is no such program that may be run. Install it, or correct the command'
  if (isTooMuch) return `it wrote more than ${MAX_REPORT_BYTES} bytes`
  if (code === 0 || code === 1) return undefined
  const said = stderr.trim().slice(-SHOWN_ERROR_CHARS)
  return `it ${code === undefined ? 'was ended' : `ended with code ${code}`}${said && `: ${said}`}`
}

function writeFiles(folder: string, files: FetchedSkill['files']): void {
  for (const [path, { bytes, executable }] of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes, { mode: executable === true ? 0o700 : 0o600 })
  }
}

/** The user's environment; of its PATH, nothing that is relative or in the project, such as `node_modules/.bin`. */
function environmentFor(project: string): Readonly<Record<string, string | undefined>> {
  const root = realPathOf(project)
  const isOutside = (folder: string): boolean => {
    const way = relative(root, realPathOf(folder))
    return isAbsolute(folder) && (isAbsolute(way) || way.split(sep)[0] === '..')
  }
  const entries = Object.entries(process.env).map(([name, value]) =>
    name.toUpperCase() === 'PATH' ? [name, value?.split(delimiter).filter(isOutside).join(delimiter)] : [name, value],
  )
  return Object.fromEntries(entries) as Readonly<Record<string, string | undefined>>
}
