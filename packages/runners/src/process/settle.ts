import process from 'node:process'
import { execa } from 'execa'
import { type ScriptEnd, type ScriptJob, SkillError } from '@repertoire/core'
import { replaceInherited } from '@repertoire/core/node'
import { collectOutput, type Output } from '../output.ts'

/** How long the streams of an ended process are read: a process that escaped may hold them open for ever. */
const GRACE_MS = 500
/** How long a killed process is waited for: one that another user owns by now cannot be killed. */
const UNKILLABLE_MS = 2_000

/** A program to start, and how everything that it starts is ended. */
export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Read by the program from descriptor 3. */
  readonly archive?: Uint8Array
}

/** How it ended, and what it wrote. */
export interface Settled extends Output {
  /** Why it was killed. Absent: it was not. */
  readonly killed?: Extract<ScriptEnd, 'timed-out' | 'aborted'>
  readonly exitCode?: number
  readonly signalName?: string
  /** What it wrote to descriptor 4, with `archive`. */
  readonly status: string
  readonly durationMs: number
}

/**
 * Runs a program to its end, or to the limit of the job's time or its signal, and never waits longer than that for
 * streams that others hold.
 * @throws {SkillError} SCRIPT_NOT_STARTED
 */
export async function settle(
  program: Program,
  { stdin, limits, signal }: Pick<ScriptJob, 'stdin' | 'limits' | 'signal'>,
): Promise<Settled> {
  const { file, args, folder, environment, archive } = program
  const startedAt = performance.now()
  const replaced = replaceInherited(archive === undefined ? 2 : 4)
  const child = execa(file, args, {
    cwd: folder,
    env: environment,
    extendEnv: false,
    buffer: false,
    encoding: 'buffer',
    reject: false,
    // The leader of a group, which is ended as a whole: so nothing it forks meanwhile survives.
    detached: process.platform !== 'win32',
    cleanup: true,
    forceKillAfterDelay: false,
    stdio: [
      stdin ?? 'ignore',
      'pipe',
      'pipe',
      ...(archive === undefined ? [] : [archive, 'pipe' as const]),
      ...replaced.stdio,
    ],
  })
  replaced.close()
  const { nodeChildProcess } = child

  const output = collectOutput(limits.maxOutputBytes)
  let status = ''
  const streams = [child.stdout, child.stderr, archive === undefined ? null : child.stdio[4]]
  child.stdout?.on('data', (bytes: Uint8Array) => output.add('stdout', bytes))
  child.stderr?.on('data', (bytes: Uint8Array) => output.add('stderr', bytes))
  if (archive !== undefined)
    child.stdio[4]?.on('data', (bytes: Uint8Array) => (status += Buffer.from(bytes).toString()))

  let killed: Settled['killed']
  const unkillable = Promise.withResolvers<undefined>()
  const timers: NodeJS.Timeout[] = []
  const kill = (): void => {
    if (child.pid === undefined) return
    if (!killGroup(child.pid)) child.kill('SIGKILL')
  }
  const end = (reason: NonNullable<Settled['killed']>): void => {
    if (killed !== undefined || nodeChildProcess.exitCode !== null || nodeChildProcess.signalCode !== null) return
    killed = reason
    kill()
    timers.push(setTimeout(() => unkillable.resolve(undefined), UNKILLABLE_MS))
  }
  const abort = (): void => end('aborted')
  timers.push(setTimeout(() => end('timed-out'), limits.timeout))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  nodeChildProcess.once('exit', () => {
    // What the program left behind in its group.
    kill()
    timers.push(setTimeout(() => streams.forEach((stream) => stream?.destroy()), GRACE_MS))
  })

  try {
    const result = await Promise.race([child, unkillable.promise])
    if (result === undefined) {
      for (const stream of streams) stream?.destroy()
      nodeChildProcess.unref()
    } else if (result.exitCode === undefined && result.signal === undefined)
      throw new SkillError(
        'SCRIPT_NOT_STARTED',
        `"${file}" could not be started: ${result.originalMessage ?? 'no reason'}.`,
        {
          cause: result,
        },
      )
    return {
      ...output.finish(),
      killed,
      exitCode: result?.exitCode,
      signalName: result?.signal,
      status,
      durationMs: Math.round(performance.now() - startedAt),
    }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** Returns false if the group does not exist. */
function killGroup(leader: number): boolean {
  try {
    return process.kill(-leader, 'SIGKILL')
  } catch {
    return false
  }
}
