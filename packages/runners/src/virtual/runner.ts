import { Buffer } from 'node:buffer'
import type { ScriptJob, ScriptResult, ScriptRunner, Workspace } from '@repertoire/core'
import { checkOptions, tableOf } from '@repertoire/core/options'
import { WORKSPACE_OPTIONS, openWorkspace, protectedPaths, refuseLinks } from '../bubblewrap/workspace.ts'
import { cutOutput } from '../output.ts'
import { createRunner } from '../runner.ts'
import type { ShellJob } from './shell.ts'
import { openThreads, type Threads } from './threads.ts'

/** How long a thread may take to start, and to notice that its time is over, before it is ended. */
const GRACE_MS = 1_000

/** The command of the virtual shell that replaces an interpreter. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ['sh', 'bash'],
  ['bash', 'bash'],
  ['python', 'python3'],
  ['python3', 'python3'],
  ['node', 'js-exec'],
])

/** Options of `virtualRunner`. */
export interface VirtualRunnerOptions {
  /**
   * The folder with the user's files. Scripts read it as it is, through no link, and what they write there is in memory
   * and gone with the script. So `access` and `protect` change nothing here. Default: scripts see none.
   */
  readonly workspace?: Workspace | undefined
}

/**
 * A runner in a thread of this process: a shell written in TypeScript, with Python and JavaScript in WebAssembly, over
 * files in memory. A script sees no file (but those of a workspace), process, variable or network of the host's, and
 * uses none of its programs. It needs the package `just-bash`.
 * @throws {TypeError} an option is unknown or has the wrong type
 * @throws {SkillError} SCRIPT_NOT_STARTED: the workspace is not a folder
 */
export function virtualRunner(options: VirtualRunnerOptions = {}): ScriptRunner {
  checkOptions<VirtualRunnerOptions>('virtualRunner', { workspace: tableOf(WORKSPACE_OPTIONS) }, options)
  const workspace =
    options.workspace === undefined
      ? undefined
      : openWorkspace({ path: options.workspace.path, hide: options.workspace.hide ?? [] })
  const threads = openThreads()
  return createRunner({
    name: 'virtual',
    isolation: {
      name: 'virtual shell',
      isolated: true,
      notes: [
        'It has the common commands and none of the programs of a system: no git, curl, pip or npm, no trap, mktemp or kill, no network.',
        'Python has its standard library without processes, threads, TLS and SQLite, and imports no module of the skill.',
        'It runs in a thread of the host: memory is not limited for Python, and what a script had written is lost when its time is over.',
        ...(workspace === undefined
          ? []
          : ['It reads the files of the workspace; what it writes there is in memory, and gone with the script.']),
      ],
    },
    supports,
    start: (job) => start(threads, job, workspace),
    dispose: () => threads.close(),
  })
}

function supports(interpreter: string, args: readonly string[] = []): true | string {
  if (!COMMANDS.has(interpreter))
    return `The virtual shell has no "${interpreter}": it runs ${[...COMMANDS.keys()].join(', ')}.`
  if (args.length > 0)
    return `The virtual shell takes no arguments for "${interpreter}" itself: ${args.join(' ')}. Remove them from the first line of the script.`
  return true
}

async function start(threads: Threads, job: ScriptJob, workspace: Workspace | undefined): Promise<ScriptResult> {
  const command = COMMANDS.get(job.interpreter) ?? job.interpreter
  const { args, script, files, stdin, environment, limits } = job
  const shellJob: ShellJob = {
    command,
    args: [script, ...args],
    files,
    stdin,
    environment,
    limits,
    workspace: shownOf(workspace),
  }
  const startedAt = performance.now()
  const ended = AbortSignal.any([job.signal, AbortSignal.timeout(limits.timeout + GRACE_MS)])
  const result = await threads.run(shellJob, ended)
  const durationMs = result?.durationMs ?? Math.round(performance.now() - startedAt)
  const { maxOutputBytes } = limits
  const isOver = durationMs >= limits.timeout
  const killed = job.signal.aborted || isOver || result === undefined
  const stdout = result === undefined ? new Uint8Array() : bytesOf(result.stdout, result.stdoutKind === 'bytes')
  const stderr = result === undefined || killed ? '' : result.stderr
  const output = cutOutput(stdout, Buffer.from(stderr), maxOutputBytes)
  if (job.signal.aborted && !isOver) return { end: 'aborted', ...output, durationMs }
  if (killed) return { end: 'timed-out', ...output, durationMs }
  return { end: 'exited', exitCode: result.exitCode, ...output, durationMs }
}

/** As plain data, for a thread. @throws {SkillError} SCRIPT_NOT_STARTED: something cannot be hidden */
function shownOf(workspace: Workspace | undefined): ShellJob['workspace'] {
  if (workspace === undefined) return undefined
  refuseLinks(workspace)
  return { path: workspace.path, hidden: protectedPaths(workspace).map(({ path }) => path) }
}

/** The shell gives text, or bytes as one character each. */
function bytesOf(output: string, isBinary: boolean): Uint8Array {
  return Buffer.from(output, isBinary ? 'latin1' : 'utf8')
}
