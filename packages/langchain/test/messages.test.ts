import { AIMessage, AIMessageChunk } from '@langchain/core/messages'
import { MemorySaver } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import { describe, expect, test } from 'vitest'
import { useEndpoint } from './endpoint.ts'
import { call, hostTools, modelOf, openSkills, refusalOf, resultOf, type Run, say, thread, user } from './setup.ts'
import { skillsMiddleware } from '../src/index.ts'
import { keepEveryCall, sentBack, textOf } from '../src/messages.ts'

describe('arguments that are not a JSON object', () => {
  const endpoint = useEndpoint()

  /** Streams a run whose model calls `Bash` with these inputs in one message; `raw` is sent as it is. */
  async function stream(inputs: readonly object[], streamMode: 'values' | 'messages') {
    const runs: Run[] = []
    const play = endpoint.play([{ calls: inputs.map((input) => ({ tool: 'Bash', input })) }, say])
    const agent = createAgent({
      model: modelOf(play),
      tools: hostTools(runs),
      middleware: [skillsMiddleware(await openSkills())],
    })
    for await (const _ of await agent.stream(user('Hello'), { streamMode }));
    return { play, runs }
  }

  test.each(['values', 'messages'] as const)(
    '[ADPT-4, GATE-7] are answered, and the thread goes on (stream mode %s)',
    async (streamMode) => {
      const inputs = [
        '{"name":',
        '',
        '[1',
        '["editing"]',
        '7',
        'null',
        '"editing"',
        'not json',
        '{"name":"editing"} and more',
      ]
      const play = endpoint.play([
        { calls: inputs.map((raw) => ({ tool: 'activate_skill', input: { raw } })) },
        say,
        say,
      ])
      const repertoire = await openSkills()
      const agent = createAgent({
        model: modelOf(play),
        checkpointer: new MemorySaver(),
        middleware: [skillsMiddleware(repertoire)],
      })
      for await (const _ of await agent.stream(user('Hello'), { ...thread('one'), streamMode }));
      await agent.invoke(user('Go on'), thread('one'))
      expect(play.requests[0]!.stream).toBe(streamMode === 'messages')
      expect(play.failures).toEqual([])
      const [, { calls = [] } = {}] = play.requests.at(-1)!.messages
      const session = repertoire.openSession()
      const values = new Map<string, unknown>([
        ['', {}],
        ['["editing"]', ['editing']],
        ['7', 7],
        ['null', null],
        ['"editing"', 'editing'],
      ])
      for (const [index, raw] of inputs.entries()) {
        const id = `call_1_${index + 1}`
        const input = values.has(raw) ? values.get(raw) : raw
        const { text } = await session.call({ id, tool: 'activate_skill', input }, () => undefined)
        // Servers parse what they are sent back, and take nothing but an object.
        expect(calls.find((each) => each.id === id)?.arguments).toBe('{}')
        expect([raw, resultOf(play, id)]).toEqual([raw, text])
        expect(refusalOf(play, id).code).toBe('INPUT_INVALID')
      }
    },
  )

  test.each(['values', 'messages'] as const)(
    '[GATE-1] run no tool of the host’s, and no made-up rest either (stream mode %s)',
    async (streamMode) => {
      const { play, runs } = await stream([{ raw: '{"command":"rm -rf ./build' }, { command: 'ls' }], streamMode)
      expect(runs).toEqual([['Bash', { command: 'ls' }]])
      expect(refusalOf(play, 'call_1_1').code).toBe('INPUT_INVALID')
      expect(play.failures).toEqual([])
    },
  )

  test.each(['values', 'messages'] as const)(
    '[ADPT-4, GATE-1] are carried out and sent back where the model wrote them among other calls (stream mode %s)',
    async (streamMode) => {
      const inputs = [{ raw: '{"command":' }, { command: 'one' }, { raw: '7' }, { command: 'two' }, { raw: 'not json' }]
      const { play, runs } = await stream(inputs, streamMode)
      expect(play.failures).toEqual([])
      const [, { calls = [] } = {}, ...results] = play.requests.at(-1)!.messages
      const ids = inputs.map((_, index) => `call_1_${index + 1}`)
      expect(calls.map(({ id }) => id)).toEqual(ids)
      expect(results.map(({ callId }) => callId)).toEqual(ids)
      expect(runs.map(([, input]) => input)).toEqual([{ command: 'one' }, { command: 'two' }])
    },
  )

  test('[ADPT-2] are none where a model calls a tool without arguments', async () => {
    const play = endpoint.play([call('deactivate_skill', { raw: '' }), say])
    await createAgent({ model: modelOf(play), middleware: [skillsMiddleware(await openSkills())] }).invoke(
      user('Hello'),
    )
    expect(refusalOf(play, 'call_1_1').code).toBe('SKILL_NOT_ACTIVE')
  })
})

describe('a message', () => {
  test('[ADPT-2] has its calls under the names of the tools that are meant, in its content too', () => {
    const args = { command: 'ls' }
    const message = new AIMessage({
      content: [
        { type: 'text', text: 'bash' },
        { type: 'tool_use', id: 'a', name: 'bash', input: args },
        { type: 'functionCall', functionCall: { id: 'b', name: 'gone', args } },
        { type: 'functionCall', functionCall: { id: 'c', name: 'bash', args } },
      ],
      tool_calls: ['bash', 'gone', 'bash'].map((name, index) => ({ id: 'abc'[index]!, name, args })),
    })
    keepEveryCall(message, (name) => (name === 'bash' ? 'Bash' : undefined))
    expect(message.tool_calls?.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'Bash'],
      ['b', 'gone'],
      ['c', 'Bash'],
    ])
    expect(message.content).toEqual([
      { type: 'text', text: 'bash' },
      { type: 'tool_use', id: 'a', name: 'Bash', input: args },
      { type: 'functionCall', functionCall: { id: 'b', name: 'gone', args } },
      { type: 'functionCall', functionCall: { id: 'c', name: 'Bash', args } },
    ])
  })

  test('[ADPT-2] of whole calls is left as it is', () => {
    const message = new AIMessage({ content: '', tool_calls: [{ id: 'a', name: 'Read', args: { file_path: 'x' } }] })
    const { tool_calls } = message
    keepEveryCall(message)
    expect(message.tool_calls).toBe(tool_calls)
    const chunk = new AIMessageChunk({
      content: '',
      tool_call_chunks: [
        { type: 'tool_call_chunk', index: 0, id: 'a', name: 'Read', args: '{"file_path":' },
        { type: 'tool_call_chunk', index: 0, args: ' "x"}' },
        { type: 'tool_call_chunk', index: 1, id: 'b', name: 'Read', args: '{}' },
      ],
    })
    keepEveryCall(chunk)
    expect(chunk.tool_call_chunks).toHaveLength(3)
    expect(chunk.tool_calls).toMatchObject([
      { id: 'a', args: { file_path: 'x' } },
      { id: 'b', args: {} },
    ])
  })

  const good = (id: string) => ({ type: 'tool_call' as const, id, name: 'Read', args: {} })
  const bad = (id: string) => ({ type: 'invalid_tool_call' as const, id, name: 'Read', args: '{', error: 'Malformed.' })
  const idsOf = ({ tool_calls = [] }: AIMessage) => tool_calls.map(({ id }) => id)

  test.each([
    [
      'the raw calls of chat completions',
      { additional_kwargs: { tool_calls: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] } },
    ],
    [
      'the items of OpenAI’s responses',
      {
        response_metadata: {
          output: [
            { type: 'reasoning', id: 'rs_1' },
            ...['a', 'b', 'c'].map((id) => ({ type: 'function_call', id: `fc_${id}`, call_id: id })),
          ],
        },
      },
    ],
    [
      'the blocks of a content',
      { content: [{ type: 'text', text: 'So.' }, ...['a', 'b', 'c'].map((id) => ({ type: 'tool_use', id }))] },
    ],
  ])('[ADPT-4] keeps the order that %s have', (_, known) => {
    const message = new AIMessage({
      content: '',
      tool_calls: [good('b')],
      invalid_tool_calls: [bad('a'), bad('c')],
      ...(known as object),
    })
    keepEveryCall(message)
    expect(idsOf(message)).toEqual(['a', 'b', 'c'])
  })

  test('[ADPT-4] keeps every call also where LangChain has no order left, or not of all', () => {
    const cases: readonly (readonly [known: object, order: readonly string[]])[] = [
      [{}, ['b', 'a', 'c']],
      [{ additional_kwargs: { tool_calls: [{ id: 'c' }, null, { id: 'b' }] } }, ['c', 'b', 'a']],
    ]
    for (const [known, order] of cases) {
      const message = new AIMessage({
        content: '',
        tool_calls: [good('b')],
        invalid_tool_calls: [bad('a'), bad('c')],
        ...known,
      })
      keepEveryCall(message)
      expect(idsOf(message)).toEqual(order)
    }
  })

  test('[ADPT-2] with a custom tool’s free text is left as it is', () => {
    const chunk = new AIMessageChunk({
      content: '',
      tool_call_chunks: [
        { type: 'tool_call_chunk', index: 0, id: 'a', name: 'shell', args: 'ls -l', isCustomTool: true } as never,
      ],
    })
    keepEveryCall(chunk)
    expect(chunk.tool_calls).toMatchObject([{ id: 'a', args: { input: 'ls -l' } }])
  })
})

describe('a message that is sent back', () => {
  const tool_calls = [{ type: 'tool_call' as const, id: 'a', name: 'Bash', args: ['ls'] as unknown as {} }]
  const said = { type: 'text', text: 'Let me look.' }

  test.each([
    ['Anthropic', { type: 'tool_use', id: 'a', name: 'Bash', input: ['ls'] }, { input: {} }],
    [
      'Google',
      { type: 'functionCall', functionCall: { id: 'a', name: 'Bash', args: null }, thoughtSignature: 's' },
      { functionCall: { id: 'a', name: 'Bash', args: {} } },
    ],
  ])(
    '[ADPT-4, LLM-1] has arguments that are an object also where %s keeps the call in the content',
    (_, block, fixed) => {
      const message = new AIMessage({ content: [said, block], tool_calls, id: 'm' })
      const back = sentBack(message)
      expect(back.content).toEqual([said, { ...block, ...fixed }])
      expect(back.tool_calls?.map(({ args }) => args)).toEqual([{}])
      expect(back.id).toBe('m')
      expect(message.content).toEqual([said, block])
    },
  )

  test('[ADPT-4] is the very message if nothing is to be fixed', () => {
    const message = new AIMessage({
      content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'ls' } }],
      tool_calls: [{ ...tool_calls[0]!, args: { command: 'ls' } }],
    })
    expect(sentBack(message)).toBe(message)
  })
})

test('[NFR-6] the text of a message is the one that LangChain finds in its blocks', () => {
  const image = { type: 'image', url: 'https://example.com/x.png' }
  const contents = [
    '',
    'Hi',
    [],
    [block('a'), block('b')],
    [block('a'), image],
    [image],
    [{ type: 'text' }, block('c')],
  ]
  function block(text: string) {
    return { type: 'text', text, citations: [] }
  }
  for (const content of contents) {
    const message = new AIMessage({ content: content as never })
    expect(textOf(message)).toBe(message.text)
  }
})
