import { RecentEntries } from '../recent-entries.ts'
import type { TokenCounter } from '@repertoire/skill-md/internal'
import { type WindowOptions, type WindowSettings, resolveWindow } from './settings.ts'

/** Characters of what is remembered as measured. */
const MAX_MEASURED_CHARS = 4_000_000

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

export interface WindowContext {
  readonly settings: WindowSettings
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
  return { settings, known: createMeasuredTexts() }
}

export function createMeasuredTexts(): MeasuredTexts {
  return new RecentEntries<string, Measured>(MAX_MEASURED_CHARS, (_, text) => Math.max(1, text.length))
}
