import type { ConsentDecision } from '../../ports/consent.ts'

/** Reads a foreign value as the answer to one request: it is approved only if the value says so for this very request. */
export function readConsentAnswer(value: unknown, requestId: string): ConsentDecision {
  const answer = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  const reason =
    typeof answer['reason'] === 'string' && answer['reason'].trim() !== '' ? { reason: answer['reason'] } : {}
  return { approved: answer['requestId'] === requestId && answer['approved'] === true, ...reason }
}
