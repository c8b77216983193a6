import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import type { AnswerEnd } from '../../src/endpoint/dialect.ts'
import type { ProtocolName } from '../../src/endpoint/protocols.ts'
import type { ScriptStep } from '../../src/endpoint/script.ts'
import { ask, callStep, FORMS, hear, readEvents, useEndpoint, type Wire, WIRES } from './wires.ts'

const endpoint = useEndpoint()
const play = ({ protocol }: Wire, ...script: ScriptStep[]) => endpoint().play(script, { protocol })

/** Arguments as a value: the text if it is not JSON, no arguments if it is empty. */
function valueOf(written: string): unknown {
  if (written === '') return {}
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}

describe.each(FORMS)('%s %s', (_protocol, _form, wire, stream) => {
  /** What a wire has of arguments: the text, or the value. */
  const carried = (written: string) =>
    wire === WIRES.gemini || (wire === WIRES.anthropic && !stream) ? valueOf(written) : written

  test('[CONF-1, CONF-8, LLM-1] says a text, and asks for tools with ids that the script can foretell', async () => {
    const reasoning = { text: 'Größe first.\nThen the rest.' }
    const model = play(
      wire,
      { text: 'Good day.' },
      { ...callStep, reasoning },
      { calls: [{ tool: 'Bash', input: {} }] },
    )
    const nothing = { model: 'any-model', refusal: '', reasoning: '' }
    const said = await hear(await ask(model, wire, { stream }), wire)
    expect(said).toMatchObject({ ...nothing, text: 'Good day.', calls: [] })
    expect(await hear(await ask(model, wire, { stream }), wire)).toMatchObject({
      text: 'Let me look.',
      reasoning: reasoning.text,
      calls: [
        { id: 'call_2_1', tool: 'Bash', input: carried('{"command":"git status"}') },
        { id: 'mine', tool: 'Read', input: carried('{"file_path":"docs/größe.md"}') },
      ],
    })
    const calls = [{ id: 'call_3_1', tool: 'Bash', input: carried('{}') }]
    expect(await hear(await ask(model, wire, { stream }), wire)).toMatchObject({ ...nothing, text: '', calls })
    expect(model.failures).toEqual([])
    expect(model.requests.map((request) => request.stream)).toEqual([stream, stream, stream])
  })

  test('[CONF-1, CONF-8, LLM-1] lets any text and any arguments survive', { timeout: 60_000 }, async () => {
    const anyText = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme', maxLength: 300 }))
    const input = fc.record({ raw: fc.oneof(anyText, fc.json()) })
    const call = fc.record({ tool: fc.constantFrom('Bash', 'Read'), input })
    await fc.assert(
      fc.asyncProperty(anyText, anyText, fc.array(call, { maxLength: 3 }), async (thought, text, calls) => {
        const model = play(wire, { text, calls, reasoning: { text: thought } })
        const heard = await hear(await ask(model, wire, { stream }), wire)
        expect([heard.text, heard.reasoning]).toEqual([text, thought])
        const sent = calls.map(({ tool, input: { raw } }, n) => ({ id: `call_1_${n + 1}`, tool, input: carried(raw) }))
        expect(heard.calls).toEqual(sent)
        model.close()
      }),
      { numRuns: 40 },
    )
  })

  /** The reasons in the vendors' words: as usual, with calls, at the limit, and for a refusal. */
  const REASONS: Readonly<Record<ProtocolName, readonly string[]>> = {
    openai: ['stop', 'tool_calls', 'length', 'stop'],
    'openai-responses': ['completed', 'completed', 'max_output_tokens', 'completed'],
    anthropic: ['end_turn', 'tool_use', 'max_tokens', 'refusal'],
    gemini: ['STOP', 'STOP', 'MAX_TOKENS', 'SAFETY'],
  }

  test("[CONF-1, CONF-8] says why the answer ends, and in OpenAI's words what is refused", async () => {
    const text = 'I cannot help with that.'
    const model = play(wire, { text }, callStep, { text, end: 'length' }, { text, end: 'refusal' })
    const heard = []
    for (const _ of [1, 2, 3, 4]) heard.push(await hear(await ask(model, wire, { stream }), wire))
    expect(heard.map(({ reason }) => reason)).toEqual(REASONS[wire.protocol])
    expect(heard[2]).toMatchObject({ text, refusal: '' })
    const refused = wire === WIRES.openai || wire === WIRES.responses
    expect(heard[3]).toMatchObject(refused ? { text: '', refusal: text } : { text, refusal: '' })
    expect(model.answers.map(({ end }) => end)).toEqual([undefined, undefined, 'length', 'refusal'])
  })

  test('[CONF-1] cuts calls off at the limit as the script has them', async () => {
    const calls = [{ tool: 'Bash', input: { raw: '{"comm' } }]
    const model = play(wire, { calls, end: 'length' })
    const heard = await hear(await ask(model, wire, { stream }), wire)
    expect(heard).toMatchObject({ reason: REASONS[wire.protocol][2], calls: [{ tool: 'Bash', input: '{"comm' }] })
  })

  test('[CONF-1] answers under another name than the one asked for', async () => {
    const model = play(wire, { text: 'Hello.', model: 'another' }, { text: 'Hello.' })
    expect((await hear(await ask(model, wire, { stream }), wire)).model).toBe('another')
    expect((await hear(await ask(model, wire, { stream }), wire)).model).toBe('any-model')
  })

  /** What of an answer is missing, whether its body ends, and whether it has begun. */
  test.each<[AnswerEnd | undefined, boolean, boolean]>([
    [undefined, true, true],
    ['early', true, false],
    ['cut', false, false],
  ])('[CONF-1] ends %s: the body ends %s, and is complete %s', async (end, ends, isComplete) => {
    const model = play(wire, { ...callStep, ...(end !== undefined && { end }) }, { text: 'Again.' })
    const response = await ask(model, wire, { stream })
    expect(response.status).toBe(200)
    let received = ''
    const read = (async () => {
      for await (const bytes of response.body!) received += new TextDecoder().decode(bytes, { stream: true })
    })()
    if (ends) await read
    else await expect(read).rejects.toThrow('terminated')
    expect(received).toContain(wire === WIRES.gemini ? 'candidates' : 'any-model')
    if (stream) expect(received.includes(wire.last)).toBe(isComplete)
    else if (isComplete) JSON.parse(received)
    else expect(() => JSON.parse(received)).toThrow(/JSON/)
    expect(await hear(await ask(model, wire, { stream }), wire)).toMatchObject({ text: 'Again.' })
    expect(model.failures).toEqual([])
  })

  test('[CONF-1] cuts the connection before anything is sent', async () => {
    const model = play(wire, { text: 'Never.', end: 'unsent' })
    await expect(ask(model, wire, { stream })).rejects.toThrow('fetch failed')
    expect(model.requests).toHaveLength(1)
    expect(model.failures).toEqual([])
  })
})

test.each(FORMS.filter(([, , , stream]) => stream))(
  '[CONF-1] %s %s says everything before an early end',
  async (_, _form, wire) => {
    const model = play(wire, { ...callStep, end: 'early' })
    const heard = wire.read(wire.join(await readEvents(await ask(model, wire, { stream: true }))))
    expect(heard).toMatchObject({ text: 'Let me look.', calls: [{ tool: 'Bash' }, { tool: 'Read' }] })
    expect(['stop', 'completed', 'end_turn', 'STOP']).not.toContain(heard.reason)
  },
)

/** Errors in the vendors' words. */
test.each<[Wire, number, object]>([
  [WIRES.openai, 400, { type: 'invalid_request_error', param: null, code: null }],
  [WIRES.openai, 429, { type: 'rate_limit_error' }],
  [WIRES.openai, 500, { type: 'server_error' }],
  [WIRES.responses, 400, { type: 'invalid_request_error', param: null, code: null }],
  [WIRES.responses, 429, { type: 'rate_limit_error' }],
  [WIRES.responses, 500, { type: 'server_error' }],
  [WIRES.anthropic, 400, { type: 'invalid_request_error' }],
  [WIRES.anthropic, 404, { type: 'not_found_error' }],
  [WIRES.anthropic, 409, { type: 'invalid_request_error' }],
  [WIRES.anthropic, 429, { type: 'rate_limit_error' }],
  [WIRES.anthropic, 500, { type: 'api_error' }],
  [WIRES.anthropic, 529, { type: 'overloaded_error' }],
  [WIRES.gemini, 400, { code: 400, status: 'INVALID_ARGUMENT' }],
  [WIRES.gemini, 404, { code: 404, status: 'NOT_FOUND' }],
  [WIRES.gemini, 409, { code: 409, status: 'ABORTED' }],
  [WIRES.gemini, 429, { code: 429, status: 'RESOURCE_EXHAUSTED' }],
  [WIRES.gemini, 500, { code: 500, status: 'INTERNAL' }],
  [WIRES.gemini, 503, { code: 503, status: 'UNAVAILABLE' }],
  [WIRES.gemini, 504, { code: 504, status: 'DEADLINE_EXCEEDED' }],
])('[CONF-1, LLM-1] $0.protocol answers with the error %i as %o', async (wire, status, error) => {
  const model = play(wire, { status, message: 'Not now.' })
  const response = await ask(model, wire)
  expect(response.status).toBe(status)
  const body = (await response.json()) as { error: object; request_id?: string }
  expect(body.error).toMatchObject({ ...error, message: 'Not now.' })
  expect(response.headers.get('request-id')).toBe(body.request_id ?? null)
  expect(body.request_id === undefined).toBe(wire !== WIRES.anthropic)
  expect(model.failures).toEqual([])
})
