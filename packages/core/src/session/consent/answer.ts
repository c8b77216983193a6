import type { ConsentDecision } from '../../ports/consent.ts'
import { isSameCall } from './request-id.ts'

/** Reads a foreign value as the answer to one request: it is approved only if the value says so for this very request. */
export function readConsentAnswer(value: unknown, requestId: string): ConsentDecision {
  const answer = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  const reason =
    typeof answer['reason'] === 'string' && answer['reason'].trim() !== '' ? { reason: answer['reason'] } : {}
  return { approved: answer['requestId'] === requestId && answer['approved'] === true, ...reason }
}

/**
 * Whether a foreign value is a yes to an earlier request for the same call, whose folder has changed since: nobody has
 * decided about what the folder holds now. For adapters of frameworks that can ask once more in the same run.
 */
export function isOutdatedYes(value: unknown, requestId: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const answer = value as Readonly<Record<string, unknown>>
  const id = answer['requestId']
  return answer['approved'] === true && typeof id === 'string' && id !== requestId && isSameCall(id, requestId)
}
