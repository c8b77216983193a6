import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import process from 'node:process'

/** What a process holds, between two tasks. Sizes in bytes. */
export interface Sample {
  /** Seconds since the warm-up ended. */
  readonly at: number
  /** How many tasks it had finished. */
  readonly tasks: number
  /** After forced collections, with what lies outside the heap. */
  readonly heap: number
  readonly rss: number
  /** Open file descriptors. Only Linux tells. */
  readonly descriptors?: number
  /** Child processes, those that have ended and were not waited for included. Only Linux tells. */
  readonly children?: number
  /** Entries in its folder for temporary files. */
  readonly temporary: number
}

/** A soak from its warm-up to its end. */
export interface Soaked {
  /** Before anything was opened. */
  readonly before: Sample
  /** The first is that behind the warm-up. */
  readonly samples: readonly Sample[]
  /** After everything was closed. */
  readonly closed: Sample
  /** How the tasks ended, by their kind. */
  readonly ends: Readonly<Record<string, number>>
  /** Runners that do not work here, each with the reason. */
  readonly absent: Readonly<Record<string, string>>
}

/** How long processes that were killed may take to be gone: a sandbox of the host's own ends them after the abort. */
const ENDING_MS = 5_000

/**
 * Waits until there are no more child processes than were expected, for some seconds, and tells what the process holds.
 * @throws {Error} unless Node runs with `--expose-gc`
 */
export async function takeSample(at: number, tasks: number, expectedChildren = 0): Promise<Sample> {
  const { gc } = globalThis
  if (gc === undefined) throw new Error('Error: run this with --expose-gc.')
  const deadline = performance.now() + ENDING_MS
  while ((countChildren() ?? 0) > expectedChildren && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50))
  // What finished promises and finalizers hold is freed a turn later.
  for (let turn = 0; turn < 6; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    gc()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  const [descriptors, children] = [countDescriptors(), countChildren()]
  return {
    at,
    tasks,
    heap: heapUsed + external,
    rss,
    ...(descriptors !== undefined && { descriptors }),
    ...(children !== undefined && { children }),
    temporary: readdirSync(tmpdir()).length,
  }
}

function countDescriptors(): number | undefined {
  if (process.platform !== 'linux') return undefined
  // The listing has one itself.
  return readdirSync('/proc/self/fd').length - 1
}

function countChildren(): number | undefined {
  if (process.platform !== 'linux') return undefined
  return readdirSync('/proc/self/task').flatMap(childrenOf).length
}

function childrenOf(thread: string): readonly string[] {
  try {
    return readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean)
  } catch {
    // The thread has ended since it was listed.
    return []
  }
}
