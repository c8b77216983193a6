import { randomUUID } from 'node:crypto'
import { inEvents, inJson, type WrittenAnswer } from '../answer.ts'
import { callInput } from '../call-input.ts'
import type { EncodedMessage } from '../dialect.ts'
import type { Fields } from '../fields.ts'
import { piecesOf } from '../pieces.ts'
import { seal } from '../seal.ts'
import { countTokens } from '../tokens.ts'

/** A signature of no thought. */
const EMPTY_SIGNATURE = Buffer.from('no thought').toString('base64')

/**
 * The answer as one response, or as several: the text in pieces, each call whole, and a last one with the reason why it
 * ends. Gemini API reference, "GenerateContentResponse"; guide, "Thought signatures": the first call carries the
 * signature, or if there is none the text, in a stream its last part.
 *
 * @param asked what the address determines: the model, and whether it streams
 */
export function writeAnswer(
  body: Fields,
  message: EncodedMessage,
  asked: { readonly model: string; readonly stream: boolean },
): WrittenAnswer {
  const { prompt, cached, answer, reasoning: thoughtTokens } = countTokens(body, message)
  const { content, toolCalls = [], reasoning, files = [], end, model = asked.model } = message
  const finishReason = end === 'length' ? 'MAX_TOKENS' : end === 'refusal' ? 'SAFETY' : 'STOP'
  const responseId = randomUUID()
  const response = (parts: readonly Fields[], ends: boolean): Fields => ({
    candidates: [{ content: { parts, role: 'model' }, ...(ends && { finishReason }), index: 0 }],
    usageMetadata: {
      promptTokenCount: prompt,
      cachedContentTokenCount: cached,
      ...(ends && { candidatesTokenCount: answer - thoughtTokens }),
      ...(ends && thoughtTokens > 0 && { thoughtsTokenCount: thoughtTokens }),
      totalTokenCount: ends ? prompt + answer : prompt,
    },
    modelVersion: model,
    responseId,
  })
  const sealed = reasoning === undefined ? undefined : seal(reasoning.text)
  // The vendor signs every first call, also where it shows no thought.
  const ofCalls = { thoughtSignature: sealed ?? EMPTY_SIGNATURE }
  const ofText = sealed !== undefined && toolCalls.length === 0 ? { thoughtSignature: sealed } : {}
  const thought = reasoning === undefined || reasoning.hidden === true ? '' : reasoning.text
  const others = [
    ...files.map(({ mediaType: mimeType, data }) => ({ inlineData: { mimeType, data } })),
    ...toolCalls.map(({ id, tool, arguments: written }, index) => ({
      functionCall: { id, name: tool, args: callInput(written) },
      ...(index === 0 && ofCalls),
    })),
  ]
  if (!asked.stream) {
    const thoughts = thought === '' ? [] : [{ text: thought, thought: true }]
    const said = { text: content ?? '', ...ofText }
    const isSilent = said.text === '' && said.thoughtSignature === undefined
    return inJson(response([...thoughts, ...(isSilent ? [] : [said]), ...others], true))
  }
  const thoughts = piecesOf(thought).map((text) => ({ text, thought: true }))
  const pieces = piecesOf(content ?? '').map((text) => ({ text }))
  const responses = [...thoughts, ...pieces, ...others].map((part) => response([part], false))
  // Gemini ends its lines as HTTP does.
  return inEvents(responses, [response([{ text: '', ...ofText }], true)], '\r\n')
}
