import { type Options, type Query, query, type SDKMessage, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import type { AdapterSession } from '@repertoire/core/adapter'

/** How long an interrupted Claude Code may take to stop, before its process is ended. */
const STOP_MS = 1_000

/** Starts a query that reports to the session what its model calls take, and throws what its hooks have thrown. */
export function watchedQuery(
  { recordUsage }: AdapterSession,
  failures: readonly unknown[],
  prompt: string | AsyncIterable<SDKUserMessage>,
  { abortController: { signal } = new AbortController(), ...options }: Options,
): Query {
  const end = new AbortController()
  const inner = query({ prompt, options: { ...options, abortController: end } })
  // Told to end alone, Claude Code would take an aborted tool for a failed one, and call the model again.
  const stop = async (): Promise<void> => {
    const stopped = inner.interrupt().catch(() => undefined)
    await Promise.race([stopped, new Promise((resolve) => void setTimeout(resolve, STOP_MS).unref())])
    end.abort(signal.reason)
  }
  if (signal.aborted) void stop()
  signal.addEventListener('abort', () => void stop(), { once: true, signal: end.signal })

  async function* watched(): AsyncGenerator<SDKMessage, void> {
    let last: string | undefined
    try {
      for await (const message of inner) {
        signal.throwIfAborted()
        if (failures.length > 0) throw failures[0]
        // Each part of a message comes by itself, and repeats the usage.
        if (message.type === 'assistant' && message.parent_tool_use_id === null && message.message.id !== last) {
          const { id, usage } = message.message
          last = id
          recordUsage({ inputTokens: usage.input_tokens, outputTokens: usage.output_tokens })
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
