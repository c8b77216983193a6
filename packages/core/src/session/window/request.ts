import type { Summarizer } from '../../ports/summarizer.ts'
import type { WindowMessage } from '../../window/message.ts'
import type { SessionParts } from '../context.ts'
import type { Measured, MeasuredTexts, WindowContext } from '../../window/settings.ts'
import type { ShownSection } from '../step/view.ts'
import type { TokenCounter } from '@repertoire/skill-md/internal'
import { jsonOf, sha256Of } from '../../text/hash.ts'
import { messageDigest } from '../../window/record.ts'

export interface FitContext extends SessionParts {
  readonly window: WindowContext
  /** The sections of the step's skills that are not active. */
  readonly sections: () => readonly ShownSection[]
  /** The names of the host's tools in the step. Undefined: they are not known yet. */
  readonly hostTools: readonly string[] | undefined
}

/** What a model call is about to send. */
export interface WindowRequest {
  /** The whole system prompt of the step, without a reminder. */
  readonly system: string | undefined
  /** Each tool that is offered, as JSON. */
  readonly tools: readonly string[]
  /** The conversation, one for each message of the framework's. */
  readonly messages: readonly WindowMessage[]
  /** Asks the run's model for a summary, where the host has set no other summariser. Absent: extracts are made. */
  readonly summarize?: Summarizer | undefined
  /** The provider keeps the conversation, and these messages continue it: nothing is cut. */
  readonly chained?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export interface WindowFit {
  /** In order: the position of a message in the request, or a summary, sent as a message in the user's role. */
  readonly messages: readonly (number | { readonly summary: string })[]
  /** Returns a text of the system prompt without the sections of the skills that were evicted. */
  system(text: string): string
}

export interface FittedWindow {
  /** What is to be sent in its place. Absent: the request as it is. */
  readonly fit?: WindowFit
  /** The skills that lost their sections. */
  readonly evicted: readonly string[]
}

/** The request is sent as it is. */
export const AS_IT_IS: FittedWindow = { evicted: [] }

/** Returns a text of the system prompt as it is sent. */
export function sentSystem(fit: WindowFit | undefined, text: string): string {
  return fit?.system(text) ?? text
}

/**
 * Returns the messages that are sent, in a framework's own form. For adapters.
 * @param asMessage makes a summary a message in the user's role
 */
export function sentMessages<Message>(
  fit: WindowFit | undefined,
  messages: readonly Message[],
  asMessage: (summary: string) => Message,
): readonly Message[] {
  if (fit === undefined) return messages
  return fit.messages.map((each) => (typeof each === 'number' ? messages[each]! : asMessage(each.summary)))
}

/** What providers add to each message. */
const TOKENS_PER_MESSAGE = 4

/** What an image takes at most providers; a long document takes more, which what they report corrects. */
const TOKENS_PER_FILE = 1_000

interface Sent {
  readonly system: string
  /** The positions of its messages. */
  readonly sent: readonly number[]
  readonly summary: string | undefined
  readonly reminder: string | undefined
}

export type Measure = ReturnType<typeof createMeasure>

/** Measures a request in tokens. Every message and every text is counted once, as long as it is remembered. */
export function createMeasure({
  request,
  count,
  known,
}: {
  readonly request: WindowRequest
  readonly count: TokenCounter
  readonly known: MeasuredTexts
}) {
  const { messages, tools } = request
  const remembered = (key: string, tokens: () => number): Measured => {
    const found = known.get(key)
    if (found !== undefined) return found
    const measured: Measured = { tokens: tokens() }
    known.set(key, measured)
    return measured
  }
  const ofText = (text: string): number => (text === '' ? 0 : remembered(text, () => count(text)).tokens)
  const measured = messages.map((message): Measured => {
    const key = jsonOf(message)
    const tokens = (): number => tokensOf(message, count)
    // Without one it could be taken for another message.
    return key === '' ? { tokens: tokens() } : remembered(key, tokens)
  })
  const toolTokens = tools.reduce((sum, tool) => sum + ofText(tool), 0)
  const sum = (positions: readonly number[]): number => positions.reduce((all, at) => all + measured[at]!.tokens, 0)
  // What the provider has summarised itself is not read again.
  const from = Math.max(
    0,
    messages.findLastIndex(({ compaction }) => compaction === true),
  )
  return {
    total: ({ system, sent, summary, reminder = '' }: Sent) =>
      ofText(system) +
      ofText(reminder) +
      toolTokens +
      (summary === undefined ? 0 : ofText(summary) + TOKENS_PER_MESSAGE) +
      sum(sent.filter((at) => at >= from)),
    ofText,
    /** Returns the tokens of a text that is its own message. */
    ofMessage: (text: string) => ofText(text) + TOKENS_PER_MESSAGE,
    /** Returns the tokens of some messages. */
    of: sum,
    /** Returns the digest of the messages before a position, by which they are known again in a later run. */
    digestUpTo: (position: number) =>
      sha256Of(
        messages
          .slice(0, position)
          .flatMap((message, at) => (message.own === true ? [] : [(measured[at]!.digest ??= messageDigest(message))]))
          .join(''),
      ),
  }
}

function tokensOf({ text, hidden = '', files = 0, calls = [] }: WindowMessage, count: TokenCounter): number {
  const inputs = calls.reduce((sum, { tool, input }) => sum + count(tool) + count(jsonOf(input)), 0)
  return count(text) + count(hidden) + inputs + files * TOKENS_PER_FILE + TOKENS_PER_MESSAGE
}
