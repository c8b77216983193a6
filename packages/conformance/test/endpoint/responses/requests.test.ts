import { expect, test } from 'vitest'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'
import { ask, useEndpoint } from '../vendors.ts'
import { askResponses, hello } from './talk.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'openai-responses' })

test('[CONF-8] requests become the same shape as those of other protocols', async () => {
  const model = play({ text: 'Yes.' })
  const body = hello({
    stream: true,
    instructions: 'Be brief.',
    tools: [
      {
        type: 'function',
        name: 'Bash',
        description: 'Runs a command.',
        parameters: { type: 'object', properties: {} },
      },
      {
        type: 'function',
        name: 'Read',
        strict: true,
        parameters: { type: 'object', properties: { p: {} }, required: ['p'], additionalProperties: false },
      },
      { type: 'function', name: 'Now', parameters: null, strict: null },
      { type: 'apply_patch' },
    ],
    tool_choice: { type: 'function', name: 'Read' },
    input: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Look.' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Twice' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
          { type: 'input_file', file_id: 'file-1' },
          { type: 'input_text', text: '!' },
        ],
      },
      {
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        content: [
          { type: 'output_text', text: 'Two ' },
          { type: 'refusal', refusal: 'No.' },
          { type: 'output_text', text: 'looks.' },
        ],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'Bash', arguments: '{"command":"ls"}' },
      { type: 'function_call', call_id: 'b', name: 'Read', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'b',
        output: [
          { type: 'input_text', text: 'no ' },
          { type: 'input_text', text: 'file' },
        ],
      },
      { type: 'function_call_output', call_id: 'a', output: '' },
      { role: 'assistant', content: 'Nothing.' },
      { role: 'assistant', content: 'At all.' },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Mind the budget.' }] },
      { role: 'user', content: 'Go on.' },
    ],
  })
  await askResponses(model, body)
  expect(model.failures).toEqual([])
  expect(model.requests).toEqual([
    {
      system: 'Be brief.\n\nBe kind.\n\nMind the budget.',
      tools: [
        { name: 'Bash', description: 'Runs a command.', inputSchema: { type: 'object', properties: {} } },
        {
          name: 'Read',
          description: '',
          inputSchema: { type: 'object', properties: { p: {} }, required: ['p'], additionalProperties: false },
        },
        { name: 'Now', description: '', inputSchema: { type: 'object', properties: {} } },
        { name: 'apply_patch', description: '', inputSchema: { type: 'object' } },
      ],
      messages: [
        { role: 'user', text: 'Look.' },
        { role: 'user', text: 'Twice!' },
        {
          role: 'assistant',
          text: 'Two looks.',
          calls: [
            { id: 'a', tool: 'Bash', arguments: '{"command":"ls"}' },
            { id: 'b', tool: 'Read', arguments: '{}' },
          ],
        },
        { role: 'tool', text: 'no file', callId: 'b' },
        { role: 'tool', text: '', callId: 'a' },
        { role: 'assistant', text: 'Nothing.' },
        { role: 'assistant', text: 'At all.' },
        { role: 'user', text: 'Go on.' },
      ],
      stream: true,
      raw: body,
    },
  ])
})

test('[CONF-8] requests are refused without the key of the play', async () => {
  const model = play({ text: 'Secret.' })
  const other = play()
  const wrong: readonly Readonly<Record<string, string>>[] = [
    {},
    { authorization: `Bearer ${other.apiKey}` },
    { authorization: model.apiKey },
  ]
  for (const headers of wrong) {
    const response = await ask(model, '/responses', hello(), headers)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } })
  }
  expect(model.failures).toHaveLength(3)
  expect(model.requests).toEqual([])
})

test.each([
  ['GET', '/responses', 405],
  ['POST', '/chat/completions', 404],
  ['GET', '/responses/resp_1', 404],
  ['POST', '/responses/compact', 404],
])('[CONF-8] requests are refused at %s %s with %i', async (method, path, status) => {
  const model = play()
  const response = await fetch(model.baseURL + path, { method, headers: { authorization: `Bearer ${model.apiKey}` } })
  expect(response.status).toBe(status)
  expect(model.failures).toEqual([expect.stringContaining('Known are POST /responses, below ')])
})
