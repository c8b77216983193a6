import { spawn } from 'node:child_process'
import process, { kill, platform } from 'node:process'

/** A run of a program. */
export interface ProgramJob {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The complete environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input?: string
  /** The most bytes that it may write. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** How a program ended. */
export interface ProgramEnd {
  /** Undefined: it could not be started, or was ended. */
  readonly code: number | undefined
  readonly stdout: Buffer
  /** The beginning of what it said, for people. */
  readonly stderr: string
  /** Whether it wrote more than it may. It was ended then. */
  readonly isTooMuch: boolean
  /** Whether there is no such program, or none that may be run: a folder of PATH that is closed hides it. */
  readonly isMissing: boolean
}

const MAX_STDERR_CHARS = 4000
const HAS_GROUPS = platform !== 'win32'

/** Runs a program without a shell. Its group of processes is ended with it. @throws the signal's reason */
export async function runProgram(job: ProgramJob): Promise<ProgramEnd> {
  const { program, args, cwd, env, input, maxBytes, signal } = job
  signal.throwIfAborted()
  const child = spawn(program, args, { cwd, env, detached: HAS_GROUPS, windowsHide: true, stdio: 'pipe' })
  const chunks: Buffer[] = []
  let length = 0
  let stderr = ''
  let isTooMuch = false
  let isMissing = false
  const end = (): void => endGroup(child.pid)
  const ended = Promise.withResolvers<number | undefined>()
  const stop = (): void => {
    end()
    // A process that has left the group may hold its output open.
    ended.resolve(undefined)
  }
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length
    isTooMuch ||= length > maxBytes
    if (isTooMuch) end()
    else chunks.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR_CHARS) stderr += chunk.toString()
  })
  // It may have ended before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  signal.addEventListener('abort', stop, { once: true })
  process.once('exit', end)
  child.once('error', (error: NodeJS.ErrnoException) => {
    isMissing = error.code === 'ENOENT' || error.code === 'EACCES'
    ended.resolve(undefined)
  })
  child.once('close', (status) => ended.resolve(status ?? undefined))
  try {
    const code = await ended.promise
    signal.throwIfAborted()
    return { code, stdout: Buffer.concat(chunks), stderr: stderr.slice(0, MAX_STDERR_CHARS), isTooMuch, isMissing }
  } finally {
    signal.removeEventListener('abort', stop)
    process.off('exit', end)
    end()
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    kill(HAS_GROUPS ? -pid : pid, 'SIGKILL')
  } catch {
    // The process group has ended.
  }
}
