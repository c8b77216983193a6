import { expect } from 'vitest'
import { openRawEndpoint, type RawAnswer, type RawEndpoint, type RawRequest } from './raw-endpoint.ts'
import {
  type Model,
  type ModelAnswer,
  type ModelRequest,
  openAICompatible,
  type OpenAICompatibleOptions,
} from '../src/index.ts'

export const hello: ModelRequest = { messages: [{ role: 'user', content: 'Hello' }], tools: [] }

/** What a model answers, and the text that a stream showed of it. */
export async function ask(
  model: Model,
  streamed: boolean,
  request: ModelRequest = hello,
  signal?: AbortSignal,
): Promise<{ answer: ModelAnswer | undefined; text: string }> {
  if (!streamed) {
    const answer = await model.complete(request, { signal })
    return { answer, text: answer.text }
  }
  let text = ''
  let answer: ModelAnswer | undefined
  for await (const part of model.stream(request, { signal })) {
    if (part.type === 'text') text += part.text
    else ({ answer } = part)
  }
  return { answer, text }
}

/** Both ways of asking a model, for `describe.each`. */
export const STREAMED = [
  ['not streamed', false],
  ['streamed', true],
] as const

/** Makes the model "m" at an endpoint. */
export function modelAt({ baseURL }: RawEndpoint, options: Partial<OpenAICompatibleOptions> = {}): Model {
  return openAICompatible({ baseURL, model: 'm', ...options })
}

/** Returns what one answer of an endpoint is read as. */
export async function read(answer: RawAnswer, streamed: boolean): ReturnType<typeof ask> {
  return ask(modelAt(await openRawEndpoint(answer), { maxRetries: 0 }), streamed)
}

/**
 * Returns the one request that is sent for a conversation.
 * @param ok an answer that is not streamed
 */
export async function sent(
  ok: RawAnswer,
  request: Partial<ModelRequest>,
  options?: Partial<OpenAICompatibleOptions>,
): Promise<RawRequest> {
  const endpoint = await openRawEndpoint(ok)
  await modelAt(endpoint, options).complete({ ...hello, ...request }, {})
  expect(endpoint.requests).toHaveLength(1)
  return endpoint.requests[0]!
}
