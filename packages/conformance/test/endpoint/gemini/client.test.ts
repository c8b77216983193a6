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
  await expect(read()).rejects.toThrow()
})
