import process, { kill, platform } from 'node:process'
import { execa } from 'execa'
import { replaceInherited } from '@repertoire/core/node'
import { ToolFailure } from '../result.ts'
import type { Readable } from 'node:stream'

/** A program to run. */
interface ProcessJob {
  /** Absolute. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal: AbortSignal | undefined
}

/** How a program ended. */
export interface ProcessEnd extends Output {
  /** The process's exit code. Absent: a signal has ended it. */
  readonly exitCode?: number
  readonly signalName?: string
  readonly isTimedOut: boolean
}

/** How long the streams of a program that has ended may stay open: something that it started still holds them. */
const GRACE_MS = 250

const HAS_GROUPS = platform !== 'win32'

/** The groups that run. They end with this process, as far as it still gets to do something. */
const running = new Set<number>()

/**
 * Runs a program to its end, without a shell. It leads a process group of its own, which is ended with it: at the limit,
 * at the signal, and when the program itself has ended. A process that has left the group (`setsid`) escapes that.
 * @throws {ToolFailure} FAILED it could not be started
 * @throws the signal's reason
 */
export async function runProcess(job: ProcessJob): Promise<ProcessEnd> {
  const { file, args, cwd, env, timeoutMs, maxBytes, signal } = job
  const replaced = replaceInherited(2)
  const child = execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    stdio: ['ignore', 'pipe', 'pipe', ...replaced.stdio],
    // What execa keeps is counted in characters, and it waits for whoever holds the streams: both are done here.
    buffer: false,
    reject: false,
    cleanup: false,
    detached: HAS_GROUPS,
    windowsHide: true,
  })
  replaced.close()
  const { pid } = child
  if (pid === undefined) {
    const { originalMessage } = await child
    throw new ToolFailure('FAILED', `${file} could not be started: ${originalMessage ?? 'the system refused it'}.`)
  }
  // It ends in a rejection only where it could not be started.
  void child.catch(() => {})
  const output = collectOutput({ stdout: child.stdout, stderr: child.stderr }, maxBytes)
  let isTimedOut = false
  const end = (): void => endGroup(pid)
  const timer = setTimeout(() => {
    isTimedOut = true
    end()
  }, timeoutMs)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted === true) end()
  remember(pid)
  try {
    const [exitCode, signalName] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      child.nodeChildProcess.once('exit', (...how) => resolve(how))
    })
    end()
    await settled(output)
    signal?.throwIfAborted()
    return {
      ...output.read(),
      ...(exitCode !== null && { exitCode }),
      ...(signalName !== null && { signalName }),
      isTimedOut,
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    forget(pid)
  }
}

/** Waits until the streams are closed, and closes them where somebody outside of the group still holds them. */
async function settled({ ended, stop }: Pick<ReturnType<typeof collectOutput>, 'ended' | 'stop'>): Promise<void> {
  const timer = setTimeout(stop, GRACE_MS)
  await ended
  clearTimeout(timer)
}

function endGroup(pid: number): void {
  try {
    kill(HAS_GROUPS ? -pid : pid, 'SIGKILL')
  } catch {
    // The process group has ended.
  }
}

function remember(pid: number): void {
  if (running.size === 0) process.once('exit', endAll)
  running.add(pid)
}

function forget(pid: number): void {
  running.delete(pid)
  if (running.size === 0) process.off('exit', endAll)
}

function endAll(): void {
  for (const pid of running) endGroup(pid)
}

/** What a program has written, up to a number of bytes of both streams together. */
interface Output {
  readonly stdout: string
  readonly stderr: string
  /** How many bytes were dropped. 0: none. */
  readonly droppedBytes: number
}

/** Reads both streams. What is over the limit is read too, and dropped, so that the program can go on. */
function collectOutput(
  streams: Readonly<Record<'stdout' | 'stderr', Readable>>,
  maxBytes: number,
): { readonly ended: Promise<unknown>; readonly read: () => Output; readonly stop: () => void } {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  let left = maxBytes
  let droppedBytes = 0
  const both = Object.entries(streams) as ['stdout' | 'stderr', Readable][]
  for (const [name, stream] of both) {
    stream.on('data', (chunk: Buffer) => {
      const kept = chunk.subarray(0, left)
      if (kept.length > 0) chunks[name].push(kept)
      left -= kept.length
      droppedBytes += chunk.length - kept.length
    })
    // A stream that breaks off has ended.
    stream.on('error', () => {})
  }
  return {
    ended: Promise.all(both.map(([, stream]) => new Promise((resolve) => stream.once('close', resolve)))),
    stop: () => both.forEach(([, stream]) => stream.destroy()),
    read: () => ({
      stdout: asText(chunks.stdout, droppedBytes),
      stderr: asText(chunks.stderr, droppedBytes),
      droppedBytes,
    }),
  }
}

/** A character that the limit has cut in two is left out. */
function asText(chunks: readonly Buffer[], droppedBytes: number): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks), { stream: droppedBytes > 0 })
}
