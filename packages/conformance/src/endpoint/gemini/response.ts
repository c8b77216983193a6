import { randomUUID } from 'node:crypto'
import { callInput } from '../call-input.ts'
import type { EncodedMessage, Reasoning } from '../dialect.ts'
import type { Fields } from '../fields.ts'
import { piecesOf } from '../pieces.ts'
import type { WrittenAnswer } from '../protocol.ts'
import { seal } from '../seal.ts'
import { countTokens } from '../tokens.ts'
import type { WireCall } from '../wire.ts'

/** One response; a stream of events; or, without `alt=sse`, a stream that is one JSON array. */
export type Form = 'whole' | 'events' | 'array'

/** A signature of no thought. */
const EMPTY_SIGNATURE = Buffer.from('no thought').toString('base64')

/** What the address determines about the answer. */
export interface Head {
  readonly model: string
  readonly form: Form
}

/**
 * The answer as one response, or as several: the text in pieces, each call whole, and a last one with the reason why it
 * ends. Gemini API reference, "GenerateContentResponse"; guide, "Thought signatures": the first call carries the signature,
 * or where there is none the text, in a stream its last part.
 */
export function writeAnswer(body: Fields, message: EncodedMessage, { model, form }: Head): WrittenAnswer {
  const { prompt, cached, answer, reasoning: thoughtTokens } = countTokens(body, message)
  const { content, toolCalls = [], reasoning, files = [] } = message
  const responseId = randomUUID()
  const response = (parts: readonly object[], end: boolean): string =>
    JSON.stringify({
      candidates: [{ content: { parts, role: 'model' }, ...(end && { finishReason: 'STOP' }), index: 0 }],
      usageMetadata: {
        promptTokenCount: prompt,
        cachedContentTokenCount: cached,
        ...(end && { candidatesTokenCount: answer - thoughtTokens }),
        ...(end && thoughtTokens > 0 && { thoughtsTokenCount: thoughtTokens }),
        totalTokenCount: end ? prompt + answer : prompt,
      },
      modelVersion: model,
      responseId,
    })
  const made = files.map(({ mediaType: mimeType, data }) => ({ inlineData: { mimeType, data } }))
  const calls = toolCalls.map((call, index) => callPart(call, index === 0, reasoning))
  const thought = reasoning === undefined || reasoning.hidden === true ? '' : reasoning.text
  const signature = reasoning === undefined || calls.length > 0 ? undefined : { thoughtSignature: seal(reasoning.text) }
  if (form === 'whole') {
    const said =
      (content === null || content === '') && signature === undefined ? [] : [{ text: content ?? '', ...signature }]
    const thoughts = thought === '' ? [] : [{ text: thought, thought: true }]
    return {
      contentType: 'application/json; charset=UTF-8',
      parts: [response([...thoughts, ...said, ...made, ...calls], true)],
    }
  }
  const thoughts = piecesOf(thought).map((text) => ({ text, thought: true }))
  const pieces = piecesOf(content ?? '').map((text) => ({ text }))
  const responses = [
    ...[...thoughts, ...pieces, ...made, ...calls].map((part) => response([part], false)),
    response([{ text: '', ...signature }], true),
  ]
  if (form === 'events') {
    // Gemini ends its lines as HTTP does.
    return { contentType: 'text/event-stream', parts: responses.map((each) => `data: ${each}\r\n\r\n`) }
  }
  const parts = responses.map((each, index) => `${index === 0 ? '[' : ',\r\n'}${each}`)
  return { contentType: 'application/json; charset=UTF-8', parts: [...parts, ']'] }
}

function callPart({ id, tool, arguments: text }: WireCall, first: boolean, reasoning: Reasoning | undefined): object {
  return {
    functionCall: { id, name: tool, args: callInput(text) },
    // The vendor signs every first call, also where it shows no thought.
    ...(first && { thoughtSignature: reasoning === undefined ? EMPTY_SIGNATURE : seal(reasoning.text) }),
  }
}
