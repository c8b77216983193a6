import { diffArrays } from 'diff'
import type { LogEvent, Shown } from './event.ts'
import { type Call, type CallStatus, type Question, questionsOf, type Run, shownBefore } from './run.ts'
import { subjectOf } from './timeline.ts'

/** All that the page shows of a step. */
export interface StepDetail {
  readonly number: number
  readonly at: number
  readonly model: string | undefined
  readonly active: readonly string[]
  readonly shown: Shown | undefined
  readonly usage: LogEvent['usage']
  /** The prompt with the difference to the step before, if the log holds both texts. */
  readonly prompt: readonly PromptLine[]
  readonly notes: readonly LogEvent[]
  readonly questions: readonly Question[]
}

/** A piece of the prompt. */
export interface PromptLine {
  readonly change: 'same' | 'added' | 'removed'
  readonly text: string
}

/** All that the page shows of a call. */
export interface CallDetail {
  readonly id: string
  readonly tool: string
  readonly subject: string
  readonly status: CallStatus
  readonly advised: boolean
  readonly step: number
  readonly at: number
  readonly ms: number
  readonly input: unknown
  readonly inputDigest: string | undefined
  readonly standsFor?: string | undefined
  readonly active: LogEvent['skills']
  /** The event that names the list and the rule that decided. */
  readonly refusal: LogEvent | undefined
  readonly decision: LogEvent | undefined
  readonly questions: readonly Question[]
  readonly events: readonly LogEvent[]
  /** The fork that it began. */
  readonly fork: string | undefined
}

/** Reads a step. */
export function stepDetail(run: Run, place: number): StepDetail | undefined {
  const step = run.steps[place]
  if (step === undefined) return undefined
  const { number, at, model, active, shown, usage, notes } = step
  return {
    number,
    at,
    model,
    active,
    shown,
    usage,
    prompt: promptOf(shownBefore(run, place), shown),
    notes: notes.filter(({ type }) => type !== 'model.called'),
    questions: questionsOf(notes),
  }
}

/** Reads a call. */
export function callDetail(run: Run, index: number): CallDetail | undefined {
  const call = run.calls[index]
  if (call === undefined) return undefined
  const { id, tool, status, advised, at, ms, events, decision } = call
  const first = events[0]
  return {
    id,
    tool,
    subject: subjectOf(call),
    status,
    advised,
    step: run.steps[call.step]?.number ?? 1,
    at,
    ms,
    input: events.find(({ input }) => input !== undefined)?.input,
    inputDigest: events.find(({ inputDigest }) => inputDigest !== undefined)?.inputDigest,
    standsFor: events.find(({ standsFor }) => standsFor !== undefined)?.standsFor,
    active: first?.skills ?? [],
    refusal: refusalOf(call),
    decision,
    questions: questionsOf(events),
    events,
    fork: run.forks.get(`${run.session}/${encodeCall(id)}`),
  }
}

/** The event that says by which list and rule a call was refused, or would have been. */
function refusalOf({ events }: Call): LogEvent | undefined {
  return (
    events.find(({ refusedBy }) => refusedBy !== undefined) ??
    events.find(({ outcome, code }) => outcome === 'refused' && code !== undefined)
  )
}

function encodeCall(id: string): string {
  return id.replaceAll('%', '%25').replaceAll('/', '%2F')
}

/** Longest prompts that are compared line by line. */
const MAX_COMPARED_LINES = 5_000

/** Compares two prompts line by line: kept, added and removed lines, in their order. */
export function promptOf(before: Shown | undefined, now: Shown | undefined): readonly PromptLine[] {
  if (now?.text === undefined) return []
  const lines = linesOf(now.text)
  if (before?.text === undefined) return lines.map((text) => ({ change: 'same', text }))
  const old = linesOf(before.text)
  if (lines.length + old.length > MAX_COMPARED_LINES) return lines.map((text) => ({ change: 'same', text }))
  return diffArrays([...old], [...lines]).flatMap(({ added, removed, value }) =>
    value.map((text): PromptLine => ({ change: added ? 'added' : removed ? 'removed' : 'same', text })),
  )
}

/** Events write a line break as `\u{A}`. */
function linesOf(text: string): readonly string[] {
  return text.split(/\\u\{A\}|\n/)
}
