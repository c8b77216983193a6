import { expect, test } from 'vitest'
import type { ScriptStep } from '../../src/endpoint/script.ts'
import { ask, callStep, readEvents, useEndpoint, type Wire, WIRES } from './wires.ts'

const endpoint = useEndpoint()
const play = ({ protocol }: Wire, ...script: ScriptStep[]) => endpoint().play(script, { protocol })

const anyNumber = expect.any(Number)

/** What each vendor answers to "Hello." with "Good day.", field by field. */
test.each<[Wire, object]>([
  [
    WIRES.openai,
    {
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
      object: 'chat.completion',
      created: anyNumber,
      model: 'any-model',
      system_fingerprint: expect.any(String),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Good day.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: anyNumber,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens: 3,
        completion_tokens_details: { reasoning_tokens: 0 },
        total_tokens: anyNumber,
      },
    },
  ],
  [
    WIRES.responses,
    {
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
      object: 'response',
      created_at: anyNumber,
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      model: 'any-model',
      output: [
        {
          id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Good day.', annotations: [], logprobs: [] }],
        },
      ],
      parallel_tool_calls: true,
      previous_response_id: null,
      store: true,
      temperature: 1,
      tool_choice: 'auto',
      tools: [],
      top_p: 1,
      usage: {
        input_tokens: anyNumber,
        input_tokens_details: { cached_tokens: 2 },
        output_tokens: 3,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: anyNumber,
      },
    },
  ],
  [
    WIRES.anthropic,
    {
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      type: 'message',
      role: 'assistant',
      model: 'any-model',
      container: null,
      stop_details: null,
      content: [{ type: 'text', text: 'Good day.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: anyNumber,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 3,
        output_tokens: 3,
      },
    },
  ],
  [
    WIRES.gemini,
    {
      candidates: [{ content: { parts: [{ text: 'Good day.' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: anyNumber,
        cachedContentTokenCount: 2,
        candidatesTokenCount: 3,
        totalTokenCount: anyNumber,
      },
      modelVersion: 'any-model',
      responseId: expect.any(String),
    },
  ],
])('[CONF-1, CONF-8, LLM-1] $0.protocol: an answer has all that the vendor says', async (wire, whole) => {
  const response = await ask(play(wire, { text: 'Good day.' }), wire)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual(whole)
})

test.each(Object.values(WIRES).map((wire) => [wire.protocol, wire] as const))(
  '[CONF-1] %s: more text has more tokens, and they add up',
  async (_, wire) => {
    /** The counts of what was sent and what was answered, and their sum where the vendor gives it. */
    const usage = async (text: string, asked: string): Promise<number[]> => {
      const body = JSON.stringify(wire.hello).replace('Hello.', asked)
      const answer = (await (await ask(play(wire, { text }), wire, { body })).json()) as any
      const { usage: counts, usageMetadata: counted } = answer
      const [prompt, cached, said, sum] = [
        counts?.prompt_tokens ?? counts?.input_tokens ?? counted.promptTokenCount,
        counts?.cache_read_input_tokens ?? 0,
        counts?.completion_tokens ?? counts?.output_tokens ?? counted.candidatesTokenCount,
        counts?.total_tokens ?? counted?.totalTokenCount,
      ]
      return [prompt + cached, said, sum ?? prompt + said]
    }
    const [asked, said] = await usage('Yes.', 'Now?')
    const [askedMore, saidMore, sum] = await usage('Yes, and at once. '.repeat(50), 'Now, or never? '.repeat(50))
    expect(askedMore).toBeGreaterThan(asked! + 100)
    expect(saidMore).toBeGreaterThan(said! + 100)
    if (wire !== WIRES.anthropic) expect(sum).toBe(askedMore! + saidMore!)
  },
)

test('[CONF-1] chat completions stream a role, pieces of the content and of each call, and a finish reason', async () => {
  const chunks = await readEvents(await ask(play(WIRES.openai, callStep), WIRES.openai, { stream: true }))
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
  expect(chunks.every((chunk) => chunk.object === 'chat.completion.chunk' && !('usage' in chunk))).toBe(true)
  const deltas = chunks.map((chunk) => chunk.choices[0].delta)
  expect(deltas[0]).toEqual({ role: 'assistant', content: '', refusal: null })
  expect(deltas.filter((delta) => delta.content).length).toBeGreaterThan(2)
  const heads = deltas.flatMap((delta) => delta.tool_calls ?? []).filter((part) => part.id !== undefined)
  expect(heads).toEqual([
    { index: 0, id: 'call_1_1', type: 'function', function: { name: 'Bash', arguments: '' } },
    { index: 1, id: 'mine', type: 'function', function: { name: 'Read', arguments: '' } },
  ])
  expect(deltas.filter((delta) => delta.tool_calls?.[0].index === 1).length).toBeGreaterThan(3)
  expect(chunks.at(-1).choices).toEqual([{ index: 0, delta: {}, logprobs: null, finish_reason: 'tool_calls' }])
})

test('[CONF-1] chat completions add a chunk with the usage only if it was asked for', async () => {
  const body = { ...WIRES.openai.hello, stream_options: { include_usage: true } }
  const answer = await ask(play(WIRES.openai, { text: 'Good day.' }), WIRES.openai, { stream: true, body })
  const chunks = await readEvents(answer)
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 3 } })
  expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
})

const ENCRYPTED = { ...WIRES.responses.hello, include: ['reasoning.encrypted_content'] }

test('[CONF-8] Responses think, then say something, then call; an empty text has no message', async () => {
  const reasoning = { text: 'I should look.' }
  const model = play(
    WIRES.responses,
    { ...callStep, reasoning },
    { text: '', calls: [{ tool: 'Bash', input: {} }], reasoning: { ...reasoning, hidden: true } },
    { text: '' },
  )
  const answer = async (body: unknown): Promise<any> => (await ask(model, WIRES.responses, { body })).json()
  const { output, usage } = await answer(ENCRYPTED)
  expect(output.map(({ id }: any) => id.split('_')[0])).toEqual(['rs', 'msg', 'fc', 'fc'])
  expect(output[0]).toMatchObject({ type: 'reasoning', encrypted_content: expect.stringMatching(/^[\w+/]+=*$/) })
  expect(output[2]).toMatchObject({ type: 'function_call', arguments: '{"command":"git status"}', status: 'completed' })
  expect(usage.output_tokens_details.reasoning_tokens).toBe(4)
  expect((await answer(WIRES.responses.hello)).output).toEqual([
    { id: expect.stringMatching(/^rs_/), type: 'reasoning', summary: [] },
    expect.objectContaining({ type: 'function_call', call_id: 'call_2_1', arguments: '{}' }),
  ])
  expect(await answer(WIRES.responses.hello)).toMatchObject({ output: [{ content: [{ text: '' }] }] })
})

test('[CONF-8] Responses stream each item from its beginning to its end, and then the response', async () => {
  const model = play(WIRES.responses, { ...callStep, reasoning: { text: 'I should look.' } })
  const data = await readEvents(await ask(model, WIRES.responses, { stream: true, body: ENCRYPTED }))
  expect(data.map(({ sequence_number: number }) => number)).toEqual([...data.keys()])
  const types = data.map(({ type }) => type.replace('response.', ''))
  expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
    'created',
    'in_progress',
    'output_item.added',
    'reasoning_summary_part.added',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.done',
    'reasoning_summary_part.done',
    'output_item.done',
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'output_text.done',
    'content_part.done',
    'output_item.done',
    ...[1, 2].flatMap(() => [
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
    ]),
    'completed',
  ])
  expect(types.filter((type) => type === 'output_text.delta').length).toBeGreaterThan(2)
  expect(data[0].response).toMatchObject({ status: 'in_progress', output: [], usage: null })
  const { response: completed } = data.at(-1)
  expect(completed).toMatchObject({ id: data[0].response.id, status: 'completed' })
  expect(completed.output).toEqual(data.flatMap(({ type, item }) => (type.endsWith('item.done') ? [item] : [])))
  for (const [index, { id, type }] of completed.output.entries()) {
    const own = data.filter((each) => each.output_index === index)
    expect(own.at(0)).toMatchObject({ type: 'response.output_item.added', item: { id, type } })
    expect(own.slice(1, -1).every(({ item_id: of }) => of === id)).toBe(true)
  }
})

test('[CONF-8] Responses say what is incomplete and what is refused: the response, its items and the last event', async () => {
  const model = play(WIRES.responses, { ...callStep, end: 'length' }, { text: 'No.', end: 'refusal' })
  const read = async () => readEvents(await ask(model, WIRES.responses, { stream: true }))
  const cut = (await read()).at(-1)
  expect(cut).toMatchObject({ type: 'response.incomplete', response: { status: 'incomplete' } })
  expect(new Set(cut.response.output.map(({ status }: any) => status))).toEqual(new Set(['incomplete']))
  const events = await read()
  const of = (type: string) => events.find((each) => each.type === type)
  expect(of('response.content_part.added').part).toEqual({ type: 'refusal', refusal: '' })
  expect(of('response.refusal.done')).toMatchObject({ content_index: 0, refusal: 'No.' })
  expect(events.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { status: 'completed', output: [{ content: [{ type: 'refusal', refusal: 'No.' }] }] },
  })
})

test('[LLM-1] Anthropic streams a start, blocks in pieces, the reason of the end and the end', async () => {
  const data = await readEvents(await ask(play(WIRES.anthropic, callStep), WIRES.anthropic, { stream: true }))
  const types = data.map(({ type }) => type)
  expect(types.slice(0, 3)).toEqual(['message_start', 'content_block_start', 'ping'])
  expect(types.slice(-2)).toEqual(['message_delta', 'message_stop'])
  expect(types.filter((type) => type === 'ping')).toHaveLength(1)
  expect(data[0].message).toMatchObject({ content: [], stop_reason: null, usage: { output_tokens: 1 } })
  expect(data.at(-2)).toEqual({
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null, stop_details: null },
    usage: { output_tokens: anyNumber },
  })
  const starts = data.flatMap(({ content_block: block }) => block ?? [])
  const caller = { type: 'direct' }
  expect(starts).toEqual([
    { type: 'text', text: '' },
    { type: 'tool_use', id: 'call_1_1', name: 'Bash', input: {}, caller },
    { type: 'tool_use', id: 'mine', name: 'Read', input: {}, caller },
  ])
  for (const index of starts.keys()) {
    const own = data.filter((each) => each.index === index)
    expect([own.at(0).type, own.at(-1).type]).toEqual(['content_block_start', 'content_block_stop'])
    expect(own.length).toBeGreaterThan(4)
  }
})

test('[LLM-1] Anthropic leaves an empty text out, and explains a refusal', async () => {
  const steps: ScriptStep[] = [
    { text: '', calls: [{ tool: 'Bash', input: {} }] },
    { text: '' },
    { text: '', end: 'refusal' },
  ]
  const model = play(WIRES.anthropic, ...steps)
  const answer = async (): Promise<unknown> => (await ask(model, WIRES.anthropic)).json()
  expect(await answer()).toMatchObject({ content: [{ type: 'tool_use', id: 'call_1_1' }], stop_reason: 'tool_use' })
  expect(await answer()).toMatchObject({ content: [], stop_reason: 'end_turn', stop_details: null })
  expect(await answer()).toMatchObject({ content: [], stop_reason: 'refusal', stop_details: { type: 'refusal' } })
})

test('[LLM-1] Gemini signs the first of parallel calls, and ends a stream with the reason and all tokens', async () => {
  const { gemini } = WIRES
  const whole = (await (await ask(play(gemini, callStep), gemini)).json()) as any
  const calls = [
    {
      functionCall: { id: 'call_1_1', name: 'Bash', args: { command: 'git status' } },
      thoughtSignature: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
    },
    { functionCall: { id: 'mine', name: 'Read', args: { file_path: 'docs/größe.md' } } },
  ]
  expect(whole.candidates[0].content.parts).toEqual([{ text: 'Let me look.' }, ...calls])
  const events = await readEvents(await ask(play(gemini, callStep), gemini, { stream: true }))
  const parts = events.flatMap(({ candidates }) => candidates[0].content.parts)
  expect(parts).toHaveLength(events.length)
  expect(parts.filter(({ text }) => text).length).toBeGreaterThan(2)
  expect(parts.filter(({ functionCall }) => functionCall)).toEqual(calls)
  expect(events.flatMap(({ candidates }) => candidates[0].finishReason ?? [])).toEqual(['STOP'])
  expect(events.at(-1).usageMetadata.candidatesTokenCount).toBeGreaterThan(0)
  expect(new Set(events.map(({ responseId }) => responseId)).size).toBe(1)
})
