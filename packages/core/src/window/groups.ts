import type { WindowMessage } from './message.ts'

/**
 * Returns the positions at which a conversation can be cut, in rising order: what is kept begins there. A call stays with
 * its results, and what the session has added stays with the person's message. 0 is always one.
 */
export function cutPoints(messages: readonly WindowMessage[]): readonly number[] {
  const lastAnswers = lastAnswersOf(messages)
  const points: number[] = []
  /** The position of the last result of the calls so far. */
  let openUntil = -1
  for (const [index, { role, own }] of messages.entries()) {
    if (index === 0 || (role !== 'tool' && own !== true && openUntil < index)) points.push(index)
    openUntil = Math.max(openUntil, lastAnswers.get(index) ?? -1)
  }
  return points
}

/**
 * Returns the position of the last result of each message with calls. A result belongs to the last call before it that
 * has its id: some servers use the same ids in every answer, such as `call_0`.
 */
function lastAnswersOf(messages: readonly WindowMessage[]): ReadonlyMap<number, number> {
  const callers = new Map<string, number>()
  const last = new Map<number, number>()
  for (const [index, { calls = [], answers = [] }] of messages.entries()) {
    for (const { id } of calls) callers.set(id, index)
    for (const id of answers) {
      const caller = callers.get(id)
      if (caller !== undefined) last.set(caller, index)
    }
  }
  return last
}

/**
 * Returns the last position at which a conversation can be cut so that at least `kept` of its messages stay; 0 where there
 * are not that many. What the session has added does not count: a later run may not have it.
 */
export function cutKeeping(messages: readonly WindowMessage[], kept: number): number {
  const points = new Set(cutPoints(messages))
  let behind = 0
  for (let index = messages.length - 1; index > 0; index--) {
    if (messages[index]!.own !== true) behind++
    if (behind >= kept && points.has(index)) return index
  }
  return 0
}
