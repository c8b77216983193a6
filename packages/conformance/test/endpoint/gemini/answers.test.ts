import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { askGemini, callStep, carried, useEndpoint } from '../vendors.ts'
import { hello, partsOf, streamed, textOf } from './talk.ts'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'gemini' })

test('[LLM-1] answers with text as a response', async () => {
  const response = await askGemini(play({ text: 'Good day.' }), hello(), 'generateContent', 'gemini-any')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await response.json()).toEqual({
    candidates: [{ content: { parts: [{ text: 'Good day.' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: expect.any(Number),
      cachedContentTokenCount: 2,
      candidatesTokenCount: 3,
      totalTokenCount: expect.any(Number),
    },
    modelVersion: 'gemini-any',
    responseId: expect.any(String),
  })
})

test('[LLM-1] requests parallel tool calls with one signature for all', async () => {
  const script = play(callStep)
  expect(partsOf([await (await askGemini(script, hello())).json()])).toEqual([
    { text: 'Let me look.' },
    {
      functionCall: { id: 'call_1_1', name: 'Bash', args: { command: 'git status' } },
      thoughtSignature: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
    },
    { functionCall: { id: 'mine', name: 'Read', args: { file_path: 'docs/größe.md' } } },
  ])
})

test('[LLM-1] streams text in pieces, each call whole, and the finish reason last', async () => {
  const response = await askGemini(play(callStep), hello(), 'streamGenerateContent?alt=sse')
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const responses = await streamed(response)
  expect(responses.every(({ candidates }) => candidates[0].content.parts.length === 1)).toBe(true)
  expect(partsOf(responses).filter((part) => part.text).length).toBeGreaterThan(2)
  expect(textOf(responses)).toBe('Let me look.')
  expect(partsOf(responses).flatMap(({ functionCall }) => functionCall ?? [])).toEqual([
    { id: 'call_1_1', name: 'Bash', args: { command: 'git status' } },
    { id: 'mine', name: 'Read', args: { file_path: 'docs/größe.md' } },
  ])
  expect(responses.map(({ candidates }) => candidates[0].finishReason).filter(Boolean)).toEqual(['STOP'])
  expect(responses.at(-1).usageMetadata.candidatesTokenCount).toBeGreaterThan(0)
  expect(new Set(responses.map(({ responseId }) => responseId)).size).toBe(1)
})

test('[LLM-1] streams one JSON array where no events are asked for', async () => {
  const script = play(callStep)
  const response = await askGemini(script, hello(), 'streamGenerateContent')
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  const responses = (await response.json()) as any[]
  expect(textOf(responses)).toBe('Let me look.')
  expect(script.requests[0]!.stream).toBe(true)
})

test('[LLM-1] sends any text and any arguments unchanged, whole and streamed', { timeout: 60_000 }, async () => {
  const anyText = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme', maxLength: 300 }))
  const call = fc.record({
    tool: fc.constantFrom('Bash', 'Read'),
    input: fc.record({ raw: fc.oneof(anyText, fc.json()) }),
  })
  await fc.assert(
    fc.asyncProperty(anyText, fc.array(call, { maxLength: 3 }), async (said, calls) => {
      const script = play({ text: said, calls }, { text: said, calls })
      const pieces = await streamed(await askGemini(script, hello(), 'streamGenerateContent?alt=sse'))
      const whole = [await (await askGemini(script, hello())).json()]
      for (const responses of [pieces, whole]) {
        expect(textOf(responses)).toBe(said)
        expect(partsOf(responses).flatMap((part) => ('functionCall' in part ? [part.functionCall.args] : []))).toEqual(
          calls.map(({ input }) => carried(input.raw)),
        )
      }
      script.close()
    }),
    { numRuns: 60 },
  )
})

test.each([
  [400, 'INVALID_ARGUMENT'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
])('[LLM-1] answers with the error %i as %s', async (status, name) => {
  const script = play({ status, message: 'Not now.' })
  const response = await askGemini(script, hello())
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({ error: { code: status, message: 'Not now.', status: name } })
  expect(script.failures).toEqual([])
})

test.each([
  ['generateContent', 'responseId'],
  ['streamGenerateContent?alt=sse', 'finishReason'],
  ['streamGenerateContent', 'finishReason'],
])('[LLM-1] cuts the connection in the middle of an answer (%s)', async (verb, last) => {
  const script = play({ drop: 'mid-stream' }, { drop: 'before-headers' })
  const response = await askGemini(script, hello(), verb)
  let received = ''
  const read = async () => {
    for await (const bytes of response.body!) received += new TextDecoder().decode(bytes, { stream: true })
  }
  await expect(read()).rejects.toThrow('terminated')
  expect(received).toContain('candidates')
  expect(received).not.toContain(last)
  await expect(askGemini(script, hello(), verb)).rejects.toThrow('fetch failed')
  expect(script.failures).toEqual([])
})
