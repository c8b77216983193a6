import type { ConsentRequest } from '@repertoire/core'
import type { Trial } from '../check.ts'
import type { Turn } from '../driver.ts'

/**
 * Answers the requests of a turn, and those that come after the answers: a framework may suspend for all calls of a
 * message at once, or for one after the other. Requests that are open at once are answered in the order of their skills'
 * names.
 */
export async function answerEach(
  trial: Trial,
  first: Turn,
  approves: (request: ConsentRequest) => boolean,
): Promise<{ readonly requests: readonly ConsentRequest[]; readonly turn: Turn }> {
  const requests: ConsentRequest[] = []
  let turn = first
  while (turn.status === 'asking') {
    const open = turn.requests.toSorted(({ skill: a = '' }, { skill: b = '' }) => (a < b ? -1 : 1))
    requests.push(...open)
    turn = await trial.answer(open.map((request) => ({ requestId: request.id, approved: approves(request) })))
  }
  return { requests, turn }
}
