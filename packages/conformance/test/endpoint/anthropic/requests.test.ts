import { expect, test } from 'vitest'
import { ask, askAnthropic, useEndpoint } from '../vendors.ts'
import { hello } from './talk.ts'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'anthropic' })

test('[LLM-1] requests become the same shape as those of other protocols', async () => {
  const model = play({ text: 'Yes.' })
  const body = hello({
    stream: true,
    system: [
      { type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: '.' },
    ],
    tools: [
      { name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object', properties: {} } },
      { type: 'custom', name: 'Read', input_schema: { type: 'object', required: ['p'] } },
    ],
    tool_choice: { type: 'tool', name: 'Read' },
    messages: [
      { role: 'user', content: 'Look.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Twice' },
          { type: 'image', source: {} },
          { type: 'text', text: '!' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'dGhvdWdodDogSG0u' },
          { type: 'text', text: 'Two looks.' },
          { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'ls' } },
          { type: 'tool_use', id: 'b', name: 'Read', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'b',
            is_error: true,
            content: [
              { type: 'text', text: 'no ' },
              { type: 'text', text: 'file' },
            ],
          },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a' },
          { type: 'text', text: 'Go on.' },
        ],
      },
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Mind the ' },
          { type: 'text', text: 'budget.' },
        ],
      },
    ],
  })
  await askAnthropic(model, body)
  expect(model.failures).toEqual([])
  expect(model.requests).toEqual([
    {
      system: 'Be brief.\n\nMind the budget.',
      tools: [
        { name: 'Bash', description: 'Runs a command.', inputSchema: { type: 'object', properties: {} } },
        { name: 'Read', description: '', inputSchema: { type: 'object', required: ['p'] } },
      ],
      messages: [
        { role: 'user', text: 'Look.' },
        { role: 'user', text: 'Twice!' },
        {
          role: 'assistant',
          text: 'Two looks.',
          reasoning: 'Hm.',
          calls: [
            { id: 'a', tool: 'Bash', arguments: '{"command":"ls"}' },
            { id: 'b', tool: 'Read', arguments: '{}' },
          ],
        },
        { role: 'tool', text: 'no file', callId: 'b' },
        { role: 'tool', text: '', callId: 'a' },
        { role: 'user', text: 'Go on.' },
      ],
      stream: true,
      raw: body,
    },
  ])
})

test('[LLM-1] requests are refused without the key of the play, and of another version', async () => {
  const model = play({ text: 'Secret.' })
  const other = play()
  const version = { 'anthropic-version': '2023-06-01' }
  const cases: [Record<string, string>, number, string][] = [
    [version, 401, 'authentication_error'],
    [{ ...version, authorization: `Bearer ${other.apiKey}` }, 401, 'authentication_error'],
    [{ ...version, authorization: model.apiKey }, 401, 'authentication_error'],
    [{ ...version, 'x-api-key': other.apiKey }, 401, 'authentication_error'],
    [{ ...version, 'x-api-key': '', authorization: `Bearer ${model.apiKey}` }, 401, 'authentication_error'],
    [{ 'x-api-key': model.apiKey }, 400, 'invalid_request_error'],
    [{ 'x-api-key': model.apiKey, 'anthropic-version': '2022-01-01' }, 400, 'invalid_request_error'],
  ]
  for (const [headers, status, type] of cases) {
    const response = await ask(model, '/v1/messages', hello(), headers)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ type: 'error', error: { type } })
  }
  expect(model.failures).toHaveLength(cases.length)
  expect(model.requests).toEqual([])
  expect(other.failures).toEqual([])
})

test.each([
  ['GET', '/v1/messages', 405],
  ['GET', '/v1/messages/count_tokens', 405],
  ['POST', '/messages', 404],
  ['POST', '/v1/chat/completions', 404],
  ['POST', '/v1/v1/messages', 404],
])('[LLM-1] requests are refused at %s %s with %i', async (method, path, status) => {
  const model = play()
  const headers = { 'x-api-key': model.apiKey, 'anthropic-version': '2023-06-01' }
  const response = await fetch(model.baseURL + path, { method, headers })
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ type: 'error' })
  expect(model.failures).toEqual([
    expect.stringContaining('Known are POST /v1/messages and /v1/messages/count_tokens, below '),
  ])
})
