import type { Sample, Soaked } from '../soak/sample.ts'
import type { Aim } from '../results.ts'
import { median } from '../statistics.ts'
import { atMost } from './judge.ts'

/** Samples at either end whose median is taken: one alone may have been taken at a bad moment. */
const AT_EITHER_END = 3
/** What compiled code and memories with a bound still gain behind the warm-up. A leak of 1 KB a task shows in minutes. */
const MAX_HEAP_MB = 3
/** What an allocator keeps of the pages of floods and of threads that ran side by side: measured, it goes up and down by that. */
const MAX_RSS_MB = 64

/** What a process holds at the end of a soak beside what it held behind the warm-up, and after everything was closed. */
export function soakAims({ before, samples, closed }: Soaked): Aim[] {
  const first = samples[0]
  const last = samples.at(-1)
  const growth = (pick: (sample: Sample) => number): number =>
    median(samples.slice(-AT_EITHER_END).map(pick)) - median(samples.slice(0, AT_EITHER_END).map(pick))
  return [
    atMost('soak: heap, end over warm-up', MAX_HEAP_MB, growth(({ heap }) => heap) / 1e6, megabytes),
    atMost('soak: resident memory, end over warm-up', MAX_RSS_MB, growth(({ rss }) => rss) / 1e6, megabytes),
    // These are counted: one too many is one that is lost.
    atMost('soak: descriptors, end over warm-up', 0, more(last?.descriptors, first?.descriptors), String),
    atMost('soak: child processes, end over warm-up', 0, more(last?.children, first?.children), String),
    atMost('soak: temporary files, end over warm-up', 0, more(last?.temporary, first?.temporary), String),
    atMost('soak: child processes after closing', 0, closed.children, String),
    atMost('soak: temporary files after closing', 0, closed.temporary, String),
    atMost('soak: descriptors after closing, over the start', 0, more(closed.descriptors, before.descriptors), String),
  ]
}

function megabytes(value: number): string {
  return `${value.toFixed(1)} MB`
}

function more(later: number | undefined, earlier: number | undefined): number | undefined {
  return later === undefined || earlier === undefined ? undefined : later - earlier
}
