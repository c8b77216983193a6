import type { TokenCounter } from '@repertoire/skill-md/internal'
import { digestOf, type DigestUpTo, messageDigest } from '../../window/record.ts'
import type { Measured, MeasuredTexts } from '../../window/memory.ts'
import type { WindowMessage } from '../../window/message.ts'
import type { WindowRequest } from './request.ts'

/** What providers add to each message. */
const TOKENS_PER_MESSAGE = 4

/** What an image takes at most providers; a long document takes more, which what they report corrects. */
const TOKENS_PER_FILE = 1_000

/** What is measured of a request. */
interface Sent {
  readonly system: string
  /** The positions of its messages. */
  readonly sent: readonly number[]
  readonly summary: string | undefined
  readonly reminder: string | undefined
}

/** A request as it is measured. Tokens are corrected by what the provider has counted before. */
export interface Measure {
  readonly total: (sent: Sent) => number
  /** Returns the tokens of a text. */
  readonly ofText: (text: string) => number
  /** Returns the tokens of a text that is a message of its own. */
  readonly ofMessage: (text: string) => number
  /** Returns the tokens of some messages. */
  readonly of: (positions: readonly number[]) => number
  /** Returns the tokens of a character of what a message says, which is all that a summariser is given of it. */
  readonly density: (position: number) => number
  readonly digestUpTo: DigestUpTo
}

/** What a request is measured with. */
interface MeasureParts {
  readonly request: WindowRequest
  readonly count: TokenCounter
  readonly correction: number
  readonly known: MeasuredTexts
}

/** Measures a request in tokens. Every message and every text is counted once, as long as it is remembered. */
export function createMeasure({ request, count, correction, known }: MeasureParts): Measure {
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
    return key === undefined ? { tokens: tokens() } : remembered(key, tokens)
  })
  const toolTokens = tools.reduce((sum, tool) => sum + ofText(tool), 0)
  const sum = (positions: readonly number[]): number => positions.reduce((all, at) => all + measured[at]!.tokens, 0)
  // What the provider has summarised itself is not read again.
  const from = Math.max(
    0,
    messages.findLastIndex(({ compaction }) => compaction === true),
  )
  return {
    total: ({ system, sent, summary, reminder = '' }) =>
      correction *
      (ofText(system) +
        ofText(reminder) +
        toolTokens +
        (summary === undefined ? 0 : ofText(summary) + TOKENS_PER_MESSAGE) +
        sum(sent.filter((at) => at >= from))),
    ofText: (text) => correction * ofText(text),
    ofMessage: (text) => correction * (ofText(text) + TOKENS_PER_MESSAGE),
    of: (positions) => correction * sum(positions),
    density(at) {
      const { hidden = '', files = 0 } = messages[at]!
      const said = measured[at]!.tokens - ofText(hidden) - files * TOKENS_PER_FILE - TOKENS_PER_MESSAGE
      return (correction * Math.max(0, said)) / charsOf(messages[at]!)
    },
    digestUpTo: (position) =>
      digestOf(
        messages
          .slice(0, position)
          .flatMap((message, at) => (message.own === true ? [] : [(measured[at]!.digest ??= messageDigest(message))])),
      ),
  }
}

function tokensOf({ text, hidden = '', files = 0, calls = [] }: WindowMessage, count: TokenCounter): number {
  const inputs = calls.reduce((sum, { tool, input }) => sum + count(tool) + count(jsonOf(input) ?? ''), 0)
  return count(text) + count(hidden) + inputs + files * TOKENS_PER_FILE + TOKENS_PER_MESSAGE
}

function charsOf({ text, calls = [] }: WindowMessage): number {
  return calls.reduce((sum, { tool, input }) => sum + tool.length + (jsonOf(input)?.length ?? 0), text.length) || 1
}

/** Undefined: whatever a model wrote as input may be anything. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
