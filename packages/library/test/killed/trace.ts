import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { build } from 'rolldown'
import { BEGIN, END } from './writes.ts'

/** One system call of a write: the so-manieth of its name that the process makes. */
export interface TracedCall {
  readonly call: string
  readonly number: number
  /** Whether it changes what is on the disk, or who has the lock. */
  readonly changes: boolean
}

/** A process that does one write. */
interface Writer {
  /** As `bundleWriter` returns it. */
  readonly program: string
  readonly kind: string
  readonly root: string
}

/** What happens instead of a call. */
export type CallFault = 'SIGKILL' | 'ENOSPC' | 'EIO'

const FILE_CALLS =
  'access,open,openat,read,pread64,write,pwrite64,stat,fstat,lstat,newfstatat,statx,readlink,readlinkat,getdents64,lseek,fcntl,fsync,fdatasync,ftruncate,fchmod,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,close'
const CHANGES =
  /^(?:write|pwrite64|fsync|fdatasync|ftruncate|fchmod|rename|renameat2?|unlink|unlinkat|mkdir|mkdirat|rmdir|fcntl|close)\(|O_CREAT/

/** Bundles the program that writes into one file: it starts hundreds of times, and a file loads ten times as fast. */
export async function bundleWriter(folder: string): Promise<string> {
  const file = join(folder, 'writer.mjs')
  await build({
    input: join(import.meta.dirname, 'writer.ts'),
    platform: 'node',
    resolve: { conditionNames: ['@repertoire/source', 'import', 'node'] },
    output: { file, format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  })
  return file
}

function startTraced(options: readonly string[], { program, kind, root }: Writer) {
  // Only the main thread, which makes every call of a write: `-f` would count those of the others too.
  return spawn('strace', [...options, process.execPath, program, kind, root], { stdio: ['ignore', 'pipe', 'ignore'] })
}

/** Does a write, and returns its calls in their order. @param log a file to write them to */
export async function traceCalls(writer: Writer, log: string): Promise<readonly TracedCall[]> {
  const child = startTraced(['-o', log, '-e', `trace=${FILE_CALLS}`], writer)
  const [outcome] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (outcome !== 'done') throw new Error(`The write "${writer.kind}" alone is "${outcome}".`)
  const counts = new Map<string, number>()
  const calls: TracedCall[] = []
  let isInside = false
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const call = /^(\w+)\(/.exec(line)?.[1]
    if (call === undefined) continue
    const number = (counts.get(call) ?? 0) + 1
    counts.set(call, number)
    if (line.includes(END)) isInside = false
    if (isInside) calls.push({ call, number, changes: CHANGES.test(line) })
    if (line.includes(BEGIN)) isInside = true
  }
  return calls
}

/**
 * Does a write in which one call is the process's last, or fails.
 * @returns what the writer says of it, empty if it was killed; and what `read` has returned while it ran
 */
export async function withFault(
  writer: Writer,
  { call, number }: TracedCall,
  fault: CallFault,
  read: () => Promise<string>,
): Promise<{ readonly outcome: string; readonly seen: ReadonlySet<string> }> {
  const what = fault === 'SIGKILL' ? 'signal=SIGKILL' : `error=${fault}`
  const inject = ['-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${call}:${what}:when=${number}`]
  const child = startTraced(inject, writer)
  const progress = { isDone: false }
  const ended = Promise.all([text(child.stdout), once(child, 'exit')]).finally(() => (progress.isDone = true))
  const seen = new Set<string>()
  while (!progress.isDone) {
    seen.add(await read())
    await new Promise((resolve) => setImmediate(resolve))
  }
  const [outcome] = await ended
  return { outcome, seen }
}
