import { embedLogs } from './export.ts'
import { compareRuns } from './model/compare.ts'
import { callDetail, stepDetail } from './model/detail.ts'
import { createLog, type Log } from './model/log.ts'
import { overviewOf, type Overview } from './model/overview.ts'
import type { Run } from './model/run.ts'
import { search } from './model/search.ts'
import { type RowPlace, rowOf } from './model/timeline.ts'
import { skillsOf } from './model/skills.ts'
import type { WhatIfSettings } from './model/what-if-settings.ts'
import { activeSkills, whatIf } from './model/what-if.ts'
import { windowOf } from './model/window.ts'
import { readEmbedded, readFollowed, readServed } from './sources.ts'

const log: Log = createLog()

/** How often the page gets the events of a running agent, and the progress of reading, in milliseconds. */
const TELL_LIVE_MS = 250
const TELL_READING_MS = 1_000
/** How much of what agents do is read, in characters, before the page begins anew with what the command keeps. */
const MAX_FOLLOWED_CHARS = 32 * 1024 * 1024
let lastTold = -Infinity
let telling: ReturnType<typeof setTimeout> | undefined

function addText(name: string, text: string, end: boolean, every = TELL_READING_MS): void {
  log.addText(name, text, end)
  if (end || performance.now() - lastTold >= every) tell()
  else telling ??= setTimeout(tell, every)
}

function tell(): void {
  clearTimeout(telling)
  telling = undefined
  lastTold = performance.now()
  post({ overview: overviewOf(log) })
}

function runOf(id: string): Run {
  const run = log.runs.get(id)
  if (run === undefined) throw new Error('There is no such run in this log.')
  return run
}

/** The answers to what the page asks. */
const answers = {
  embedded: (name: string, data: string) => readEmbedded(data, (text, end) => addText(name, text, end)),
  text: async (name: string, text: string) => addText(name, text, true),
  served: (name: string, url: string, key: string) => readServed(url, key, (text, end) => addText(name, text, end)),
  followed: (name: string, url: string, key: string) => {
    let chars = 0
    const take = (text: string): void => {
      addText(name, text, false, TELL_LIVE_MS)
      chars += text.length
      if (chars > MAX_FOLLOWED_CHARS) post({ isFull: true })
    }
    return readFollowed(url, key, take, post)
  },
  rows: async (run: string, query: string) => search(runOf(run), query),
  found: async (query: string) =>
    [...log.runs.values()].map((run) => [run.id, search(run, query).kind.length] as const),
  rowsAt: async (run: string, places: readonly RowPlace[]) => places.map((place) => rowOf(runOf(run), place)),
  skills: async (run: string) => skillsOf(runOf(run)),
  window: async (run: string) => windowOf(runOf(run)),
  step: async (run: string, place: number) => stepDetail(runOf(run), place),
  call: async (run: string, index: number) => callDetail(runOf(run), index),
  callId: async (run: string, index: number) => runOf(run).calls[index]?.id,
  callAt: async (run: string, place: number, id: string) =>
    runOf(run).steps[place]?.calls.find((call) => call.id === id)?.index,
  compare: async (runs: readonly string[]) => compareRuns(runs.map(runOf)),
  activeSkills: async (run: string) => activeSkills(runOf(run)),
  whatIf: (run: string, settings: WhatIfSettings) => whatIf(runOf(run), settings),
  export: async () => embedLogs(log),
}

/** The questions that a page may ask, and their answers. */
export type Answers = typeof answers

/** What the worker says without being asked. */
export type Told =
  | { readonly overview: Overview }
  | { readonly live: boolean; readonly missed: number }
  | { readonly isFull: true }

/** A question of the page. */
export interface Asked {
  readonly id: number
  readonly what: keyof Answers
  readonly args: readonly unknown[]
}

/** An answer of the worker. */
export type Answered = { readonly id: number } & ({ readonly value: unknown } | { readonly problem: string })

function post(message: Told | Answered): void {
  // A worker's messages have no origin to name.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  self.postMessage(message)
}

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  void answer(data)
})

async function answer({ id, what, args }: Asked): Promise<void> {
  try {
    const answerTo = answers[what] as (...values: readonly unknown[]) => Promise<unknown>
    post({ id, value: await answerTo(...args) })
  } catch (error) {
    post({ id, problem: error instanceof Error ? error.message : String(error) })
  }
}
