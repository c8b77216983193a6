import type { WindowMessage } from './message.ts'

/**
 * Returns the positions at which a conversation can be cut, in rising order: what is kept begins there. A call stays with
 * its results, and what the session has added stays with the person's message. 0 is always one.
 */
export function cutPoints(messages: readonly WindowMessage[]): readonly number[] {
  const lastAnswer = new Map<string, number>()
  for (const [index, { answers = [] }] of messages.entries()) for (const id of answers) lastAnswer.set(id, index)
  const points: number[] = []
  /** The position of the last result of the calls so far. */
  let openUntil = -1
  for (const [index, { role, own, calls = [] }] of messages.entries()) {
    if (index === 0 || (role !== 'tool' && own !== true && openUntil < index)) points.push(index)
    for (const { id } of calls) openUntil = Math.max(openUntil, lastAnswer.get(id) ?? -1)
  }
  return points
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
