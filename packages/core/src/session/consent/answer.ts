/** What came of a question. */
export interface Answer {
  readonly approved: boolean
  readonly reason?: string
}

/** Reads a foreign value as the answer to one request: a yes only if it says so for this very request. */
export function readConsentAnswer(value: unknown, requestId: string): Answer {
  const verdict = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  const reason =
    typeof verdict['reason'] === 'string' && verdict['reason'].trim() !== '' ? { reason: verdict['reason'] } : {}
  return { approved: verdict['requestId'] === requestId && verdict['approved'] === true, ...reason }
}
