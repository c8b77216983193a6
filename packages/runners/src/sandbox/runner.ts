import { randomUUID } from 'node:crypto'
import { type ScriptJob, type ScriptResult, type ScriptRunner, SkillError, type Workspace } from '@repertoire/core'
import {
  checkOptions,
  flag,
  functionOf,
  listOf,
  type OptionTable,
  required,
  tableOf,
  text as textKind,
  withDefault,
} from '@repertoire/core/options'
import { WORKSPACE_OPTIONS } from '../bubblewrap/workspace.ts'
import { cutOutput } from '../output.ts'
import { createRunner, emptyResult } from '../runner.ts'
import { commandLine, readReport, remoteFolders, remoteScript } from './remote-script.ts'

/** How long a sandbox is waited for beyond the limit of a job's time: its own clock ends the script. */
const GRACE_MS = 3_000
/** How long cleaning up may take. What takes longer is left to the sandbox. */
const CLEANING_MS = 5_000

const MAX_QUOTED_CHARACTERS = 200

/** A file to write in the sandbox. */
export interface SandboxFile {
  /** Absolute. Its folder is there. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** How long a command of the sandbox may take. */
export interface SandboxCall {
  /** A little more than the script itself may take. */
  readonly timeoutMs: number
  /** Aborts when the answer is not needed any more. */
  readonly signal: AbortSignal
}

/** A sandbox of the host's own. */
export interface SandboxOptions {
  /** Shown to people and in the audit: `E2B`. */
  readonly name: string
  /** Writes files into the sandbox. */
  readonly write: (files: readonly SandboxFile[]) => Promise<unknown>
  /**
   * Runs a command line with a POSIX shell in the sandbox, and returns what it wrote to its standard output. The line
   * ends with exit code 0, whatever the script did.
   */
  readonly exec: (line: string, call: SandboxCall) => Promise<string>
  /** Whether it keeps scripts from the host's files, processes and network. Default true. */
  readonly isolated?: boolean | undefined
  /** What people should know of it, in sentences. Default: that the network is for the sandbox to forbid. */
  readonly notes?: readonly string[] | undefined
  /** A folder in the sandbox for jobs, each of which gets its own there and removes it. Default `/tmp`. */
  readonly folder?: string | undefined
  /**
   * The folder in the sandbox that holds the user's files. The host puts them there, and the sandbox has to enforce
   * `access`, `protect` and `hide`. Default: none is named.
   */
  readonly workspace?: Workspace | undefined
}

export const SANDBOX_OPTIONS: OptionTable<SandboxOptions> = {
  name: required(textKind),
  write: required(functionOf('a function that writes files into the sandbox')),
  exec: required(functionOf('a function that runs a command line in the sandbox')),
  isolated: withDefault(true, flag),
  notes: listOf(textKind, 'a list of sentences'),
  folder: withDefault('/tmp', textKind),
  workspace: tableOf(WORKSPACE_OPTIONS),
}

/**
 * The bridge to a sandbox of another kind: files go as bytes, arguments are quoted once, output comes back as bytes.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function sandboxRunner(options: SandboxOptions): ScriptRunner {
  checkOptions('sandboxRunner', SANDBOX_OPTIONS, options)
  const { name, isolated = true, workspace } = options
  if (workspace !== undefined && !/^\/[^\0]*$/.test(workspace.path))
    throw new TypeError('sandboxRunner: `workspace.path` is not an absolute path in the sandbox.')
  return createRunner({
    name,
    isolation: {
      name,
      isolated,
      notes: options.notes ?? ['Whether scripts reach the network is for the sandbox to say.'],
    },
    // Not known before a script needs one.
    supports: () => true,
    start: (job) => start(options, job),
  })
}

async function start(options: SandboxOptions, job: ScriptJob): Promise<ScriptResult> {
  const { name, folder = '/tmp' } = options
  const startedAt = performance.now()
  const at = remoteFolders(`${folder}/repertoire-${randomUUID()}`)
  const timeoutMs = job.limits.timeout + GRACE_MS
  const deadline = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([job.signal, deadline])
  const call: SandboxCall = { timeoutMs, signal }
  let isDone = false
  try {
    const files = filesOf(job, at, options.workspace?.path)
    const folders = [...new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf('/'))))]
    const make = `umask 077; ${commandLine(['mkdir', '-p', at.temporary, ...folders])}`
    await untilAborted(signal, options.exec(make, call))
    await untilAborted(signal, options.write(files))
    const text = await untilAborted(signal, options.exec(commandLine(['sh', at.run]), call))
    const report = readReport(text)
    if (report === undefined)
      throw new Error(`a POSIX shell would have returned the report of the script, and it returned ${quoted(text)}`)
    isDone = true
    const durationMs = Math.round(performance.now() - startedAt)
    if (report.missing === 'workspace')
      throw new SkillError(
        'SCRIPT_NOT_STARTED',
        `The sandbox "${name}" has no folder "${options.workspace?.path}", which is named as its workspace.`,
      )
    if (report.missing) throw new SkillError('SCRIPT_NOT_STARTED', `The sandbox "${name}" has no "${job.interpreter}".`)
    const { stdout, stderr, dropped, exitCode, timedOut } = report
    const result = { ...cutOutput(stdout, stderr, job.limits.maxOutputBytes, dropped), durationMs }
    return timedOut ? { end: 'timed-out', ...result } : { end: 'exited', exitCode, ...result }
  } catch (cause) {
    if (signal.aborted)
      return emptyResult(job.signal.aborted ? 'aborted' : 'timed-out', Math.round(performance.now() - startedAt))
    if (cause instanceof SkillError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SkillError('SCRIPT_NOT_STARTED', `The sandbox "${name}" failed: ${reason}.`, { cause })
  } finally {
    if (!isDone) await clean(options, at)
  }
}

/** What is promised. @throws the signal's reason, without waiting for the promise */
async function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

type Folders = ReturnType<typeof remoteFolders>

/** Ends what still runs in the sandbox and removes the job's folder, if the sandbox answers. */
async function clean({ exec }: SandboxOptions, { root, pid }: Folders): Promise<void> {
  const signal = AbortSignal.timeout(CLEANING_MS)
  const [quotedRoot, quotedPid] = [commandLine([root]), commandLine([pid])]
  const line = `kill -KILL -"$(cat ${quotedPid})" 2>/dev/null; chmod -R u+rwX ${quotedRoot}; rm -rf ${quotedRoot}; true`
  await untilAborted(signal, exec(line, { timeoutMs: CLEANING_MS, signal })).catch(() => undefined)
}

function filesOf(job: ScriptJob, at: Folders, workspace: string | undefined): readonly SandboxFile[] {
  return [
    ...job.files.map(({ path, bytes }) => ({ path: `${at.skill}/${path}`, bytes })),
    ...(job.stdin === undefined ? [] : [{ path: at.stdin, bytes: job.stdin }]),
    { path: at.run, bytes: new TextEncoder().encode(remoteScript(job, at, workspace)) },
  ]
}

function quoted(text: string): string {
  return text.trim() === '' ? 'nothing' : JSON.stringify(text.slice(0, MAX_QUOTED_CHARACTERS))
}
