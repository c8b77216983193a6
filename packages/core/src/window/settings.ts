import type { Summarizer } from '../ports/summarizer.ts'
import { type TokenCounter, estimateTokens as estimateProse } from '@repertoire/skill-md/internal'
import { type WindowMessage, cutPoints, isSummaryMessage } from './message.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../text/hash.ts'

/** When the older part of a conversation is summarised, and what stays. Shares are parts of `contextWindow`. */
export interface WindowOptions {
  /** Above this share the oldest messages become a summary. Default 0.8. */
  readonly summarizeAbove?: number
  /** The number of messages that then stay as they are. Default 10. */
  readonly keepMessages?: number
  /** Above this share, measured again, skills that do not fit the task lose their sections. Default 0.9. */
  readonly evictAbove?: number
  /** Above this share, measured again, fewer messages stay, and fewer of the skills that fit. Default 0.95. */
  readonly reduceAbove?: number
  /** The number of messages that then stay. Default 5. */
  readonly keepFewestMessages?: number
  /** The number of skills that fit the task, and are not active, whose sections then stay. Default 1. */
  readonly keepSkills?: number
  /**
   * What becomes of active skills, from the bottom of the stack, whose instructions do not fit although the messages with
   * them were summarised: they stay, or they are deactivated, which lifts their restrictions and is reported. The one that
   * was activated last always stays. Default `keep`.
   */
  readonly lowerSkills?: 'keep' | 'deactivate'
  /**
   * Writes summaries. Default: the model of the run, without tools. False: no model does, and a summary is an extract of
   * the messages.
   */
  readonly summarize?: Summarizer | false
  /** How long a summary may be, in tokens. Default: 0.05 of the window, at least 100 and at most 4,000. */
  readonly summaryTokens?: number
  /** How long a summary may take, in milliseconds, more than 0. Default 60,000; `Infinity` for no limit. */
  readonly summaryTimeout?: number
}

/** How windows are kept, with defaults filled in. */
export interface WindowSettings extends Required<Omit<WindowOptions, 'summarize'>> {
  /** The model's context window, in tokens. */
  readonly size: number
  readonly countTokens: TokenCounter
  /** Absent: the adapter's, which is the model of the run. */
  readonly summarize: Summarizer | false | undefined
}

const SUMMARIZE_ABOVE = 0.8
const EVICT_ABOVE = 0.9
const REDUCE_ABOVE = 0.95
const KEEP_MESSAGES = 10
const KEEP_FEWEST_MESSAGES = 5
const KEEP_SKILLS = 1
const SUMMARY_SHARE = 0.05
const MIN_SUMMARY_TOKENS = 100
const MAX_SUMMARY_TOKENS = 4_000
const SUMMARY_TIMEOUT_MS = 60_000

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
  const {
    summarizeAbove = SUMMARIZE_ABOVE,
    evictAbove = EVICT_ABOVE,
    reduceAbove = REDUCE_ABOVE,
    keepMessages = KEEP_MESSAGES,
    keepFewestMessages = KEEP_FEWEST_MESSAGES,
    keepSkills = KEEP_SKILLS,
    summaryTokens = Math.floor(Math.min(MAX_SUMMARY_TOKENS, Math.max(MIN_SUMMARY_TOKENS, size * SUMMARY_SHARE))),
    summaryTimeout = SUMMARY_TIMEOUT_MS,
    summarize,
    lowerSkills = 'keep',
  } = options
  if (summarizeAbove > evictAbove || evictAbove > reduceAbove) {
    throw new TypeError(
      `The shares of \`window\` do not rise: summarizeAbove ${summarizeAbove}, evictAbove ${evictAbove}, reduceAbove ${reduceAbove}. Give each at least the one before it.`,
    )
  }
  if (keepFewestMessages > keepMessages) {
    throw new TypeError(
      `\`window.keepFewestMessages\` is ${keepFewestMessages}, and \`keepMessages\` ${keepMessages}. Give at most as many.`,
    )
  }
  return {
    summarizeAbove,
    evictAbove,
    reduceAbove,
    keepMessages,
    keepFewestMessages,
    keepSkills,
    summaryTokens,
    summaryTimeout,
    summarize,
    lowerSkills,
    size,
    countTokens,
  }
}

/** Base64, hexadecimal digests, keys: text without words, which tokenizers cut into pieces of one to two characters. */
const UNBROKEN = /[A-Za-z0-9+/=_-]{64,}/g
const TOKENS_PER_UNBROKEN_CHAR = 0.75

/** No tokenizer has tokens for longer pieces, blanks included. */
const MAX_CHARS_PER_TOKEN = 32

/**
 * Estimates the tokens of whatever a conversation may hold. Tools return more than prose: where an estimate for prose is
 * far too low, in long runs without a blank or of blanks alone, this one is at most a quarter too low.
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

/** A summary of the older part of a conversation, as a session keeps it. A JSON value. */
export interface SummaryRecord {
  readonly text: string
  /** The number of messages, from the first one on, that it takes the place of. Those of the session do not count. */
  readonly covers: number
  /** The digest of these messages. */
  readonly digest: string
  /** Which of these, from 0, is shown all the same: what the person said last then. Absent: none. */
  readonly shown?: number
}

/** A record in a conversation: positions are those of its messages. */
export interface PlacedSummary {
  readonly text: string
  /** Messages before it are covered. */
  readonly upTo: number
  /** The message of these that is shown all the same. */
  readonly shown: number | undefined
}

/** Returns the digest of the messages before a position, without those that the session has added. */
export type DigestUpTo = (position: number) => string

/**
 * Finds the place of a summary in a conversation. Undefined: it is not the one that was summarised, or was edited; or a
 * result has come since of a call that the summary covers, which cannot be sent without its call.
 */
export function placeSummary(
  record: SummaryRecord,
  messages: readonly WindowMessage[],
  digestUpTo: DigestUpTo,
): PlacedSummary | undefined {
  const positions = ownLeftOut(messages)
  const last = positions[record.covers - 1]
  if (last === undefined) return undefined
  let upTo = last + 1
  while (messages[upTo]?.own === true) upTo++
  if (digestUpTo(upTo) !== record.digest) return undefined
  if (upTo < messages.length && !cutPoints(messages).includes(upTo)) return undefined
  return { text: record.text, upTo, shown: record.shown === undefined ? undefined : positions[record.shown] }
}

/** Returns the record of a summary. */
export function recordSummary(
  { text, upTo, shown }: PlacedSummary,
  messages: readonly WindowMessage[],
  digestUpTo: DigestUpTo,
): SummaryRecord {
  const positions = ownLeftOut(messages)
  return {
    text,
    covers: positions.filter((position) => position < upTo).length,
    digest: digestUpTo(upTo),
    ...(shown !== undefined && { shown: positions.indexOf(shown) }),
  }
}

/** Returns the position of what a person said last; undefined where nobody said anything. */
export function lastOfPerson(messages: readonly WindowMessage[]): number | undefined {
  const at = messages.findLastIndex(({ role, own, text }) => role === 'user' && own !== true && !isSummaryMessage(text))
  return at === -1 ? undefined : at
}

/**
 * Returns the positions of the messages that are sent behind a summary: what the person said last, with what the session
 * added to it, and all that is not covered.
 */
export function sentPositions(
  { upTo, shown }: Pick<PlacedSummary, 'upTo' | 'shown'>,
  messages: readonly WindowMessage[],
): readonly number[] {
  const sent: number[] = []
  if (shown !== undefined && shown < upTo) {
    sent.push(shown)
    for (let at = shown + 1; at < upTo && messages[at]!.own === true; at++) sent.push(at)
  }
  for (let at = upTo; at < messages.length; at++) sent.push(at)
  return sent
}

function ownLeftOut(messages: readonly WindowMessage[]): readonly number[] {
  return messages.flatMap(({ own }, index) => (own === true ? [] : [index]))
}

/** Characters of a message's digest: half of a SHA-256, since those of a whole conversation are hashed at every step. */
const MESSAGE_DIGEST_CHARS = 32

/**
 * Returns the digest of one message: role, text, calls, and how many files. Ids and reasoning are left out, since
 * frameworks restore these differently.
 */
export function messageDigest({ role, text, calls = [], files = 0 }: WindowMessage): string {
  const said = [role, text, calls.map(({ tool, input }) => [tool, inputOf(input)]), files]
  return hashOf(JSON.stringify(said).toWellFormed()).slice(0, MESSAGE_DIGEST_CHARS)
}

/** Returns the digest of the messages that a summary covers, of those of each, by which it is known again in a later run. */
export function digestOf(digests: readonly string[]): string {
  return hashOf(digests.join(''))
}

function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** Whatever a model wrote as input may be anything. */
function inputOf(input: unknown): string {
  try {
    return canonicalJson(input) ?? ''
  } catch {
    return ''
  }
}
