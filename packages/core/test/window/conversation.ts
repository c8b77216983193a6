import * as fc from 'fast-check'
import type { WindowMessage } from '../../src/adapter.ts'

/** What happens in one step of a conversation. */
export interface HistoryStep {
  readonly kind: 'person' | 'calls' | 'says'
  readonly calls: number
  readonly size: number
  readonly own: boolean
  readonly reasoning: boolean
  /** The last call waits for a person, so it has no result yet. */
  readonly waits: boolean
}

export const historyStep: fc.Arbitrary<HistoryStep> = fc.record({
  kind: fc.constantFrom('person', 'calls', 'calls', 'says'),
  calls: fc.integer({ min: 1, max: 4 }),
  size: fc.integer({ min: 0, max: 400 }),
  own: fc.boolean(),
  reasoning: fc.boolean(),
  waits: fc.boolean(),
})

/** Returns the conversation that some steps make: parallel calls, results in one message or in several, reasoning. */
export function historyOf(steps: readonly HistoryStep[]): readonly WindowMessage[] {
  const messages: WindowMessage[] = [{ role: 'user', text: 'Begin.' }]
  for (const [index, { kind, calls: count, size, own, reasoning, waits }] of steps.entries()) {
    const text = `${index} ${'word '.repeat(size)}`
    const hidden = reasoning ? { hidden: `thinking ${index}` } : {}
    if (kind === 'person') {
      messages.push({ role: 'user', text })
      if (own) messages.push({ role: 'user', text: `A skill may fit ${index}.`, own: true })
    } else if (kind === 'says') messages.push({ role: 'assistant', text, ...hidden })
    else {
      const calls = Array.from({ length: count }, (_, at) => ({ id: `c${index}_${at}`, tool: 'Read', input: { at } }))
      messages.push({ role: 'assistant', text: '', calls, ...hidden })
      const isLast = index === steps.length - 1
      const answered = isLast && waits ? calls.slice(0, -1) : calls
      if (own) {
        if (answered.length > 0) messages.push({ role: 'tool', text, answers: answered.map(({ id }) => id) })
      } else for (const { id } of answered) messages.push({ role: 'tool', text, answers: [id] })
    }
  }
  return messages
}

/** Returns the same conversation from a server that numbers the calls of each answer from 0. */
export function withIdsAgain(messages: readonly WindowMessage[]): readonly WindowMessage[] {
  const again = (id: string): string => id.split('_')[1] ?? id
  return messages.map((message) => ({
    ...message,
    ...(message.calls && { calls: message.calls.map((call) => ({ ...call, id: again(call.id) })) }),
    ...(message.answers && { answers: message.answers.map(again) }),
  }))
}

/** Returns what is wrong with the calls and results of a conversation that is sent: a model's API would refuse it. */
export function orphansIn(all: readonly WindowMessage[], sent: readonly number[]): readonly string[] {
  const isSent = new Set(sent)
  const wrong: string[] = []
  for (const [index, { calls = [], answers = [] }] of all.entries()) {
    for (const { id } of calls) {
      const answer = all.findIndex((other) => other.answers?.includes(id) === true)
      if (answer !== -1 && isSent.has(index) !== isSent.has(answer)) wrong.push(id)
    }
    for (const id of answers) {
      if (
        isSent.has(index) &&
        !all.some((other, at) => isSent.has(at) && other.calls?.some((call) => call.id === id))
      ) {
        wrong.push(id)
      }
    }
  }
  return wrong
}
