import { randomUUID } from 'node:crypto'
import { callInput } from '../call-input.ts'
import type { EncodedMessage } from '../dialect.ts'
import type { Fields } from '../fields.ts'
import { piecesOf } from '../pieces.ts'
import type { WrittenAnswer } from '../protocol.ts'
import { countTokens } from '../tokens.ts'
import type { WireCall } from '../wire.ts'

/** One response; a stream of events; or, without `alt=sse`, a stream that is one JSON array. */
export type Form = 'whole' | 'events' | 'array'

/** What the address determines about the answer. */
export interface Head {
  readonly model: string
  readonly form: Form
}

/**
 * The answer as one response, or as several: the text in pieces, each call whole, and a last one with the reason why it
 * ends. Gemini API reference, "GenerateContentResponse". A message's first call carries a thought signature.
 */
export function writeAnswer(body: Fields, message: EncodedMessage, { model, form }: Head): WrittenAnswer {
  const { prompt, answer } = countTokens(body, message)
  const { content, toolCalls = [] } = message
  const responseId = randomUUID()
  const response = (parts: readonly object[], end: boolean): string =>
    JSON.stringify({
      candidates: [{ content: { parts, role: 'model' }, ...(end && { finishReason: 'STOP' }), index: 0 }],
      usageMetadata: {
        promptTokenCount: prompt,
        ...(end && { candidatesTokenCount: answer }),
        totalTokenCount: end ? prompt + answer : prompt,
      },
      modelVersion: model,
      responseId,
    })
  const calls = toolCalls.map((call, index) => callPart(call, index === 0))
  if (form === 'whole') {
    const said = content === null || content === '' ? [] : [{ text: content }]
    return { contentType: 'application/json; charset=UTF-8', parts: [response([...said, ...calls], true)] }
  }
  const pieces = piecesOf(content ?? '').map((text) => ({ text }))
  const responses = [...[...pieces, ...calls].map((part) => response([part], false)), response([{ text: '' }], true)]
  if (form === 'events') {
    // Gemini ends its lines as HTTP does.
    return { contentType: 'text/event-stream', parts: responses.map((each) => `data: ${each}\r\n\r\n`) }
  }
  const parts = responses.map((each, index) => `${index === 0 ? '[' : ',\r\n'}${each}`)
  return { contentType: 'application/json; charset=UTF-8', parts: [...parts, ']'] }
}

function callPart({ id, tool, arguments: text }: WireCall, first: boolean): object {
  return {
    functionCall: { id, name: tool, args: callInput(text) },
    ...(first && { thoughtSignature: Buffer.from(`the thought behind ${id}`).toString('base64') }),
  }
}
