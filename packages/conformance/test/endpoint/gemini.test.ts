import { describe, expect, test } from 'vitest'
import type { ScriptStep } from '../../src/endpoint/script.ts'
import { ask, useEndpoint, WIRES } from './wires.ts'

const endpoint = useEndpoint()
const play = (...script: ScriptStep[]) => endpoint().play(script, { protocol: 'gemini' })
type Model = ReturnType<typeof play>

const text = { text: 'Hello.' }
const user = (...parts: unknown[]) => ({ role: 'user', parts })
const model = (...parts: unknown[]) => ({ role: 'model', parts })

/** A call and its response as a client that keeps no ids gives them back. */
const called = (name: string, args: unknown = {}) => ({ functionCall: { name, args }, thoughtSignature: 'c2lnbmVk' })
const gave = (name: string, response: unknown = { output: 'ok' }) => ({ functionResponse: { name, response } })

const send = (script: Model, contents: unknown[] = [user(text)]) => ask(script, WIRES.gemini, { body: { contents } })

test.each<[object, string]>([
  [{ output: 'text' }, 'text'],
  [{ result: '' }, ''],
  [{ error: 'It broke.' }, 'It broke.'],
  [{ name: 'Bash', content: 'as the AI SDK has it' }, 'as the AI SDK has it'],
  [{ result: [1, null] }, '[1,null]'],
  [{ output: null }, 'null'],
  [{ lines: 3 }, '{"lines":3}'],
  [{ output: 'a', more: 'b' }, '{"output":"a","more":"b"}'],
  [{ name: 'Bob', output: 'a' }, '{"name":"Bob","output":"a"}'],
  [{}, '{}'],
])('[LLM-1] requests have the response %j as the text %j', async (response, shown) => {
  const script = play({ text: 'Yes.' })
  await send(script, [user(text), model(called('Bash')), user(gave('Bash', response))])
  expect(script.failures).toEqual([])
  expect(script.requests[0]!.messages.at(-1)!.text).toBe(shown)
})

describe('requests of a client that keeps no ids', () => {
  const step = (...calls: [string, unknown][]): ScriptStep => ({
    calls: calls.map(([tool, input]) => ({ tool, input })),
  })
  const resultsOf = (script: Model) =>
    script.requests.at(-1)!.messages.flatMap(({ callId, text: said }) => (callId === undefined ? [] : [[callId, said]]))
  const bash = (n: number) => model(called('Bash', { n }))

  test('[LLM-1] have the ids of the script, found by what was said, and results by order and name', async () => {
    const script = play(step(['Bash', { n: 1 }]), step(['Bash', { n: 2 }], ['Read', {}], ['Bash', { n: 3 }]), text)
    const contents = [user(text)]
    await send(script, contents)
    contents.push(bash(1), user(gave('Bash')))
    await send(script, contents)
    contents.push(model(called('Bash', { n: 2 }), called('Read'), called('Bash', { n: 3 })))
    contents.push(user(gave('Read', { output: 'r' }), gave('Bash', { output: '2' }), gave('Bash', { output: '3' })))
    await send(script, contents)
    expect(script.failures).toEqual([])
    const ids = script.requests.at(-1)!.messages.flatMap(({ calls = [] }) => calls.map(({ id }) => id))
    expect(ids).toEqual(['call_1_1', 'call_2_1', 'call_2_2', 'call_2_3'])
    expect(resultsOf(script)).toEqual([
      ['call_1_1', 'ok'],
      ['call_2_2', 'r'],
      ['call_2_1', '2'],
      ['call_2_3', '3'],
    ])
  })

  test('[LLM-1] are matched from the end if the beginning is gone, and by name if arguments were fixed', async () => {
    const script = play(...[1, 2, 3].map((n) => step(['Bash', { n }])), text)
    for (const _ of [1, 2, 3]) await send(script)
    const fixed = model(called('Bash', { m: 3 }))
    await send(script, [user(text), bash(2), user(gave('Bash')), fixed, user(gave('Bash'))])
    expect(script.failures).toEqual([])
    expect(resultsOf(script).map(([id]) => id)).toEqual(['call_2_1', 'call_3_1'])
  })

  test('[LLM-1] are told apart if the model said the same thing again', async () => {
    const script = play(step(['Bash', { n: 1 }]), step(['Bash', { n: 1 }]), text, text)
    for (const _ of [1, 2]) await send(script)
    const round = [bash(1), user(gave('Bash'))]
    await send(script, [user(text), ...round, ...round])
    expect(resultsOf(script).map(([id]) => id)).toEqual(['call_1_1', 'call_2_1'])
    await send(script, [user(text), ...round])
    expect(resultsOf(script).map(([id]) => id)).toEqual(['call_2_1'])
  })

  test('[LLM-1] keep the ids in a play that goes on after another', async () => {
    const first = play(step(['Bash', { n: 1 }]))
    await send(first)
    const second = endpoint().play([text], { protocol: 'gemini', after: first })
    await send(second, [user(text), bash(1), user(gave('Bash'))])
    expect(resultsOf(second)).toEqual([['call_1_1', 'ok']])
  })
})

describe('requests with calls of the turn that goes on', () => {
  const unsigned = { functionCall: { name: 'A', args: {} } }
  const done = user(gave('A'))
  const both = user(gave('A'), gave('A'))
  test.each<[string, string, boolean, unknown[]]>([
    ['without a signature', 'gemini-3-pro', false, [model(unsigned), done]],
    ['without one in the second step', 'gemini-4', false, [model(called('A')), done, model(unsigned), done]],
    ['with an empty one', 'gemini-3-pro', false, [model({ ...unsigned, thoughtSignature: '' }), done]],
    ['with one beside the first of two', 'gemini-3-pro', true, [model(called('A'), unsigned), both]],
    ['with one beside the second of two', 'gemini-3-pro', false, [model(unsigned, called('A')), both]],
    ['of an earlier turn without', 'gemini-3-pro', true, [model(unsigned), done, model(text), user(text)]],
    ['of an older model without', 'gemini-2.5-flash', true, [model(unsigned), done]],
  ])('[LLM-1] %s, of %s: taken %s', async (_, name, taken, contents) => {
    const script = play({ text: 'Yes.' })
    const path = `/v1beta/models/${name}:generateContent`
    const response = await ask(script, WIRES.gemini, { path, body: { contents: [user(text), ...contents] } })
    expect(response.status).toBe(taken ? 200 : 400)
    expect(script.failures).toEqual(taken ? [] : [expect.stringContaining('without its thoughtSignature')])
  })
})
