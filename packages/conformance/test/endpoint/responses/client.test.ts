import OpenAI from 'openai'
import { expect, test } from 'vitest'
import type { Play } from '../../../src/endpoint/play.ts'
import type { ScriptStep } from '../../../src/endpoint/script.ts'
import { callStep, useEndpoint } from '../vendors.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]): Play => endpoint().play(script, { protocol: 'openai-responses' })
const client = ({ baseURL, apiKey }: Play) => new OpenAI({ baseURL, apiKey, maxRetries: 0 }).responses

type Params = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'model' | 'stream'>

/** Asks with the vendor's own client, whole or streamed. */
async function asked(model: Play, stream: boolean, params: Params): Promise<OpenAI.Responses.Response> {
  const body = { model: model.model, ...params }
  return stream ? client(model).stream(body).finalResponse() : client(model).create(body)
}

const reasoning = { text: 'I should look.' }
const MODES = [
  ['in JSON', false],
  ['as a stream', true],
] as const

/** The conversation as the model reads it in the third request, however it was sent. */
const READ = [
  { role: 'user', text: 'Look.' },
  ...[1, 2].flatMap((step) => [
    {
      role: 'assistant',
      text: 'Let me look.',
      reasoning: 'I should look.',
      calls: [
        { id: `call_${step}_1`, tool: 'Bash', arguments: '{"command":"git status"}' },
        { id: `call_${step}_2`, tool: 'Read', arguments: '{"file_path":"docs/größe.md"}' },
      ],
    },
    { role: 'tool', callId: `call_${step}_1`, text: `of call_${step}_1` },
    { role: 'tool', callId: `call_${step}_2`, text: `of call_${step}_2` },
  ]),
]

const step: ScriptStep = { ...callStep, calls: callStep.calls.map(({ tool, input }) => ({ tool, input })), reasoning }

function outputsOf({ output }: OpenAI.Responses.Response) {
  return output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: `of ${item.call_id}` }]
      : [],
  )
}

test.each(MODES)(
  "[CONF-8] the vendor's own client goes through calls side by side %s, and gives back what it keeps itself",
  async (_, stream) => {
    const model = play(step, step, { text: 'Done.' })
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Look.' }]
    const params = { input, store: false, include: ['reasoning.encrypted_content' as const] }
    for (let number = 0; number < 2; number += 1) {
      const response = await asked(model, stream, params)
      input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]), ...outputsOf(response))
    }
    expect((await asked(model, stream, params)).output_text).toBe('Done.')
    expect(model.failures).toEqual([])
    expect(model.requests.at(-1)!.messages).toEqual(READ)
  },
)

test.each(MODES)(
  "[CONF-8] the vendor's own client goes on %s from what the vendor keeps: a response, or its items",
  async (_, stream) => {
    const model = play(step, step, { text: 'Done.' }, { text: 'Done again.' })
    const first = await asked(model, stream, { input: 'Look.' })
    const second = await asked(model, stream, { input: outputsOf(first), previous_response_id: first.id })
    const third = await asked(model, stream, { input: outputsOf(second), previous_response_id: second.id })
    expect(third.output_text).toBe('Done.')
    const reference = ({ id }: { id?: string | undefined }) => ({ type: 'item_reference' as const, id: id! })
    const referred = [first, second].flatMap((each) => [...each.output.map(reference), ...outputsOf(each)])
    await asked(model, stream, { input: [{ role: 'user', content: 'Look.' }, ...referred] })
    expect(model.failures).toEqual([])
    expect(model.requests.slice(2).map(({ messages }) => messages)).toEqual([READ, READ])
  },
)

test('[CONF-8] what the vendor keeps is kept for a play that continues the conversation', async () => {
  const model = play(step)
  const first = await asked(model, false, { input: 'Look.' })
  const later = endpoint().play([step], { protocol: 'openai-responses', after: model })
  await asked(later, false, { input: outputsOf(first), previous_response_id: first.id })
  expect(later.failures).toEqual([])
  expect(later.requests[0]!.messages).toEqual(READ.slice(0, 4))
})

test('[CONF-8] the instructions of an earlier response do not apply to the next', async () => {
  const model = play({ text: 'One.' }, { text: 'Two.' })
  const first = await asked(model, false, { input: 'Hello.', instructions: 'Be brief.' })
  const developer = { role: 'developer' as const, content: 'Be kind.' }
  await asked(model, false, { input: [developer], previous_response_id: first.id, instructions: 'Be exact.' })
  expect(model.requests.map(({ system }) => system)).toEqual(['Be brief.', 'Be exact.\n\nBe kind.'])
})

test("[CONF-8] the vendor's own client reads errors and cut connections as such", async () => {
  const model = play({ status: 503, message: 'Overloaded.' }, { drop: 'mid-stream' })
  await expect(asked(model, false, { input: 'Hello.' })).rejects.toMatchObject({
    status: 503,
    error: { message: 'Overloaded.', type: 'server_error' },
  })
  await expect(asked(model, true, { input: 'Hello.' })).rejects.toThrow('terminated')
})

test("[CONF-8] the vendor's own client reads what is not stored as its own errors", async () => {
  const model = play({ text: 'One.', reasoning }, { text: 'Two.', reasoning })
  const unstored = await asked(model, false, { input: 'Hello.', store: false })
  const next = { input: 'Go on.', previous_response_id: unstored.id }
  await expect(asked(model, false, next)).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' })
  const items = [
    ...(unstored.output as OpenAI.Responses.ResponseInputItem[]),
    { role: 'user' as const, content: 'Go on.' },
  ]
  await expect(asked(model, false, { input: items })).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('Items are not persisted'),
  })
})
