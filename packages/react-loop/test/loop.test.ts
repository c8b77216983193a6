import type { ConsentHandler, ConsentRequest, ConsentAnswer } from '@repertoire/core'
import { BadRequestError } from 'openai'
import { describe, expect, test, vi } from 'vitest'
import { refusal, tool, useEndpoint, type Way, ways } from './agent.ts'
import { message as answerWith, openRawEndpoint } from './raw-endpoint.ts'
import { createReActLoop, type Message, openAICompatible } from '../src/index.ts'

const open = useEndpoint()
const call = (name: string, input: unknown = {}, id?: string) => ({
  tool: name,
  input,
  ...(id !== undefined && { id }),
})
const calls = (...all: readonly ReturnType<typeof call>[]) => ({ calls: all })
const activate = (name: string) => call('activate_skill', { name })
const heldUntil = (hold: Promise<void>, text: string) => ({ hold, next: { text } })
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
      expect(agent.play.requests.map(({ system }) => system.startsWith('Be kind.\n\n<available_skills>'))).toEqual([
        true,
        true,
      ])
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
      const agent = await open(way, { script: [{ drop: 'mid-stream' }], tools: [tool('Read')] })
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
      expect(reasons[0]?.reason).toBe(
        '`Read` takes its input as one JSON object; it was given text that is none: "{\\"path\\": \\"a".',
      )
      expect(reasons[5]?.reason).toContain('`activate_skill`')
      expect(read.inputs).toEqual([])
      expect(agent.session.state.active).toEqual([])
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

  describe('an abort', () => {
    test('[ADPT-3] stops a model that does not answer, with its reason', async () => {
      const stop = new AbortController()
      const reason = new Error('The user pressed stop.')
      const agent = await open(way, {
        script: [
          calls(activate('reading')),
          () => {
            queueMicrotask(() => stop.abort(reason))
            return heldUntil(new Promise(() => {}), 'Never.')
          },
          { text: 'Here.' },
        ],
      })
      const messages: Message[] = []
      const options = { onMessage: (message: Message) => messages.push(message) }
      await expect(agent.run('Hello', { ...options, signal: stop.signal })).rejects.toBe(reason)
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
      expect(agent.session.state.active.map(({ name }) => name)).toEqual(['reading'])
      expect((await agent.run([...messages])).text).toBe('Here.')
      agent.play.close()
    })

    test('[ADPT-3, GATE-5] stops tools that do not heed it, leaves a result for every call, and lifts no restriction', async () => {
      const stop = new AbortController()
      const reason = new Error('The user pressed stop.')
      const seen: (AbortSignal | undefined)[] = []
      const stuck = tool('Read', (_input, { signal }) => {
        seen.push(signal)
        queueMicrotask(() => stop.abort(reason))
        return new Promise(() => {})
      })
      const agent = await open(way, {
        script: [calls(activate('reading')), calls(call('Read'), call('Write'), call('Read')), { text: 'Here.' }],
        tools: [stuck, tool('Write')],
      })
      const messages: Message[] = []
      await expect(
        agent.run('Hello', { signal: stop.signal, onMessage: (message) => messages.push(message) }),
      ).rejects.toBe(reason)
      expect(seen.map((signal) => signal?.aborted)).toEqual([true, true])
      expect(messages.slice(-3)).toMatchObject([
        { role: 'tool', callId: 'call_2_1', content: 'The user pressed stop.', isError: true },
        { role: 'tool', callId: 'call_2_2', content: expect.stringContaining('TOOL_NOT_ALLOWED'), isError: true },
        { role: 'tool', callId: 'call_2_3', content: 'The user pressed stop.', isError: true },
      ])
      expect(agent.session.state.active.map(({ name }) => name)).toEqual(['reading'])
      expect((await agent.run([...messages, { role: 'user', content: 'Go on' }])).text).toBe('Here.')
      expect(agent.play.failures).toEqual([])
    })

    test.each(['session', 'loop'] as const)(
      "[ADPT-3, ASK-5] gives up a question to the %s's handler: a later yes activates nothing",
      async (asked) => {
        const stop = new AbortController()
        const reason = new Error('The user pressed stop.')
        const late = Promise.withResolvers<boolean>()
        let given: AbortSignal | undefined
        const handler: ConsentHandler = (_request, { signal }) => {
          given = signal
          queueMicrotask(() => stop.abort(reason))
          return late.promise
        }
        const agent = await open(way, {
          script: [calls(activate('reading'), call('Read')), { text: 'Here.' }],
          tools: [tool('Read')],
          consent: asked === 'session' ? handler : undefined,
          ...(asked === 'loop' && { onConsent: handler }),
        })
        const messages: Message[] = []
        await expect(
          agent.run('Hello', { signal: stop.signal, onMessage: (message) => messages.push(message) }),
        ).rejects.toBe(reason)
        late.resolve(true)
        await late.promise
        expect(given?.aborted).toBe(true)
        expect(agent.session.state.active).toEqual([])
        expect(agent.session.state.granted).toEqual([])
        expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool'])
        expect((await agent.run([...messages])).text).toBe('Here.')
      },
    )

    test.each(['session', 'loop'] as const)(
      "[GATE-5] while the %s's handler is asked lifts no restriction by a call beside it",
      async (asked) => {
        const stop = new AbortController()
        const handler: ConsentHandler = ({ skill }) => {
          if (skill === 'reading') return true
          queueMicrotask(() => stop.abort('stopped'))
          return new Promise(() => {})
        }
        const agent = await open(way, {
          script: [calls(activate('reading')), calls(activate('free'), call('deactivate_skill'))],
          consent: asked === 'session' ? handler : undefined,
          ...(asked === 'loop' && { onConsent: handler }),
        })
        await expect(agent.run('Hello', { signal: stop.signal })).rejects.toBe('stopped')
        expect(agent.session.state.active.map(({ name }) => name)).toEqual(['reading'])
      },
    )

    test('[ADPT-3] before the first request asks the model nothing', async () => {
      const agent = await open(way, { script: [] })
      await expect(agent.run('Hello', { signal: AbortSignal.abort('no') })).rejects.toBe('no')
      expect(agent.play.requests).toEqual([])
    })
  })

  describe('consent', () => {
    test('[ASK-5] is asked of the loop where the session has no handler, all of one message at once and before any of its calls', async () => {
      const asked: ConsentRequest[] = []
      const answers = new Map<string, (verdict: ConsentAnswer) => void>()
      const both = Promise.withResolvers<void>()
      const read = tool('Read')
      const agent = await open(way, {
        script: [calls(call('Read'), activate('reading'), activate('free')), { text: 'Done.' }],
        tools: [read],
        consent: undefined,
        onConsent: (request) => {
          asked.push(request)
          if (asked.length === 2) both.resolve()
          return new Promise((resolve) => answers.set(request.skill, resolve))
        },
      })
      const running = agent.run('Hello')
      await both.promise
      expect(read.inputs).toEqual([])
      expect(agent.session.state.active).toEqual([])
      const idOf = (skill: string) => asked.find((request) => request.skill === skill)?.id ?? ''
      answers.get('free')?.({ requestId: idOf('free'), approved: true })
      // The yes to the other question: it serves that one alone.
      answers.get('reading')?.({ requestId: idOf('free'), approved: true })
      await running
      expect(refusal(agent.resultOf('call_1_2')).code).toBe('CONSENT_DENIED')
      expect(agent.session.state.active.map(({ name }) => name)).toEqual(['free'])
      expect(read.inputs).toHaveLength(1)
      if (way.streamed) {
        const requests = agent.events.flatMap((event) => (event.type === 'consent-request' ? [event.request] : []))
        expect(requests).toEqual(asked)
      }
    })

    test('[ASK-3, ASK-5] of the loop takes a throw, silence, and every answer but a clear yes as a no', async () => {
      const handlers: readonly ConsentHandler[] = [
        () => false,
        () => 'yes' as never,
        () => ({ approved: true }) as never,
        (request) => ({ requestId: `${request.id}x`, approved: true }),
        () => {
          throw new Error('The terminal is gone.')
        },
        () => Promise.reject(new Error('The terminal is gone.')),
        () => new Promise(() => {}),
      ]
      for (const onConsent of handlers) {
        const agent = await open(way, {
          script: [calls(activate('reading')), { text: 'Done.' }],
          consent: undefined,
          onConsent,
          sessionOptions: { consentTimeout: 20 },
        })
        await agent.run('Hello')
        expect(refusal(agent.resultOf('call_1_1')).code).toBe('CONSENT_DENIED')
        expect(agent.session.state.active).toEqual([])
      }
    })

    test('[ASK-5] is a no where nobody can be asked, and is asked of the session first', async () => {
      const alone = await open(way, { script: [calls(activate('reading')), { text: 'Done.' }], consent: undefined })
      await alone.run('Hello')
      expect(refusal(alone.resultOf('call_1_1')).code).toBe('CONSENT_DENIED')

      const onConsent = vi.fn<ConsentHandler>(() => false)
      const both = await open(way, {
        script: [calls(activate('reading')), { text: 'Done.' }],
        consent: () => true,
        onConsent,
      })
      await both.run('Hello')
      expect(both.session.state.active.map(({ name }) => name)).toEqual(['reading'])
      expect(onConsent).not.toHaveBeenCalled()
    })

    test.each(['asked again', 'answered before'] as const)(
      '[ASK-5, ACT-15] can be given in another process, to what was stored while it was asked: %s',
      async (how) => {
        const stored = Promise.withResolvers<string>()
        const messages: Message[] = []
        const first = await open(way, {
          script: [calls(call('Read'), activate('reading')), { text: 'Never.' }],
          tools: [tool('Read')],
          consent: undefined,
          onConsent: (request) => {
            stored.resolve(JSON.stringify({ messages, session: first.session.save(), request }))
            return new Promise(() => {})
          },
        })
        const stop = new AbortController()
        const dying = first.run('Hello', { signal: stop.signal, onMessage: (message) => messages.push(message) })
        const saved = JSON.parse(await stored.promise) as {
          messages: Message[]
          session: ReturnType<typeof first.session.save>
          request: ConsentRequest
        }
        stop.abort()
        await expect(dying).rejects.toBe(stop.signal.reason)
        expect(saved.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])

        const asked: ConsentRequest[] = []
        const read = tool('Read')
        const second = await open(way, {
          script: [{ text: 'It is read.' }],
          tools: [read],
          consent: undefined,
          onConsent: (request) => asked.push(request) > 0,
          sessionOptions: { saved: saved.session },
        })
        if (how === 'answered before') second.session.answer({ requestId: saved.request.id, approved: true })
        const { messages: all, steps } = await second.run(saved.messages)
        expect(asked).toEqual(how === 'asked again' ? [saved.request] : [])
        expect(all.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant'])
        expect(all[3]).toMatchObject({ callId: 'call_1_2', content: expect.stringContaining('Read slowly.') })
        expect(read.inputs).toHaveLength(1)
        expect(steps).toBe(1)
        expect(second.session.state.active.map(({ name }) => name)).toEqual(['reading'])
        expect(second.play.failures).toEqual([])
      },
    )
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
    expect(agents.map(({ session }) => session.state.active.map(({ name }) => name))).toEqual([['reading'], ['free']])
  })

  test('[ACT-7] leaves the end of the session to its owner: `runTask` ends it after a success, an error and an abort', async () => {
    for (const script of [[{ text: 'Done.' }], [{ status: 400, message: 'No.' }]]) {
      const agent = await open(way, { script: [calls(activate('reading')), ...script] })
      await agent.run('Hello').catch(() => undefined)
      expect(agent.session.state.active).toHaveLength(1)
      await agent.session.end()
      expect(agent.session.state).toMatchObject({ active: [], ended: true })
    }
    const agent = await open(way, { script: [calls(activate('reading')), { text: 'Done.' }] })
    const session = await agent.repertoire.runTask({ consent: () => true }, async (task) => {
      const model = openAICompatible({ ...agent.play, maxRetries: 0 })
      await createReActLoop({ model, session: task, protocol: way.protocol }).run('Hello')
      expect(task.state.active.map(({ name }) => name)).toEqual(['reading'])
      return task
    })
    expect(session.state).toMatchObject({ active: [], ended: true })
  })

  test('[ADPT-3] refuses a second run while one is going on, and takes one afterwards', async () => {
    const held = Promise.withResolvers<void>()
    const agent = await open(way, { script: [heldUntil(held.promise, 'One.'), { text: 'Two.' }] })
    const first = agent.run('Hello')
    await vi.waitFor(() => expect(agent.play.requests).toHaveLength(1))
    await expect(agent.run('Hello')).rejects.toThrow(TypeError)
    held.resolve()
    expect((await first).text).toBe('One.')
    expect((await agent.run('Hello')).text).toBe('Two.')
  })
})

describe('the same however it is used', () => {
  test.each(['native', 'text'] as const)(
    '[ADPT-3] gives the same messages streamed and not streamed: %s',
    async (protocol) => {
      const script = [
        { text: 'First.', ...calls(activate('reading'), call('Read', { x: '技 "q"\n' })) },
        calls(call('Write'), call('Read', { raw: '{"a' }), call('nope')),
        { text: 'A long answer,\n\nover lines.\n```js\nx\n```' },
      ]
      const [plain, streamed] = await Promise.all(
        [false, true].map(async (isStreamed) =>
          (await open({ protocol, streamed: isStreamed }, { script, tools: [tool('Read'), tool('Write')] })).run(
            'Hello',
          ),
        ),
      )
      const { usage, ...rest } = streamed!
      expect({ ...plain, usage: undefined }).toEqual({ ...rest, usage: undefined })
      expect(usage.outputTokens).toBe(plain?.usage.outputTokens)
    },
  )

  test('[ADPT-4] gives the same messages with both protocols', async () => {
    const script = [
      { text: 'First.', ...calls(activate('reading'), call('Read', { x: 1 })) },
      calls(call('Write')),
      { text: 'Done.' },
    ]
    const [first, second] = await Promise.all(
      (['native', 'text'] as const).map(async (protocol) =>
        (await open({ protocol, streamed: false }, { script, tools: [tool('Read'), tool('Write')] })).run('Hello'),
      ),
    )
    expect(second?.messages).toEqual(first?.messages)
  })
})

describe('what a model can say', () => {
  const say = async (fields: object, finish = 'stop', protocol: Way['protocol'] = 'native') => {
    const endpoint = await openRawEndpoint(answerWith(fields, finish), answerWith({ content: 'Then.' }))
    const { session } = await open(native, { script: [] })
    const read = tool('Read')
    const loop = createReActLoop({
      model: openAICompatible({ baseURL: endpoint.baseURL, model: 'm' }),
      session,
      tools: [read],
      protocol,
    })
    return { result: await loop.run('Hello'), read, endpoint, loop }
  }
  const readCall = { id: 'a', type: 'function', function: { name: 'Read', arguments: '{}' } }

  test('[ADPT-3] does not act on an answer that was cut off, even where a call in it looks whole', async () => {
    for (const [finish, reason] of [
      ['length', 'length'],
      ['content_filter', 'content-filter'],
    ] as const) {
      const { result, read, endpoint } = await say({ content: 'I beg', tool_calls: [readCall] }, finish)
      expect(result).toMatchObject({ text: 'I beg', finishReason: reason, steps: 1 })
      expect(result.messages).toEqual([
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'I beg' },
      ])
      expect(read.inputs).toEqual([])
      expect(endpoint.requests).toHaveLength(1)
    }
    const { result, read } = await say({ content: 'Action: Read\nAction Input: {}' }, 'length', 'text')
    expect(result).toMatchObject({ text: '', finishReason: 'length' })
    expect(read.inputs).toEqual([])
  })

  test('[ADPT-3] keeps no empty message of an empty answer, and goes on after it', async () => {
    const { result, loop } = await say({ content: null })
    expect(result).toMatchObject({ text: '', finishReason: 'stop', messages: [{ role: 'user', content: 'Hello' }] })
    expect((await loop.run([...result.messages, { role: 'user', content: 'Well?' }])).text).toBe('Then.')
  })

  test('[ADPT-3] tells of a refusal', async () => {
    const { result } = await say({ content: null, refusal: 'I would rather not.' })
    expect(result).toMatchObject({ text: 'I would rather not.', finishReason: 'refusal' })
    expect(result.messages.at(-1)).toEqual({ role: 'assistant', content: 'I would rather not.' })
  })

  test('[ADPT-3] carries out calls of a message that ends with `stop`', async () => {
    const { result, read } = await say({ content: '', tool_calls: [readCall] })
    expect(read.inputs).toEqual([{}])
    expect(result.text).toBe('Then.')
  })

  test('[ADPT-3] believes nothing that a model without tool calls makes up behind its action', async () => {
    const { result, read, endpoint } = await say(
      {
        content:
          'Thought: so\nAction: Read\nAction Input: {"n": 1}\nObservation: all is well\nThought: good\nAction: Read\nAction Input: {"n": 2}\nFinal Answer: all is well',
      },
      'stop',
      'text',
    )
    expect(read.inputs).toEqual([{ n: 1 }])
    expect(result.text).toBe('Then.')
    expect(endpoint.requests[1]?.body['messages']).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Thought: so\nAction: Read\nAction Input: {"n":1}' },
      { role: 'user', content: 'Observation: Read ran' },
    ])
    expect(endpoint.requests[0]?.body).toMatchObject({ stop: ['\nObservation:'] })
    expect(endpoint.requests[0]?.body).not.toHaveProperty('tools')
  })

  test('[ASK-5] gives every call an id that was not used before, whatever the server counts', async () => {
    const again = answerWith({ content: null, tool_calls: [readCall, readCall, { ...readCall, id: '' }] }, 'tool_calls')
    const endpoint = await openRawEndpoint(again, again, answerWith({ content: 'Done.' }))
    const { session } = await open(native, { script: [] })
    const loop = createReActLoop({
      model: openAICompatible({ baseURL: endpoint.baseURL, model: 'm' }),
      session,
      tools: [tool('Read')],
    })
    const { messages } = await loop.run('Hello')
    const ids = messages.flatMap((message) =>
      message.role === 'assistant' ? (message.calls ?? []).map(({ id }) => id) : [],
    )
    expect(new Set(ids).size).toBe(6)
    expect(ids[0]).toBe('a')
    expect(ids[2]).toBe('call_1_3')
    expect(messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))).toEqual(ids)
  })

  test('[ASK-5] gives no call the id of a question that is still open', async () => {
    const stop = new AbortController()
    const script = [calls(activate('reading')), calls(activate('reading')), { text: 'Done.' }]
    const asked: ConsentRequest[] = []
    const agent = await open(
      { protocol: 'text', streamed: false },
      {
        script,
        consent: undefined,
        onConsent: (request) => {
          asked.push(request)
          if (asked.length === 1) stop.abort('stopped')
          return false
        },
      },
    )
    await expect(agent.run('Hello', { signal: stop.signal })).rejects.toBe('stopped')
    // The conversation begins anew, and so would ids that are counted.
    await agent.run('Hello')
    expect(asked).toHaveLength(2)
    expect(asked[0]?.id).not.toBe(asked[1]?.id)
  })
})

describe('a stream', () => {
  test.each(['native', 'text'] as const)('[ADPT-3] tells what happens in order: %s', async (protocol) => {
    const agent = await open(
      { protocol, streamed: true },
      {
        script: [{ text: 'I look at it now.', ...calls(call('Read')) }, { text: 'It is a very fine day.' }],
        tools: [tool('Read')],
      },
    )
    const { messages } = await agent.run('Hello')
    const types = agent.events
      .map(({ type }) => type)
      .filter((type, index, all) => type !== 'text-delta' || all[index - 1] !== type)
    expect(types).toEqual([
      'step-start',
      'text-delta',
      'tool-call',
      'tool-result',
      'step-end',
      'step-start',
      'text-delta',
      'step-end',
      'finish',
    ])
    const texts = ['', '']
    let step = -1
    for (const event of agent.events) {
      if (event.type === 'step-start') step = event.step - 1
      if (event.type === 'text-delta') texts[step] += event.text
    }
    expect(texts).toEqual(messages.flatMap((message) => (message.role === 'assistant' ? [message.content] : [])))
    const live = agent.events.filter(({ type }) => type === 'text-delta').length
    expect(live).toBeGreaterThan(protocol === 'native' ? 4 : 2)
  })

  test('[ADPT-3] aborts the run where the reader leaves', async () => {
    let aborted: AbortSignal | undefined
    const stuck = tool('Read', (_input, { signal }) => {
      aborted = signal
      return new Promise(() => {})
    })
    const agent = await open(
      { protocol: 'native', streamed: true },
      { script: [calls(call('Read')), { text: 'Here.' }], tools: [stuck] },
    )
    const messages: Message[] = []
    for await (const event of agent.loop.stream('Hello', { onMessage: (message) => messages.push(message) })) {
      if (event.type === 'tool-call') {
        await vi.waitFor(() => expect(stuck.inputs).toHaveLength(1))
        break
      }
    }
    expect(aborted?.aborted).toBe(true)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect((await agent.run(messages)).text).toBe('Here.')
  })

  test('[ADPT-3] asks the model nothing before it is read', async () => {
    const agent = await open({ protocol: 'native', streamed: true }, { script: [{ text: 'Here.' }] })
    const stream = agent.loop.stream('Hello')
    await new Promise((resolve) => void setImmediate(resolve))
    expect(agent.play.requests).toEqual([])
    expect((await stream.next()).value).toEqual({ type: 'step-start', step: 1 })
    await stream.return()
  })
})

describe('what cannot be meant', () => {
  test('[ADPT-3] is refused when the loop is made, or run', async () => {
    const { session } = await open(native, { script: [] })
    const model = openAICompatible({ baseURL: 'http://127.0.0.1:9/v1', model: 'm', maxRetries: 0 })
    for (const maxSteps of [0, -1, 1.5, Number.NaN, Infinity])
      expect(() => createReActLoop({ model, session, maxSteps })).toThrow(TypeError)
    expect(() => createReActLoop({ model, session, tools: [tool('Read'), tool('Read')] })).toThrow(
      /Two tools are named "Read"/,
    )
    await expect(createReActLoop({ model, session }).run([])).rejects.toThrow(TypeError)
    await expect(createReActLoop({ model, session, tools: [tool('Activate_Skill')] }).run('Hello')).rejects.toThrow(
      /name of a skill tool/,
    )
  })

  test('[ADPT-3] loads the client of the endpoint when the first model is called, and not before', async () => {
    vi.resetModules()
    const loaded = vi.fn<() => void>()
    vi.doMock('openai', async (importActual) => {
      loaded()
      return importActual()
    })
    const fresh = await import('../src/index.ts')
    const endpoint = await openRawEndpoint(answerWith({ content: 'Here.' }))
    const model = fresh.openAICompatible({ baseURL: endpoint.baseURL, model: 'm' })
    const { session } = await open(native, { script: [] })
    const loop = fresh.createReActLoop({ model, session })
    expect(loaded).not.toHaveBeenCalled()
    expect((await loop.run('Hello')).text).toBe('Here.')
    expect(loaded).toHaveBeenCalledOnce()
    vi.doUnmock('openai')
  })
})
