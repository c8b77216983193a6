import { expect, test } from 'vitest'
import type { ScriptStep } from '../../src/endpoint/script.ts'
import { ask, useEndpoint, WIRES } from './wires.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]) => endpoint().play(script, { protocol: 'openai-responses' })

const user = { role: 'user', content: 'Hello.' }
const thinking: ScriptStep = { calls: [{ tool: 'Bash', input: {} }], reasoning: { text: 'Hm.' } }
const output = { type: 'function_call_output', call_id: 'call_1_1', output: 'ok' }
const reference = ({ id }: { id: string }) => ({ type: 'item_reference', id })

const send = async (model: ReturnType<typeof play>, body: object) => {
  const response = await ask(model, WIRES.responses, { body: { ...WIRES.responses.hello, ...body } })
  return { status: response.status, answer: (await response.json()) as any }
}
const ENCRYPTED = { include: ['reasoning.encrypted_content'] }

test.each<[string, (thought: any, called: any) => unknown[], number, string]>([
  ['reasoning without what it led to', (thought) => [thought], 400, 'without its required following item'],
  ['reasoning and then the user', (thought) => [thought, user], 400, 'without its required following item'],
  ['a call without its reasoning', (_, called) => [called, output], 400, "without its required 'reasoning' item"],
  ['a reference to such a call', (_, called) => [reference(called), output], 400, "its required 'reasoning' item"],
  ['a reference twice', (thought) => [reference(thought), reference(thought)], 400, 'input[2] is a duplicate item'],
  [
    'changed reasoning',
    (thought, called) => [{ ...thought, encrypted_content: 'dGhvdWdodDogAA' }, called, output],
    400,
    'could not be verified',
  ],
  ['a reference to nothing', () => [reference({ id: 'msg_none' })], 404, "Item with id 'msg_none' not found"],
  ['reasoning of nobody', () => [{ type: 'reasoning', summary: [], id: 'rs_none' }], 404, "id 'rs_none' not found"],
])('[CONF-8] %s is refused, and noted', async (_, input, status, message) => {
  const model = play(thinking, { text: 'Not played.' })
  const [thought, called] = (await send(model, ENCRYPTED)).answer.output
  const refused = await send(model, { input: [user, ...input(thought, called)] })
  expect(refused.status).toBe(status)
  expect(refused.answer).toMatchObject({ error: { message: expect.stringContaining(message) } })
  expect(model.failures).toEqual([expect.stringContaining(message)])
})

test.each<[string, object, (thought: any, called: any) => unknown[]]>([
  ['unchanged', {}, (thought, called) => [thought, called]],
  ['by its id alone', {}, ({ id }, called) => [{ type: 'reasoning', summary: [], id }, called]],
  ['by references', {}, (thought, called) => [thought, called].map(reference)],
  ['encrypted and not stored', { store: false }, (thought, called) => [thought, called]],
  ['without ids', { store: false }, (...items) => items.map((item) => ({ ...item, id: undefined }))],
])('[CONF-8] reasoning is read when it is sent back %s', async (_, more, input) => {
  const model = play(thinking, { text: 'Yes.' })
  const [thought, called] = (await send(model, { ...ENCRYPTED, ...more })).answer.output
  await send(model, { input: [user, ...input(thought, called), output] })
  expect(model.failures).toEqual([])
  const calls = [{ id: 'call_1_1', tool: 'Bash', arguments: '{}' }]
  expect(model.requests[1]!.messages[1]).toEqual({ role: 'assistant', text: '', reasoning: 'Hm.', calls })
})

test.each([
  ['that nobody has made', () => 'resp_none'],
  ['that is the id of an item', ([thought]: any[]) => thought.id],
])('[CONF-8] a previous response %s is refused with a code, and noted', async (_, idOf) => {
  const model = play(thinking)
  const id = idOf((await send(model, {})).answer.output)
  const refused = await send(model, { previous_response_id: id })
  expect(refused.status).toBe(400)
  expect(refused.answer).toMatchObject({ error: { code: 'previous_response_not_found' } })
  expect(model.failures).toHaveLength(1)
})

test('[CONF-8] a call of a previous response needs its result in the next', async () => {
  const model = play(thinking, { text: 'Done.' })
  const { id } = (await send(model, {})).answer
  expect((await send(model, { previous_response_id: id })).status).toBe(400)
  expect(model.failures).toEqual([expect.stringContaining('before the results of these calls: "call_1_1"')])
  expect((await send(model, { previous_response_id: id, input: [output] })).status).toBe(200)
})

test('[CONF-8] the instructions of an earlier response do not apply to the next', async () => {
  const model = play({ text: 'One.' }, { text: 'Two.' })
  const { id } = (await send(model, { instructions: 'Be brief.' })).answer
  const input = [{ role: 'developer', content: 'Be kind.' }]
  await send(model, { input, previous_response_id: id, instructions: 'Be exact.' })
  expect(model.requests.map(({ system }) => system)).toEqual(['Be brief.', 'Be exact.\n\nBe kind.'])
})
