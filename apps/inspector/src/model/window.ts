import type { LogEvent } from './event.ts'
import type { Run } from './run.ts'

/** The parts of what is sent, in the order in which they are drawn. */
export const PARTS = ['system', 'list', 'bodies', 'tools', 'messages'] as const

/** What fills the model's window, step by step. */
export interface WindowView {
  /** The numbers of the steps. */
  readonly steps: readonly number[]
  /** Tokens of each part in each step; null: not recorded. */
  readonly parts: Readonly<Record<(typeof PARTS)[number], readonly (number | null)[]>>
  /** What the provider counted. */
  readonly input: readonly (number | null)[]
  readonly output: readonly (number | null)[]
  /** The size of the window, if the log names it. */
  readonly size: number | undefined
  readonly events: readonly WindowEvent[]
}

/** Something that was done to keep the window. */
interface WindowEvent {
  /** The place of its step. */
  readonly step: number
  readonly number: number
  readonly what: string
  readonly detail: string
  readonly foreign: string
}

/** Reads what filled the window of a run. */
export function windowOf(run: Run): WindowView {
  const tokensOf = (part: (typeof PARTS)[number]): readonly (number | null)[] =>
    run.steps.map(({ shown }) => shown?.tokens[part] ?? null)
  const events = run.steps.flatMap((step, place) =>
    step.notes.flatMap((event) => {
      const described = describe(event)
      return described === undefined ? [] : [{ step: place, number: step.number, ...described }]
    }),
  )
  const sizes = run.steps.flatMap(({ notes }) => notes.flatMap(({ window }) => window?.size ?? []))
  return {
    steps: run.steps.map(({ number }) => number),
    parts: {
      system: tokensOf('system'),
      list: tokensOf('list'),
      bodies: tokensOf('bodies'),
      tools: tokensOf('tools'),
      messages: tokensOf('messages'),
    },
    input: run.steps.map(({ usage }) => usage?.inputTokens ?? null),
    output: run.steps.map(({ usage }) => usage?.outputTokens ?? null),
    size: sizes.at(-1),
    events,
  }
}

function describe({
  type,
  outcome,
  window = {},
  reason,
  endedBy,
  skill,
}: LogEvent): Pick<WindowEvent, 'what' | 'detail' | 'foreign'> | undefined {
  const { tokensBefore, tokens, messages, by, skills = [] } = window
  const saved =
    tokensBefore === undefined || tokens === undefined ? '' : `${format(tokensBefore)} → ${format(tokens)} tokens`
  switch (type) {
    case 'window.summarized': {
      const covers = messages === undefined ? '' : `covers ${format(messages)} more messages`
      const writer =
        outcome === 'failed' ? 'an extract, since the summary failed' : by === 'extract' ? 'an extract' : 'a summary'
      return { what: 'Summarised', detail: [covers, writer, saved].filter(Boolean).join(' · '), foreign: reason ?? '' }
    }
    case 'window.evicted':
      return { what: 'Sections left out', detail: saved, foreign: skills.join(', ') }
    case 'window.exceeded':
      return { what: 'Does not fit', detail: saved, foreign: reason ?? '' }
    case 'window.forgotten':
      return { what: 'Summary dropped', detail: 'the messages that it covers were edited', foreign: reason ?? '' }
    case 'window.left_alone':
      return { what: 'Left alone', detail: 'the provider keeps the conversation', foreign: reason ?? '' }
    case 'skill.deactivated':
      if (endedBy !== 'window') return undefined
      return { what: 'Skill deactivated', detail: 'no room for its instructions', foreign: skill?.name ?? '' }
    default:
      return undefined
  }
}

function format(value: number): string {
  return value.toLocaleString('en-US')
}
