import { openModelEndpoint, type SayStep } from '@repertoire/conformance'
import { generateText, streamText } from 'ai'
import { expect, test } from 'vitest'
import { VARIANTS } from '../src/conformance/variants.ts'

/** What the AI SDK reads of an answer, whole and streamed: the reason of its end, or the error. */
const ENDS: readonly (readonly [end: SayStep['end'], whole: string, streamed: RegExp])[] = [
  [undefined, 'stop', /^stop$/],
  ['length', 'length', /^length$/],
  ['refusal', 'content-filter', /^content-filter$/],
  ['early', 'Invalid JSON response', /^(interrupted|error)$/],
  ['cut', 'Failed to process successful response', /^Failed to process successful response$/],
  ['unsent', 'Cannot connect to API', /^No output generated/],
]

const VENDORS = VARIANTS.filter(({ way, name }) => way === 'generate' || (way === 'stream' && !name.includes('Agent')))

test.each(VENDORS)('[CONF-9] $name reads how an answer ends', async ({ protocol, model: modelAt, way }) => {
  const endpoint = await openModelEndpoint()
  const read = async (step: SayStep): Promise<{ text: string; reason: string; model: string }> => {
    const options = {
      model: modelAt(endpoint.play([step], { protocol })),
      prompt: 'Hello.',
      maxRetries: 0,
      onError: () => {},
    }
    const result = way === 'generate' ? await generateText(options) : streamText(options)
    const [text, reason, { modelId }] = [await result.text, await result.finishReason, await result.response]
    return { text, reason, model: modelId }
  }
  for (const [end, whole, streamed] of ENDS) {
    const ended = await read({ text: 'Good day.', ...(end !== undefined && { end }) }).catch((error: Error) => error)
    const reason = ended instanceof Error ? ended.message : ended.reason
    expect(reason).toMatch(way === 'generate' ? whole : streamed)
    if (!(ended instanceof Error)) expect(ended.text).toBe('Good day.')
  }
  // Google's provider package does not read the name.
  const { model } = await read({ text: 'Good day.', model: 'another' })
  expect(model).toBe(protocol === 'gemini' ? 'gemini-3-conformance' : 'another')
  await endpoint.close()
})
