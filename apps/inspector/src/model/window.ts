import type { LogEvent } from './event.ts'
import type { Run } from './run.ts'
import { type Row, rowOf } from './timeline.ts'

/** The parts of what is sent, in the order in which they are drawn. */
export const PARTS = ['system', 'list', 'bodies', 'tools', 'messages'] as const

/** Their names, as the page shows them. */
export const PART_NAMES: Readonly<Record<(typeof PARTS)[number], string>> = {
  system: 'system prompt',
  list: 'list of skills',
  bodies: 'active skills',
  tools: 'tools',
  messages: 'messages',
}

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
  /** What was done to keep the window, as the timeline says it, with the numbers of the steps. */
  readonly events: readonly (Row & { readonly number: number })[]
}

/** Reads what filled the window of a run. */
export function windowOf(run: Run): WindowView {
  const tokensOf = (part: (typeof PARTS)[number]): readonly (number | null)[] =>
    run.steps.map(({ shown }) => shown?.tokens[part] ?? null)
  const events = run.steps.flatMap(({ number, notes }, step) =>
    notes.flatMap((event, item) => {
      const row = isOfWindow(event) ? rowOf(run, { kind: 'note', step, item }) : undefined
      return row === undefined ? [] : [{ ...row, number }]
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

function isOfWindow({ type, endedBy }: LogEvent): boolean {
  return type.startsWith('window.') || (type === 'skill.deactivated' && endedBy === 'window')
}
