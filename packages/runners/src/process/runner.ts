import { delimiter, join } from 'node:path'
import process from 'node:process'
import { type ScriptJob, type ScriptResult, type ScriptRunner, SkillError, type Workspace } from '@repertoire/core'
import { checkOptions, tableOf } from '@repertoire/core/options'
import { WORKSPACE_OPTIONS, openWorkspace } from '../bubblewrap/workspace.ts'
import { environmentOf } from '../script-environment.ts'
import { memoryBounds } from '../limits.ts'
import { createRunner } from '../runner.ts'
import { type JobFolders, copyFiles, removeFolder } from './copy.ts'
import { findProgram, foldersOfPath } from './programs.ts'
import { settle } from './settle.ts'
import { execa } from 'execa'
import { type ContainmentPrograms, contained } from './contained.ts'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** Options of `processRunner`. */
export interface ProcessRunnerOptions {
  /**
   * The folder with the user's files. A process has all rights of the host, so `access`, `protect` and `hide` are not
   * enforced. Default: none is named.
   */
  readonly workspace?: Workspace | undefined
}

/**
 * A runner without a sandbox: a script is a process with the rights of the host. It sees none of the host's environment
 * and is ended with what it started; its files, its network and its neighbours it shares with the host.
 * @throws {TypeError} an option is unknown or has the wrong type
 * @throws {SkillError} SCRIPT_NOT_STARTED: the workspace is not a folder
 */
export function processRunner(options: ProcessRunnerOptions = {}): ScriptRunner {
  checkOptions<ProcessRunnerOptions>('processRunner', { workspace: tableOf(WORKSPACE_OPTIONS) }, options)
  const workspace = options.workspace === undefined ? undefined : openWorkspace(options.workspace).path
  const folders = foldersOfPath(process.env['PATH'])
  const prlimit = process.platform === 'linux' ? findProgram('prlimit') : undefined
  let ready: Promise<readonly [Wrap | undefined, WatchedFolder]> | undefined

  async function prepare({
    files,
  }: ScriptJob): Promise<{ readonly wrap: Wrap | undefined; readonly copy: JobFolders }> {
    try {
      const [wrap, base] = await (ready ??= Promise.all([findWrap(), createWatchedFolder()]))
      return { wrap, copy: await copyFiles(base.path, files) }
    } catch (cause) {
      // The folder may have been cleaned away; the next job gets another one.
      ready = undefined
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new SkillError('SCRIPT_NOT_STARTED', `The files of the skill could not be copied: ${reason}.`, { cause })
    }
  }

  async function start(job: ScriptJob): Promise<ScriptResult> {
    const program = findProgram(job.interpreter, folders)
    if (program === undefined) throw new SkillError('SCRIPT_NOT_STARTED', missing(job.interpreter))
    const { wrap, copy } = await prepare(job)
    try {
      const bounds =
        prlimit === undefined
          ? []
          : [prlimit, `--fsize=${job.limits.maxFileBytes}`, '--core=0', ...memoryBounds(job.limits), '--']
      const command = [...bounds, program, ...job.interpreterArgs, `${copy.skill}/${job.script}`, ...job.args]
      const [file = program, ...args] = wrap?.(command) ?? command
      const environment = environmentOf(job, { ...copy, workspace }, folders.join(delimiter))
      const settled = await settle({ file, args, folder: copy.skill, environment }, job)
      const { killed, exitCode, signalName, stdout, stderr, dropped, durationMs } = settled
      const written = { stdout, stderr, dropped, durationMs }
      if (killed !== undefined) return { ...written, end: killed }
      return { ...written, end: signalName === undefined ? 'exited' : 'signalled', exitCode, signalName }
    } finally {
      await copy.remove()
    }
  }

  return createRunner({
    name: 'process',
    isolation: {
      name: 'none',
      isolated: false,
      notes: [
        'A script has all rights of the host: its files, its network, its other processes.',
        'The number of processes is not limited, nor is the size of all its files together.',
        'Where the system has no process namespaces, a process that leaves its group is not ended.',
      ],
    },
    supports: (interpreter) => findProgram(interpreter, folders) !== undefined || missing(interpreter),
    start,
    async dispose() {
      await (await ready)?.[1].remove()
    },
  })
}

function missing(interpreter: string): string {
  return `There is no "${interpreter}" in the folders of PATH.`
}

/** Wraps a command so that all that it starts ends with it. */
type Wrap = (command: readonly string[]) => readonly [string, ...string[]]

/** A namespace's first process gets no signal that it does not handle: so it is a shell that waits for the script. */
const FIRST = '"$@"; exit "$?"'
const PROBE_MS = 5_000
/** Root needs no user namespace, and in one it would not be root any more. */
const VARIANTS = [['--mount-proc'], ['--user', '--map-current-user', '--mount-proc']]

/** What ends every process that a command starts, if this system has it. It is tried, not looked for. */
async function findWrap(): Promise<Wrap | undefined> {
  if (process.platform !== 'linux') return undefined
  const [setpriv, sh, unshare] = ['setpriv', 'sh', 'unshare'].map((name) => findProgram(name))
  if (setpriv === undefined || sh === undefined || unshare === undefined) return undefined
  const programs: ContainmentPrograms = { setpriv, sh, unshare }
  for (const options of VARIANTS) {
    const wrap: Wrap = (command) => contained(programs, { unshare: options }, [sh, '-c', FIRST, 'sh', ...command])
    const [file, ...args] = wrap([sh, '-c', ':'])
    const { exitCode } = await execa(file, args, { reject: false, timeout: PROBE_MS, stdio: 'ignore' })
    if (exitCode === 0) return wrap
  }
  return undefined
}

/** Waits until its input ends, which it also does when the host is killed, and removes the folder. */
const SCRIPT = 'while read -r _; do :; done; chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1"'

/** A temporary folder that goes away with the process, however that ends. */
interface WatchedFolder {
  readonly path: string
  remove(): Promise<void>
}

async function createWatchedFolder(): Promise<WatchedFolder> {
  const path = await mkdtemp(join(tmpdir(), 'repertoire-run-'))
  if (process.platform === 'win32') return { path, remove: () => removeFolder(path) }
  const watcher = execa('/bin/sh', ['-c', SCRIPT, 'sh', path], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    extendEnv: false,
    reject: false,
    // A signal to the host's group must not end what cleans up after it.
    detached: true,
    cleanup: false,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // It must not keep the host running.
  watcher.nodeChildProcess.unref()
  const { stdin } = watcher
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return {
    path,
    async remove() {
      await removeFolder(path)
      // Now it must: a host that has nothing else to do would end before this returns.
      watcher.nodeChildProcess.ref()
      stdin.end()
      await watcher
    },
  }
}
