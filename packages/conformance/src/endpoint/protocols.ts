import { anthropicProtocol } from './anthropic/anthropic.ts'
import type { Dialect } from './dialect.ts'
import { pick } from './fields.ts'
import { geminiProtocol } from './gemini/gemini.ts'
import { openAIProtocol } from './openai/openai.ts'
import type { Protocol } from './protocol.ts'
import { responsesProtocol } from './responses/responses.ts'

/** The vendors' protocols that the endpoint speaks. `openai` is chat completions. */
export type ProtocolName = 'openai' | 'openai-responses' | 'anthropic' | 'gemini'

const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = {
  openai: openAIProtocol(),
  'openai-responses': responsesProtocol,
  anthropic: anthropicProtocol,
  gemini: geminiProtocol,
}

/**
 * Returns the protocol of a variant.
 * @param name default: OpenAI chat completions
 * @param dialect how tools and calls are written inside chat-completions messages
 * @throws {TypeError} for a protocol that is unknown, and for a dialect with a protocol other than `openai`
 */
export function protocolOf(name: string = 'openai', dialect?: Dialect): Protocol {
  const protocol = pick(PROTOCOLS, name, 'The protocol')
  if (dialect === undefined) return protocol
  if (name === 'openai') return openAIProtocol(dialect)
  throw new TypeError(
    `A dialect is a way of writing chat-completions messages, and the protocol is "${name}". Leave one of the two out.`,
  )
}
