import type { TokenCounter } from '../../ports/tokens.ts'
import type { WindowMessage } from '../../window/message.ts'
import type { WindowRequest } from './window.ts'

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

/** Measures a request in tokens, corrected by what the provider has counted before. */
export function createMeasure({
  request,
  count,
  correction,
}: {
  readonly request: WindowRequest
  readonly count: TokenCounter
  readonly correction: number
}): { readonly total: (sent: Sent) => number; readonly of: (positions: readonly number[]) => number } {
  const { messages, tools } = request
  const perMessage = messages.map((message) => tokensOf(message, count))
  const toolTokens = tools.reduce((sum, tool) => sum + count(tool), 0)
  const sum = (positions: readonly number[]): number => positions.reduce((all, at) => all + perMessage[at]!, 0)
  // What the provider has summarised itself is not read again.
  const from = Math.max(
    0,
    messages.findLastIndex(({ compaction }) => compaction === true),
  )
  return {
    total: ({ system, sent, summary, reminder = '' }) =>
      correction *
      (count(system) +
        count(reminder) +
        toolTokens +
        (summary === undefined ? 0 : count(summary) + TOKENS_PER_MESSAGE) +
        sum(sent.filter((at) => at >= from))),
    of: (positions) => correction * sum(positions),
  }
}

function tokensOf({ text, hidden = '', files = 0, calls = [] }: WindowMessage, count: TokenCounter): number {
  const inputs = calls.reduce((sum, { tool, input }) => sum + count(tool) + count(jsonOf(input)), 0)
  return count(text) + count(hidden) + inputs + files * TOKENS_PER_FILE + TOKENS_PER_MESSAGE
}

/** Whatever a model wrote as input may be anything. */
function jsonOf(input: unknown): string {
  try {
    return JSON.stringify(input) ?? ''
  } catch {
    return ''
  }
}
