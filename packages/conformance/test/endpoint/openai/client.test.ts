import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelEndpoint, openModelEndpoint } from '../../../src/endpoint/endpoint.ts'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'

let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

const callStep = {
  text: 'Let me look.',
  calls: [
    { tool: 'Bash', input: { command: 'git status' } },
    { tool: 'Read', input: { file_path: 'docs/größe.md' } },
  ],
} satisfies ScriptStep

const client = ({ baseURL, apiKey }: Play) => new OpenAI({ baseURL, apiKey, maxRetries: 0 })

test("[LLM-1] the vendor's own client goes through calls side by side, whole and streamed, and gives them back", async () => {
  const play = endpoint.play([callStep, callStep, { text: 'Done.' }])
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Look.' }]
  const params = { model: play.model, messages }
  const { completions } = client(play).chat
  for (const stream of [false, true]) {
    const completion = stream
      ? await completions.stream(params).finalChatCompletion()
      : await completions.create(params)
    const { message, finish_reason: reason } = completion.choices[0]!
    expect(reason).toBe('tool_calls')
    messages.push(message)
    const calls = (message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []))
    expect(calls.map((call) => JSON.parse(call.function.arguments))).toEqual([
      { command: 'git status' },
      { file_path: 'docs/größe.md' },
    ])
    messages.push(...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: `of ${id}` })))
  }
  expect((await completions.create(params)).choices[0]!.message.content).toBe('Done.')
  expect(play.failures).toEqual([])
  const results = play.requests.at(-1)!.messages.filter(({ role }) => role === 'tool')
  expect(results.map((each) => [each.callId, each.text])).toEqual(
    ['call_1_1', 'call_1_2', 'call_2_1', 'call_2_2'].map((id) => [id, `of ${id}`]),
  )
})

test('[CONF-8] sends reasoning beside the text, whole and streamed, and reads it from what comes back', async () => {
  const reasoning = { text: 'Größe first.\nThen the rest.' }
  const play = endpoint.play([
    { ...callStep, reasoning },
    { ...callStep, reasoning: { ...reasoning, hidden: true } },
    { text: '' },
  ])
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Look.' }]
  const params = { model: play.model, messages }
  const { completions } = client(play).chat
  const whole = (await completions.create(params)).choices[0]!.message
  expect(whole).toMatchObject({ reasoning_content: reasoning.text, content: 'Let me look.' })
  let streamed = ''
  for await (const { choices } of await completions.create({ ...params, stream: true })) {
    streamed += (choices[0]!.delta as { reasoning_content?: string }).reasoning_content ?? ''
  }
  expect(streamed).toBe(reasoning.text)
  const results = whole.tool_calls!.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'x' }))
  await completions.create({ ...params, messages: [...messages, whole, ...results] })
  expect(play.failures).toEqual([])
  expect(play.requests[2]!.messages[1]).toMatchObject({ role: 'assistant', reasoning: reasoning.text })
})

test("[LLM-1] the vendor's own client reads errors and cut connections as such", async () => {
  const play = endpoint.play([{ status: 503, message: 'Overloaded.' }, { drop: 'mid-stream' }])
  const params = { model: play.model, messages: [{ role: 'user' as const, content: 'Hello.' }] }
  const { completions } = client(play).chat
  await expect(completions.create(params)).rejects.toMatchObject({
    status: 503,
    error: { message: 'Overloaded.', type: 'server_error' },
  })
  await expect(completions.stream(params).finalChatCompletion()).rejects.toThrow('terminated')
})
