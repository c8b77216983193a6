import { LRUCache } from 'lru-cache'
import { recentEntries } from '../recent-entries.ts'
import type { TokenCounter } from '@repertoire/skill-md/internal'
import { type WindowOptions, type WindowSettings, resolveWindow } from './settings.ts'

/** What is remembered of the windows of sessions, beside their states. Frameworks reopen sessions at every step. */
interface WindowMemory {
  /** Notes the estimate of what a session is about to send. */
  noteEstimate(session: string, tokens: number): void
  /** Notes what the provider counted for it. */
  noteUsage(session: string, inputTokens: unknown): void
  /** Returns the factor by which estimates for a session are corrected. */
  correctionOf(session: string): number
}

const MAX_SESSIONS = 10_000

/** By how much providers' reports correct an estimate at most. */
const MAX_CORRECTION = 2
/** A report below it is not used: some providers leave out what they read from their cache. */
const MIN_CORRECTION = 0.5

interface Remembered {
  estimate?: number
  correction: number
}

/** Creates the memory of a repertoire's sessions. */
function createWindowMemory(): WindowMemory {
  const sessions = recentEntries<string, Remembered>(MAX_SESSIONS)
  const of = (session: string): Remembered => {
    const known = sessions.get(session) ?? { correction: 1 }
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
  }
}

/** Characters of what is remembered as measured. */
const MAX_MEASURED_CHARS = 4_000_000

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

/** How the sessions of a repertoire keep their windows. */
export interface WindowContext {
  readonly settings: WindowSettings
  readonly memory: WindowMemory
  /** What was measured before. */
  readonly known: MeasuredTexts
}

/**
 * Creates what the sessions of a repertoire keep their windows with.
 * @throws {TypeError} as `resolveWindow`
 */
export function createWindow(
  options: WindowOptions,
  size: number,
  countTokens: TokenCounter | undefined,
): WindowContext {
  const settings = resolveWindow(options, size, countTokens)
  return { settings, memory: createWindowMemory(), known: createMeasuredTexts() }
}

/** Creates what remembers the texts that are measured. */
export function createMeasuredTexts(): MeasuredTexts {
  return new LRUCache<string, Measured>({
    maxSize: MAX_MEASURED_CHARS,
    sizeCalculation: (_, text) => Math.max(1, text.length),
  })
}
