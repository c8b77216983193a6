import { adapterSession } from '@repertoire/core/adapter'
import { BadRequestError } from 'openai'
import { describe, expect, test } from 'vitest'
import { endpointOf, refusal, tool, useEndpoint, type Way, ways } from './agent.ts'
import { createReActLoop, type Message, openAICompatible } from '../src/index.ts'
import { activate, call, calls, heldUntil } from './script.ts'

const open = useEndpoint()
const native: Way = { protocol: 'native', streamed: false }

describe.each(ways)('%s', (_, way) => {
  describe('a run', () => {
    test('[ADPT-3] reasons, acts and observes until the model has answered', async () => {
      const read = tool('Read', (input) => ({ content: (input as { path: string }).path }))
      const agent = await open(way, {
        script: [{ text: 'I look.', ...calls(call('Read', { path: 'a "b" ü' })) }, { text: 'It is a.' }],
        tools: [read],
        instructions: 'Be kind.',
      })
      const told: Message[] = []
      const result = await agent.run('What is it?', { onMessage: (message) => told.push(message) })
      expect(result).toMatchObject({ text: 'It is a.', steps: 2, finishReason: 'stop' })
      expect(result.messages).toEqual([
        { role: 'user', content: 'What is it?' },
        {
          role: 'assistant',
          content: 'I look.',
          calls: [{ id: 'call_1_1', tool: 'Read', input: { path: 'a "b" ü' } }],
        },
        { role: 'tool', callId: 'call_1_1', tool: 'Read', content: '{"content":"a \\"b\\" ü"}', isError: false },
        { role: 'assistant', content: 'It is a.' },
      ])
      expect(told).toEqual(result.messages)
      expect(agent.play.failures).toEqual([])
      expect(
        agent.play.requests.map(({ system }) => system.startsWith('Be kind.\n\nWhen a task fits a skill,')),
      ).toEqual([true, true])
      expect(agent.play.requests[1]?.system).toBe(agent.play.requests[0]?.system)
      expect(agent.play.requests.map(({ stream }) => stream)).toEqual([way.streamed, way.streamed])
    })

    test('[ADPT-3] goes on with a conversation, and changes none of what it was given', async () => {
      const agent = await open(way, { script: [{ text: 'One.' }, { text: 'Two.' }] })
      const first = await agent.run('Say one.')
      const messages: readonly Message[] = Object.freeze([
        ...first.messages,
        { role: 'user', content: 'Say two.' } as const,
      ])
      const second = await agent.run(messages)
      expect(second.messages).toEqual([...messages, { role: 'assistant', content: 'Two.' }])
      expect(agent.play.requests[1]?.messages.map(({ text }) => text)).toEqual(['Say one.', 'One.', 'Say two.'])
    })

    test('[ADPT-3] sums the tokens of all steps', async () => {
      const agent = await open(way, {
        script: [calls(call('Read')), { text: 'Done, I would say.' }],
        tools: [tool('Read')],
      })
      const { usage } = await agent.run('Hello')
      expect(usage.outputTokens).toBeGreaterThan(5)
      expect(usage.inputTokens).toBeGreaterThan(100)
      if (way.streamed) {
        const steps = agent.events.flatMap((event) =>
          event.type === 'step-end' && event.usage !== undefined ? [event.usage] : [],
        )
        expect(steps).toHaveLength(2)
        expect(usage.inputTokens).toBe(steps.reduce((sum, { inputTokens }) => sum + inputTokens, 0))
        expect(usage.outputTokens).toBe(steps.reduce((sum, { outputTokens }) => sum + outputTokens, 0))
      }
    })

    test('[ADPT-3] ends at the step limit with a result for every call, so that the conversation can go on', async () => {
      const read = tool('Read')
      const agent = await open(way, {
        script: [calls(call('Read')), { text: 'More.', ...calls(call('Read'), call('Read')) }, { text: 'Done.' }],
        tools: [read],
        maxSteps: 2,
      })
      const stopped = await agent.run('Hello')
      expect(stopped).toMatchObject({ text: 'More.', steps: 2, finishReason: 'max-steps' })
      expect(stopped.messages.map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
        'tool',
        'tool',
      ])
      expect(agent.play.requests).toHaveLength(2)
      const { text, finishReason } = await agent.run(stopped.messages)
      expect({ text, finishReason }).toEqual({ text: 'Done.', finishReason: 'stop' })
      expect(read.inputs).toHaveLength(3)
      expect(agent.play.failures).toEqual([])
    })

    test("[ADPT-3] lets the endpoint's errors surface as they are, with every message up to there", async () => {
      const agent = await open(way, {
        script: [calls(call('Read')), { status: 400, message: 'Out of order.' }, { text: 'Here again.' }],
        tools: [tool('Read')],
      })
      const messages: Message[] = []
      const options = { onMessage: (message: Message) => messages.push(message) }
      const failing = agent.run('Hello', options)
      await expect(failing).rejects.toBeInstanceOf(BadRequestError)
      await expect(failing).rejects.toMatchObject({ status: 400 })
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
      expect((await agent.run([...messages])).text).toBe('Here again.')
    })

    test('[ADPT-3] fails where a connection is lost in the middle of an answer', async () => {
      const agent = await open(way, { script: [{ text: 'Never whole.', end: 'cut' }], tools: [tool('Read')] })
      await expect(agent.run('Hello')).rejects.toThrow(/./)
      expect(agent.play.requests).toHaveLength(1)
    })
  })

  describe('calls', () => {
    test('[ADPT-3] run side by side, with results in the order of the calls', async () => {
      const all = ['A', 'B', 'C']
      const started: string[] = []
      const together = Promise.withResolvers<void>()
      const meeting = (name: string) =>
        tool(name, async () => {
          started.push(name)
          if (started.length === all.length) together.resolve()
          await together.promise
          // The last one ends first.
          for (let turn = 0; turn < 10 * (all.length - all.indexOf(name)); turn++) await Promise.resolve()
          return `${name} ran`
        })
      const agent = await open(way, {
        script: [calls(...all.map((name) => call(name))), { text: 'Done.' }],
        tools: all.map(meeting),
      })
      const { messages } = await agent.run('Hello')
      expect(messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []))).toEqual([
        'A ran',
        'B ran',
        'C ran',
      ])
      expect(all.map((_name, index) => agent.resultOf(`call_1_${index + 1}`))).toEqual(['A ran', 'B ran', 'C ran'])
      if (way.streamed) {
        const ended = agent.events.flatMap((event) => (event.type === 'tool-result' ? [event.result.tool] : []))
        expect(ended).toEqual(['C', 'B', 'A'])
      }
    })

    test('[ADPT-3, GATE-5] show the model what a tool threw, and go on', async () => {
      const failing = [
        tool('Throws', () => {
          throw new RangeError('Out of range: $&')
        }),
        tool('Rejects', () => Promise.reject('no Error at all')),
        tool('Aborts', () => Promise.reject(new DOMException('The fetch was aborted.', 'AbortError'))),
        tool('Circular', () => {
          const circle: Record<string, unknown> = {}
          return Object.assign(circle, { circle })
        }),
        tool('Nothing', () => undefined),
        tool('Empty', () => ''),
      ]
      const agent = await open(way, {
        script: [calls(...failing.map(({ name }) => call(name))), { text: 'I went on.' }],
        tools: failing,
      })
      const { text, messages } = await agent.run('Hello')
      expect(text).toBe('I went on.')
      const results = messages.flatMap((message) =>
        message.role === 'tool' ? [{ content: message.content, isError: message.isError }] : [],
      )
      expect(results[0]).toEqual({ content: 'Out of range: $&', isError: true })
      expect(results[1]).toEqual({ content: 'no Error at all', isError: true })
      expect(results[2]).toEqual({ content: 'The fetch was aborted.', isError: true })
      expect(results[3]).toMatchObject({ content: expect.stringContaining('circular'), isError: true })
      expect(results.slice(4)).toEqual([
        { content: 'null', isError: false },
        { content: '', isError: false },
      ])
    })

    test('[GATE-1, GATE-7] of unknown tools are refused in the words of core, and of known ones run in any case', async () => {
      const read = tool('Read')
      const agent = await open(way, {
        script: [
          calls(call('READ', { a: 1 }), call('constructor'), call('Activate_Skill', { name: 'reading' })),
          { text: 'Done.' },
        ],
        tools: [read],
      })
      await agent.run('Hello')
      expect(agent.resultOf('call_1_1')).toBe('Read ran')
      expect(read.inputs).toEqual([{ a: 1 }])
      expect(refusal(agent.resultOf('call_1_2')).code).toBe('TOOL_UNKNOWN')
      expect(agent.resultOf('call_1_3')).toContain('Read slowly.')
    })

    test('[GATE-1, GATE-7] whose arguments are not a JSON object are refused in the words of core: nothing runs', async () => {
      const read = tool('Read')
      const inputs = [{ raw: '{"path": "a' }, { raw: '["a"]' }, { raw: '"a"' }, { raw: 'null' }, { raw: '7' }]
      const agent = await open(way, {
        script: [
          ...inputs.map((input) => calls(call('Read', input))),
          calls(call('activate_skill', { raw: '{"name": ' })),
          { text: 'Done.' },
        ],
        tools: [read],
      })
      await agent.run('Hello')
      const reasons = [1, 2, 3, 4, 5, 6].map((step) => refusal(agent.resultOf(`call_${step}_1`)))
      expect(reasons.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => 'INPUT_INVALID'))
      expect(reasons[0]?.reason).toBe('`Read` takes its input as one JSON object; it was given "{\\"path\\": \\"a".')
      expect(reasons[5]?.reason).toContain('`activate_skill`')
      expect(read.inputs).toEqual([])
      expect(adapterSession(agent.session).state.active).toEqual([])
      expect(agent.play.failures).toEqual([])
    })

    test('[GATE-1] of a tool that is hidden are refused, and it is shown again afterwards', async () => {
      const write = tool('Write')
      const agent = await open(way, {
        script: [
          calls(activate('reading')),
          calls(call('Write')),
          calls(call('deactivate_skill')),
          calls(call('Write')),
          { text: 'Done.' },
        ],
        tools: [tool('Read'), write],
      })
      await agent.run('Hello')
      expect(agent.play.requests.map(({ tools }) => tools.some(({ name }) => name === 'Write'))).toEqual([
        true,
        false,
        false,
        true,
        true,
      ])
      expect(refusal(agent.resultOf('call_2_1')).code).toBe('TOOL_NOT_ALLOWED')
      expect(agent.resultOf('call_4_1')).toBe('Write ran')
      expect(write.inputs).toHaveLength(1)
    })
  })

  test('[ADPT-3] tells of a result before the calls behind it are done, so that a killed process loses no more', async () => {
    const told = Promise.withResolvers<void>()
    const agent = await open(way, {
      script: [calls(call('Write'), call('Read')), { text: 'Done.' }],
      tools: [tool('Write'), tool('Read', () => told.promise.then(() => 'Read ran'))],
    })
    const messages: Message[] = []
    const onMessage = (message: Message): void => {
      messages.push(message)
      if (message.role === 'tool') told.resolve()
    }
    await agent.run('Hello', { onMessage })
    expect(messages.map(({ content }) => content)).toEqual(['Hello', '', 'Write ran', 'Read ran', 'Done.'])
  })

  test('[ADPT-3] carries out first only those calls that have no result yet', async () => {
    const read = tool('Read')
    const agent = await open(way, { script: [{ text: 'Done.' }], tools: [read] })
    const messages: readonly Message[] = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: '', calls: ['a', 'b', 'c'].map((id) => ({ id, tool: 'Read', input: { id } })) },
      { role: 'tool', callId: 'a', tool: 'Read', content: 'known', isError: false },
    ]
    const result = await agent.run(messages)
    expect(read.inputs).toEqual([{ id: 'b' }, { id: 'c' }])
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool', 'assistant'])
    await expect(agent.run([...messages, { role: 'user', content: 'And?' }])).rejects.toThrow(
      /The call "b" of "Read" has no result before messages\[3\]/,
    )
  })

  test('[ACT-8] keeps two sessions at once apart', async () => {
    const writes = [tool('Write'), tool('Write')]
    const script = (skill: string) => [calls(activate(skill)), calls(call('Write')), { text: 'Done.' }]
    const agents = await Promise.all([
      open(way, { script: script('reading'), tools: [writes[0]!] }),
      open(way, { script: script('free'), tools: [writes[1]!] }),
    ])
    await Promise.all(agents.map((agent) => agent.run('Hello')))
    expect(refusal(agents[0].resultOf('call_2_1')).code).toBe('TOOL_NOT_ALLOWED')
    expect(agents[1].resultOf('call_2_1')).toBe('Write ran')
    expect(agents.map(({ session }) => session.activeSkills)).toEqual([['reading'], ['free']])
  })

  test('[ACT-7] leaves the end of the session to its owner: `runTask` ends it after a success, an error and an abort', async () => {
    for (const script of [[{ text: 'Done.' }], [{ status: 400, message: 'No.' }]]) {
      const agent = await open(way, { script: [calls(activate('reading')), ...script] })
      await agent.run('Hello').catch(() => undefined)
      expect(adapterSession(agent.session).state.active).toHaveLength(1)
      await agent.session.end()
      expect(adapterSession(agent.session).state).toMatchObject({ active: [], ended: true })
    }
    const agent = await open(way, { script: [calls(activate('reading')), { text: 'Done.' }] })
    const session = await agent.repertoire.runTask({ consent: () => true }, async (task) => {
      const model = openAICompatible(endpointOf(agent.play))
      await createReActLoop({ model, session: task, protocol: way.protocol }).run('Hello')
      expect(task.activeSkills).toEqual(['reading'])
      return task
    })
    expect(adapterSession(session).state).toMatchObject({ active: [], ended: true })
  })

  test('[ADPT-3] refuses a second run while one is going on, and takes one afterwards', async () => {
    const held = Promise.withResolvers<void>()
    const agent = await open(way, { script: [heldUntil(held.promise, 'One.'), { text: 'Two.' }] })
    const first = agent.run('Hello')
    await expect.poll(() => agent.play.requests).toHaveLength(1)
    await expect(agent.run('Hello')).rejects.toThrow('This loop is already running')
    held.resolve()
    expect((await first).text).toBe('One.')
    expect((await agent.run('Hello')).text).toBe('Two.')
  })
})

describe('what cannot be meant', () => {
  test('[ADPT-3] is refused when the loop is made, or run', async () => {
    const { session } = await open(native, { script: [] })
    const model = openAICompatible({ baseURL: 'http://127.0.0.1:9/v1', model: 'm', maxRetries: 0 })
    for (const maxSteps of [0, -1, 1.5, Number.NaN, Infinity])
      expect(() => createReActLoop({ model, session, maxSteps })).toThrow(`\`maxSteps\` is ${maxSteps}.`)
    expect(() => createReActLoop({ model, session, tools: [tool('Read'), tool('Read')] })).toThrow(
      /Two tools are named "Read"/,
    )
    await expect(createReActLoop({ model, session }).run([])).rejects.toThrow('There are no messages to answer')
    await expect(createReActLoop({ model, session, tools: [tool('Activate_Skill')] }).run('Hello')).rejects.toThrow(
      /name of a skill tool/,
    )
  })
})
