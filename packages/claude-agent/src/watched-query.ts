import { type Options, type Query, query, type SDKMessage, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import type { TokenUsage } from '@repertoire/core'

/** How long an interrupted Claude Code may take to stop, before its process is ended. */
const STOP_MS = 1_000

/** Starts a query that reports to the session what its model calls take, and throws what its hooks have thrown. */
export function watchedQuery(
  recordUsage: (usage: TokenUsage) => void,
  failures: readonly unknown[],
  prompt: string | AsyncIterable<SDKUserMessage>,
  { abortController: { signal } = new AbortController(), ...options }: Options,
): Query {
  const end = new AbortController()
  const inner = query({ prompt, options: { ...options, includePartialMessages: true, abortController: end } })
  // Told to end alone, Claude Code would take an aborted tool for a failed one, and call the model again.
  const stop = async (): Promise<void> => {
    const stopped = inner.interrupt().catch(() => undefined)
    await Promise.race([stopped, new Promise((resolve) => void setTimeout(resolve, STOP_MS).unref())])
    end.abort(signal.reason)
  }
  if (signal.aborted) void stop()
  signal.addEventListener('abort', () => void stop(), { once: true, signal: end.signal })

  async function* watched(): AsyncGenerator<SDKMessage, void> {
    let inputTokens = 0
    try {
      for await (const message of inner) {
        signal.throwIfAborted()
        if (failures.length > 0) throw failures[0]
        if (message.type === 'stream_event') {
          const { event } = message
          if (event.type === 'message_start') inputTokens = inputOf(event.message.usage)
          if (event.type === 'message_delta' && message.parent_tool_use_id === null) {
            recordUsage({ inputTokens, outputTokens: event.usage.output_tokens })
          }
          if (options.includePartialMessages !== true) continue
        }
        yield message
      }
    } finally {
      end.abort()
    }
  }

  const messages = watched()
  return new Proxy(inner, {
    get(target, name) {
      if (name === Symbol.asyncIterator) return () => messages
      const from = name === 'next' || name === 'return' || name === 'throw' ? messages : target
      const value: unknown = Reflect.get(from, name)
      return typeof value === 'function' ? value.bind(from) : value
    },
  })
}

/** The provider counts what its cache has apart. */
function inputOf(usage: {
  readonly input_tokens: number
  readonly cache_creation_input_tokens: number | null
  readonly cache_read_input_tokens: number | null
}): number {
  return usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
}
