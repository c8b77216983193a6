import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { callStep, useEndpoint } from '../vendors.ts'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'anthropic' })

const client = ({ baseURL, apiKey }: Play) => new Anthropic({ baseURL, apiKey, maxRetries: 0 })
const params = { model: 'claude-any', max_tokens: 100 }

test("[LLM-1] the vendor's own client goes through calls side by side, whole and streamed, and gives them back", async () => {
  const model = play(callStep, callStep, { text: 'Done.' })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Look.' }]
  for (const [stream, text] of [
    [false, 'a'],
    [true, 'b'],
  ] as const) {
    const message = stream
      ? await client(model)
          .messages.stream({ ...params, messages })
          .finalMessage()
      : await client(model).messages.create({ ...params, messages })
    expect(message.stop_reason).toBe('tool_use')
    messages.push({ role: 'assistant', content: message.content })
    const calls = message.content.filter((block) => block.type === 'tool_use')
    expect(calls.map(({ input }) => input)).toEqual([{ command: 'git status' }, { file_path: 'docs/größe.md' }])
    // The script has one id for both steps, which the vendor refuses.
    for (const [index, call] of calls.entries()) call.id = `toolu_${text}${index}`
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: text })),
    })
  }
  const last = await client(model).messages.create({ ...params, messages })
  expect(last.content).toEqual([{ type: 'text', text: 'Done.' }])
  expect(model.failures).toEqual([])
  expect(model.requests.at(-1)!.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'tool',
    'assistant',
    'tool',
    'tool',
  ])
})

test.each([
  ['in JSON', false],
  ['as a stream', true],
])('[CONF-8] sends thinking %s, shown and redacted, and reads it from what comes back', async (_, stream) => {
  const thought = { text: 'Größe first.\nThen the rest.' }
  const model = play(
    { ...callStep, reasoning: thought },
    { text: 'So.', reasoning: { ...thought, hidden: true } },
    { text: 'Done.' },
  )
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Look.' }]
  const asked = async () => {
    const { content } = stream
      ? await client(model)
          .messages.stream({ ...params, messages })
          .finalMessage()
      : await client(model).messages.create({ ...params, messages })
    messages.push({ role: 'assistant', content })
    return content
  }
  const first = await asked()
  expect(first.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use'])
  expect(first[0]).toMatchObject({ thinking: thought.text, signature: expect.stringMatching(/^[\w+/]+=*$/) })
  const calls = first.filter((block) => block.type === 'tool_use')
  messages.push({
    role: 'user',
    content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })),
  })
  expect((await asked()).map(({ type }) => type)).toEqual(['redacted_thinking', 'text'])
  messages.push({ role: 'user', content: 'Go on.' })
  await asked()
  expect(model.failures).toEqual([])
  const said = model.requests[2]!.messages.filter(({ role }) => role === 'assistant')
  expect(said.map(({ reasoning }) => reasoning)).toEqual([thought.text, thought.text])
})

test("[LLM-1] the vendor's own client reads errors and cut connections as such", async () => {
  const model = play({ status: 529, message: 'Overloaded.' }, { drop: 'mid-stream' })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Hello.' }]
  await expect(client(model).messages.create({ ...params, messages })).rejects.toMatchObject({
    status: 529,
    error: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded.' } },
  })
  await expect(
    client(model)
      .messages.stream({ ...params, messages })
      .finalMessage(),
  ).rejects.toThrow('terminated')
})

test("[LLM-1] the vendor's own client counts tokens, which takes no step of the script", async () => {
  const model = play({ text: 'Done.' })
  const count = (content: string) =>
    client(model).messages.countTokens({ model: 'claude-any', messages: [{ role: 'user', content }] })
  const { input_tokens: few } = await count('Hello.')
  const { input_tokens: many } = await count('Hello. '.repeat(100))
  expect(many).toBeGreaterThan(few)
  expect(model.requests).toEqual([])
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Hello.' }]
  expect((await client(model).messages.create({ ...params, messages })).content).toMatchObject([{ text: 'Done.' }])
  expect(model.failures).toEqual([])
})

test.each<[string, object, RegExp]>([
  ['with a limit', { max_tokens: 100 }, /max_tokens: Extra inputs are not permitted/],
  ['with no message', { messages: [] }, /is empty/],
])('[LLM-1] refuses to count tokens of a body %s, as Anthropic does, and notes it', async (_, more, message) => {
  const model = play()
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Hello.' }]
  const counted = client(model).messages.countTokens({ model: 'claude-any', messages, ...more })
  await expect(counted).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) })
  expect(model.failures).toEqual([expect.stringMatching(message)])
})
