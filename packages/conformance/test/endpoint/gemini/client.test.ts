import { type Content, FunctionCallingConfigMode, GoogleGenAI } from '@google/genai'
import { expect, test } from 'vitest'
import { callStep, useEndpoint } from '../vendors.ts'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'gemini' })

const client = ({ baseURL, apiKey }: Play) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: baseURL } })

test("[LLM-1] the vendor's own client goes through calls side by side, whole and streamed, and gives them back", async () => {
  const script = play(callStep, { calls: [{ tool: 'Read', input: { file_path: 'b' } }] }, { text: 'Done.' })
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'Look.' }] }]
  const config = {
    systemInstruction: 'Be brief.',
    tools: [{ functionDeclarations: [{ name: 'Bash', parametersJsonSchema: { type: 'object' } }, { name: 'Read' }] }],
    toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
  }
  const params = { model: script.model, contents, config }
  const answerCalls = (parts: NonNullable<Content['parts']>): void => {
    contents.push({ role: 'model', parts })
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    contents.push({
      role: 'user',
      parts: calls.map(({ id = '', name = '' }) => ({
        functionResponse: { id, name, response: { output: `of ${id}` } },
      })),
    })
  }
  const first = await client(script).models.generateContent(params)
  expect(first.functionCalls?.map(({ args }) => args)).toEqual([
    { command: 'git status' },
    { file_path: 'docs/größe.md' },
  ])
  answerCalls(first.candidates![0]!.content!.parts!)
  const parts: NonNullable<Content['parts']> = []
  for await (const chunk of await client(script).models.generateContentStream(params)) {
    parts.push(...chunk.candidates![0]!.content!.parts!.filter((part) => part.text !== ''))
  }
  answerCalls(parts)
  expect((await client(script).models.generateContent(params)).text).toBe('Done.')
  expect(script.failures).toEqual([])
  expect(script.requests.map(({ stream }) => stream)).toEqual([false, true, false])
  expect(script.requests.at(-1)).toMatchObject({ system: 'Be brief.', tools: [{ name: 'Bash' }, { name: 'Read' }] })
  const results = script.requests.at(-1)!.messages.filter(({ role }) => role === 'tool')
  expect(results.map((each) => [each.callId, each.text])).toEqual(
    ['call_1_1', 'mine', 'call_2_1'].map((id) => [id, `of ${id}`]),
  )
})

test.each([
  ['in JSON', false],
  ['as a stream', true],
])('[CONF-8] sends thoughts %s, shown and withheld, and reads their signatures', async (_, stream) => {
  const thought = { text: 'Größe first.\nThen the rest.' }
  const hidden = { ...thought, hidden: true }
  const script = play({ ...callStep, reasoning: thought }, { text: 'So.', reasoning: hidden }, { text: 'Done.' })
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'Look.' }] }]
  const params = { model: script.model, contents }
  const asked = async () => {
    const parts: NonNullable<Content['parts']> = []
    if (stream) {
      for await (const chunk of await client(script).models.generateContentStream(params)) {
        parts.push(...chunk.candidates![0]!.content!.parts!)
      }
    } else parts.push(...(await client(script).models.generateContent(params)).candidates![0]!.content!.parts!)
    contents.push({ role: 'model', parts })
    return parts
  }
  const thoughtsIn = (parts: NonNullable<Content['parts']>) =>
    parts.map((part) => (part.thought === true ? part.text : '')).join('')
  const first = await asked()
  expect(thoughtsIn(first)).toBe(thought.text)
  contents.push({
    role: 'user',
    parts: first.flatMap(({ functionCall: call }) =>
      call === undefined ? [] : [{ functionResponse: { id: call.id!, name: call.name!, response: { output: 'x' } } }],
    ),
  })
  expect(thoughtsIn(await asked())).toBe('')
  contents.push({ role: 'user', parts: [{ text: 'Go on.' }] })
  await asked()
  expect(script.failures).toEqual([])
  const said = script.requests[2]!.messages.filter(({ role }) => role === 'assistant')
  expect(said.map(({ text, reasoning }) => [text, reasoning])).toEqual([
    ['Let me look.', thought.text],
    ['So.', thought.text],
  ])
})

test.each([
  ['in JSON', false],
  ['as a stream', true],
])('[CONF-8] sends files %s that a model makes, and reads those that come back', async (_, stream) => {
  const file = { mediaType: 'image/png', data: Buffer.from('an image').toString('base64') }
  const script = play({ text: 'Here it is.', files: [file] }, { text: 'Done.' })
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'Draw.' }] }]
  const params = { model: script.model, contents }
  const parts: NonNullable<Content['parts']> = []
  if (stream) {
    for await (const chunk of await client(script).models.generateContentStream(params)) {
      parts.push(...chunk.candidates![0]!.content!.parts!)
    }
  } else parts.push(...(await client(script).models.generateContent(params)).candidates![0]!.content!.parts!)
  expect(parts.flatMap(({ inlineData }) => inlineData ?? [])).toEqual([{ mimeType: 'image/png', data: file.data }])
  contents.push({ role: 'model', parts }, { role: 'user', parts: [{ text: 'Go on.' }] })
  await client(script).models.generateContent(params)
  expect(script.failures).toEqual([])
  expect(script.requests[1]!.messages[1]).toEqual({ role: 'assistant', text: 'Here it is.', files: [file] })
  expect(script.answers.map(({ files }) => files)).toEqual([[file], undefined])
})

test("[LLM-1] the vendor's own client reads errors and cut connections as such", async () => {
  const script = play({ status: 503, message: 'Overloaded.' }, { drop: 'mid-stream' })
  const params = { model: script.model, contents: 'Hello.' }
  await expect(client(script).models.generateContent(params)).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('Overloaded.'),
  })
  const chunks = await client(script).models.generateContentStream(params)
  const read = async () => {
    for await (const _ of chunks);
  }
  await expect(read()).rejects.toThrow('terminated')
})
