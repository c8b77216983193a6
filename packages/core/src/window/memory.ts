import { LRUCache } from 'lru-cache'

/** What is remembered of the windows of sessions, beside their states. Frameworks reopen sessions at every step. */
export interface WindowMemory {
  /** Notes the estimate of what a session is about to send. */
  noteEstimate(session: string, tokens: number): void
  /** Notes what the provider counted for it. */
  noteUsage(session: string, inputTokens: unknown): void
  /** Returns the factor by which estimates for a session are corrected. */
  correctionOf(session: string): number
  /** Whether something is said about a session for the first time. */
  isFirst(session: string, what: string): boolean
}

const MAX_SESSIONS = 10_000

/** By how much providers' reports correct an estimate at most. */
const MAX_CORRECTION = 2
/** A report below it is not used: some providers leave out what they read from their cache. */
const MIN_CORRECTION = 0.5

interface Remembered {
  estimate?: number
  correction: number
  readonly said: Set<string>
}

/** Creates the memory of a repertoire's sessions. */
export function createWindowMemory(): WindowMemory {
  const sessions = new LRUCache<string, Remembered>({ max: MAX_SESSIONS })
  const of = (session: string): Remembered => {
    const known = sessions.get(session) ?? { correction: 1, said: new Set() }
    sessions.set(session, known)
    return known
  }
  return {
    noteEstimate: (session, tokens) => void (of(session).estimate = tokens),
    noteUsage(session, inputTokens) {
      const { estimate } = sessions.get(session) ?? {}
      if (estimate === undefined || estimate === 0 || typeof inputTokens !== 'number') return
      const ratio = inputTokens / estimate
      if (ratio >= MIN_CORRECTION) of(session).correction = Math.min(MAX_CORRECTION, ratio)
    },
    correctionOf: (session) => sessions.get(session)?.correction ?? 1,
    isFirst(session, what) {
      const { said } = of(session)
      return said.size < said.add(what).size
    },
  }
}

/** Characters of what is remembered as measured. */
export const MAX_MEASURED_CHARS = 4_000_000

/** What is known of a text, or of a message as JSON. */
export interface Measured {
  readonly tokens: number
  /** Of a message: absent until it is needed. */
  digest?: string
}

/** What was measured before: a conversation is measured at every step. */
export interface MeasuredTexts {
  readonly get: (key: string) => Measured | undefined
  readonly set: (key: string, measured: Measured) => unknown
}
