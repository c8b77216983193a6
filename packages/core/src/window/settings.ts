import { RecentEntries } from '../recent-entries.ts'
import type { Summarizer } from '../ports/summarizer.ts'
import { type TokenCounter, type WithDefaults, estimateTokens as estimateProse } from '@repertoire/skill-md/internal'

/** When the older part of a conversation is summarised, and what stays. Shares are parts of `context.window`. */
export interface WindowOptions {
  /** Above this share the oldest messages become a summary. Default 0.8. */
  readonly summarizeAbove?: number | undefined
  /** The number of messages that then stay as they are. Default 10. */
  readonly keepMessages?: number | undefined
  /** Above this share, measured again, skills that do not fit the task lose their sections. Default 0.9. */
  readonly evictAbove?: number | undefined
  /** Above this share, measured again, fewer messages stay, and fewer of the skills that fit. Default 0.95. */
  readonly reduceAbove?: number | undefined
  /** The number of messages that then stay. Default 5. */
  readonly keepFewestMessages?: number | undefined
  /** The number of skills that fit the task, and are not active, whose sections then stay. Default 1. */
  readonly keepSkills?: number | undefined
  /**
   * What becomes of active skills, from the bottom of the stack, whose instructions do not fit although the messages
   * with them were summarised: they stay, or they are deactivated, which lifts their restrictions and is reported. The
   * one that was activated last always stays. Default `keep`.
   */
  readonly lowerSkills?: 'keep' | 'deactivate' | undefined
  /**
   * Writes summaries. Default: the model of the run, without tools. False: no model does, and a summary is an extract
   * of the messages.
   */
  readonly summarize?: Summarizer | false | undefined
  /** How long a summary may be, in tokens. Default: 0.05 of the window, at least 100 and at most 4,000. */
  readonly summaryTokens?: number | undefined
  /** How long a summary may take, in milliseconds, more than 0. Default 60,000; `Infinity` for no limit. */
  readonly summaryTimeout?: number | undefined
}

export interface WindowSettings extends WithDefaults<Omit<WindowOptions, 'summarize'>> {
  /** The model's context window, in tokens. */
  readonly size: number
  readonly countTokens: TokenCounter
  /** Absent: the adapter's, which is the model of the run. */
  readonly summarize: Summarizer | false | undefined
}

const DEFAULTS = {
  summarizeAbove: 0.8,
  evictAbove: 0.9,
  reduceAbove: 0.95,
  keepMessages: 10,
  keepFewestMessages: 5,
  keepSkills: 1,
  summaryTimeout: 60_000,
  lowerSkills: 'keep',
  summarize: undefined,
} as const

const SUMMARY_SHARE = 0.05
const MIN_SUMMARY_TOKENS = 100
const MAX_SUMMARY_TOKENS = 4_000

/**
 * Fills in the defaults.
 * @param size the model's context window, in tokens
 * @throws {TypeError} the shares do not rise, or fewer messages are kept than the fewest
 */
export function resolveWindow(
  options: WindowOptions,
  size: number,
  countTokens: TokenCounter = estimateTokens,
): WindowSettings {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const settings: WindowSettings = {
    ...DEFAULTS,
    summaryTokens: Math.floor(Math.min(MAX_SUMMARY_TOKENS, Math.max(MIN_SUMMARY_TOKENS, size * SUMMARY_SHARE))),
    ...Object.fromEntries(given),
    size,
    countTokens,
  }
  const { summarizeAbove, evictAbove, reduceAbove, keepMessages, keepFewestMessages } = settings
  if (summarizeAbove > evictAbove || evictAbove > reduceAbove) {
    throw new TypeError(
      `The shares of \`context.summaries\` do not rise: summarizeAbove ${summarizeAbove}, evictAbove ${evictAbove}, reduceAbove ${reduceAbove}. Give each at least the one before it.`,
    )
  }
  if (keepFewestMessages > keepMessages) {
    throw new TypeError(
      `\`context.summaries.keepFewestMessages\` is ${keepFewestMessages}, and \`keepMessages\` ${keepMessages}. Give at most as many.`,
    )
  }
  return settings
}

/** Base64, hexadecimal digests, keys: text without words, which tokenizers cut into pieces of one to two characters. */
const UNBROKEN = /[A-Za-z0-9+/=_-]{64,}/g
const TOKENS_PER_UNBROKEN_CHAR = 0.75

/** No tokenizer has tokens for longer pieces, blanks included. */
const MAX_CHARS_PER_TOKEN = 32

/**
 * Estimates the tokens of whatever a conversation may hold. Tools return more than prose: where an estimate for prose
 * is far too low, in long runs without a blank or of blanks alone, this one is at most a quarter too low.
 */
export const estimateTokens: TokenCounter = (text) => {
  let unbroken = 0
  const rest = text.replaceAll(UNBROKEN, (run) => {
    unbroken += run.length
    return ' '
  })
  const estimate = estimateProse(rest) + Math.ceil(unbroken * TOKENS_PER_UNBROKEN_CHAR)
  return Math.max(estimate, Math.ceil(text.length / MAX_CHARS_PER_TOKEN))
}

/** Characters of what is remembered as measured. */
const MAX_MEASURED_CHARS = 4_000_000

export interface Measured {
  readonly tokens: number
  /** Of a message: absent until it is needed. */
  digest?: string
}

/** What was measured before: a conversation is measured at every step. */
export type MeasuredTexts = ReturnType<typeof createMeasuredTexts>

export type WindowContext = ReturnType<typeof createWindow>

/**
 * Creates what the sessions of a repertoire keep their windows with.
 * @throws {TypeError} as `resolveWindow`
 */
export function createWindow(options: WindowOptions, size: number, countTokens: TokenCounter | undefined) {
  return { settings: resolveWindow(options, size, countTokens), known: createMeasuredTexts() }
}

export function createMeasuredTexts() {
  return new RecentEntries<string, Measured>(MAX_MEASURED_CHARS, (_, text) => Math.max(1, text.length))
}
