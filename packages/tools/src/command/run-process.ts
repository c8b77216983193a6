import type { ChildProcess } from 'node:child_process'
import process, { kill, platform } from 'node:process'
import type { Readable } from 'node:stream'
import { execa } from 'execa'
import { replaceInherited } from '@repertoire/core/node'
import { startDeadline } from '../deadline.ts'
import { ToolFailure } from '../result.ts'

/** How a program ended, and what it has written, up to a number of bytes of both streams together. */
export interface ProcessEnd {
  /** The process's exit code. Absent: a signal has ended it. */
  readonly exitCode?: number
  readonly signalName?: string
  readonly stdout: string
  readonly stderr: string
  /** Whether output was dropped. */
  readonly truncated: boolean
  readonly isTimedOut: boolean
}

/** How long the streams of a program that has ended may stay open: something that it started still holds them. */
const GRACE_MS = 250

const HAS_GROUPS = platform !== 'win32'

/**
 * Runs a program to its end, without a shell. It leads a group of processes, which is ended with it: at the limit, at
 * the signal, and when the program has ended. A process that has left the group (`setsid`) escapes that.
 * @throws {ToolFailure} FAILED, TOO_LARGE: it could not be started
 * @throws the signal's reason
 */
export async function runProcess(job: {
  /** Absolute. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal: AbortSignal | undefined
}): Promise<ProcessEnd> {
  const { file, args, cwd, env, signal } = job
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
    const { originalMessage = 'the system refused it' } = await child
    const isLong = originalMessage.includes('E2BIG')
    throw new ToolFailure(
      isLong ? 'TOO_LARGE' : 'FAILED',
      `${file} could not be started: ${originalMessage}.${isLong ? ' Write long arguments to a file, and pass its path.' : ''}`,
    )
  }
  // It ends in a rejection only where it could not be started.
  void child.catch(() => {})
  const output = collectOutput(child, job.maxBytes)
  const deadline = startDeadline(job.timeoutMs, signal)
  endWithThisProcess(pid)
  try {
    const exited = exitOf(child.nodeChildProcess)
    await deadline.within(exited)
    endGroup(pid)
    const how = await exited
    await output.settled()
    signal?.throwIfAborted()
    return { ...how, ...output.read(), isTimedOut: deadline.isOver() }
  } finally {
    deadline.stop()
    running.delete(pid)
  }
}

function exitOf(child: ChildProcess): Promise<Pick<ProcessEnd, 'exitCode' | 'signalName'>> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signalName) =>
      resolve({ ...(exitCode !== null && { exitCode }), ...(signalName !== null && { signalName }) }),
    )
  })
}

function endGroup(pid: number): void {
  try {
    kill(HAS_GROUPS ? -pid : pid, 'SIGKILL')
  } catch {
    // The process group has ended.
  }
}

/** The groups that run. */
const running = new Set<number>()
let isWatched = false

/** Ends a group with this process, as far as it still gets to do something. */
function endWithThisProcess(pid: number): void {
  running.add(pid)
  if (!isWatched) process.once('exit', () => running.forEach(endGroup))
  isWatched = true
}

/** Reads both streams. What is over the limit is read too, and dropped, so that the program can go on. */
function collectOutput(
  { stdout, stderr }: { readonly stdout: Readable; readonly stderr: Readable },
  maxBytes: number,
): { readonly read: () => Pick<ProcessEnd, 'stdout' | 'stderr' | 'truncated'>; readonly settled: () => Promise<void> } {
  let left = maxBytes
  let truncated = false
  const collect = (stream: Readable): Buffer[] => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => {
      if (left > 0) chunks.push(chunk.subarray(0, left))
      truncated ||= chunk.length > left
      left -= Math.min(chunk.length, left)
    })
    // A stream that breaks off has ended.
    stream.on('error', () => {})
    return chunks
  }
  const chunks = [collect(stdout), collect(stderr)] as const
  const closed = Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.once('close', resolve))))
  return {
    /** Waits until the streams are closed, and closes them if a process outside of the group still holds them. */
    async settled() {
      const timer = setTimeout(() => [stdout, stderr].forEach((stream) => stream.destroy()), GRACE_MS)
      await closed
      clearTimeout(timer)
    },
    read: () => ({ stdout: asText(chunks[0], truncated), stderr: asText(chunks[1], truncated), truncated }),
  }
}

/** A character that the limit has cut in two is left out. */
function asText(chunks: readonly Buffer[], isCut: boolean): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks), { stream: isCut })
}
