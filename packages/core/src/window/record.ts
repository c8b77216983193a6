import { type WindowMessage, cutPoints, isSummaryMessage } from './message.ts'
import { canonicalJson, sha256Of } from '../text/hash.ts'

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
    shown: shown === undefined ? undefined : positions.indexOf(shown),
  }
}

/** Returns the position of what a person said last; undefined if no message is a person's. */
export function lastOfPerson(messages: readonly WindowMessage[]): number | undefined {
  const at = messages.findLastIndex(({ role, own, text }) => role === 'user' && own !== true && !isSummaryMessage(text))
  return at === -1 ? undefined : at
}

/**
 * Returns the positions of the messages that are sent behind a summary: what the person said last, with what the
 * session added to it, and all that is not covered.
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

/** Characters of a message's digest: half of a SHA-256. Those of a whole conversation are hashed at every step. */
const MESSAGE_DIGEST_CHARS = 32

/**
 * Returns the digest of one message: role, text, calls, and how many files. Ids and reasoning are left out, since
 * frameworks restore these differently.
 */
export function messageDigest({ role, text, calls = [], files = 0 }: WindowMessage): string {
  const said = [role, text, calls.map(({ tool, input }) => [tool, inputOf(input)]), files]
  return sha256Of(JSON.stringify(said).toWellFormed()).slice(0, MESSAGE_DIGEST_CHARS)
}

/** Whatever a model wrote as input may be anything. */
function inputOf(input: unknown): string {
  try {
    return canonicalJson(input)
  } catch {
    return ''
  }
}
