import { type ModelEndpoint, openModelEndpoint } from '@repertoire/conformance'
import { memorySource } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  activate,
  type AgentOptions,
  call,
  endpointOf,
  manifest,
  refusal,
  tool,
  useEndpoint,
  type Way,
  ways,
} from './agent.ts'
import { textDialect } from '../src/conformance/dialect.ts'
import { createReActLoop, type LoopEvent, type Message, type Model, openAICompatible } from '../src/index.ts'

const openAgent = useEndpoint()
let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

const sources = [
  memorySource({
    layer: 'project',
    skills: {
      greeter: manifest('greeter', 'allowed-tools: Read\n', 'GREET FIRST.'),
      scout: manifest('scout', 'context: fork\nallowed-tools: Read\n', 'SCOUT AHEAD, $1.'),
      leader: manifest('leader', 'context: fork\n', 'LEAD THE WAY.'),
      expert: manifest('expert', 'context: fork\nagent: reviewer\nmodel: big\n', 'REVIEW IT.'),
    },
  }),
]

const open = (way: Way, options: AgentOptions) => openAgent(way, { settings: { sources }, ...options })
const native: Way = { protocol: 'native', streamed: false }
const forkEvents = (events: readonly LoopEvent[]) =>
  events.flatMap((event) =>
    event.type === 'fork-start' || event.type === 'fork-end' ? [[event.type, event.skill, event.session]] : [],
  )

describe.each(ways)('%s', (_, way) => {
  test('[ACT-10] a forked skill runs in its own conversation, and the model is shown its result alone', async () => {
    const [read, bash] = [tool('Read'), tool('Bash')]
    const agent = await open(way, {
      script: [
        activate('scout'),
        call('Bash', { command: 'ls' }),
        call('Read', { file_path: 'a' }),
        { text: 'The way is free.' },
        call('Bash', { command: 'pwd' }),
        { text: 'Done.' },
      ],
      tools: [read, bash],
      instructions: 'Mine.',
    })
    const { text, messages, steps } = await agent.run('Go')
    expect({ text, steps }).toEqual({ text: 'Done.', steps: 3 })
    const [, first, , last, after] = agent.play.requests
    expect(first?.messages.map(({ role }) => role)).toEqual(['user'])
    expect(first?.messages[0]?.text).toContain('SCOUT AHEAD')
    expect(first?.system).not.toContain('Mine.')
    expect(first?.stream).toBe(way.streamed)
    expect(last?.messages.at(-1)?.text).toBe('Read ran')
    expect(after?.messages.at(-1)?.text).toBe('<skill_result name="scout">\nThe way is free.\n</skill_result>')
    expect(JSON.stringify([after?.raw, messages])).not.toContain('SCOUT AHEAD')
    // In the fork the skill restricts, and above it does not.
    expect(read.inputs).toEqual([{ file_path: 'a' }])
    expect(bash.inputs).toEqual([{ command: 'pwd' }])
    expect(adapterSession(agent.session).state.active).toEqual([])
    expect(agent.play.failures).toEqual([])
  })

  test('[ACT-10] a stream tells where a sub-agent begins and how it ended, and nothing between', async () => {
    const agent = await open(
      { ...way, streamed: true },
      {
        script: [activate('scout'), call('Read'), { text: 'The way is free.' }, { text: 'Done.' }],
        tools: [tool('Read')],
      },
    )
    await agent.run('Go')
    expect(agent.events.map(({ type }) => type).filter((type) => type !== 'text-delta')).toEqual([
      'step-start',
      'tool-call',
      'fork-start',
      'fork-end',
      'tool-result',
      'step-end',
      'step-start',
      'step-end',
      'finish',
    ])
    expect(agent.events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')).toBe('Done.')
    const session = `${agent.session.id}/call_1_1`
    const start = { type: 'fork-start', skill: 'scout', callId: 'call_1_1', session }
    expect(agent.events).toContainEqual(start)
    const end = agent.events.find((event) => event.type === 'fork-end')
    expect(end).toMatchObject({ ...start, type: 'fork-end', result: { text: 'The way is free.', steps: 2 } })
    expect(end?.result?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(end?.result?.usage.outputTokens).toBeGreaterThan(0)
  })

  test('[ACT-10, ACT-12] a person invokes a forked skill', async () => {
    const agent = await open(way, {
      script: [call('Bash'), { text: 'The way is free.' }, { text: 'Done.' }],
      tools: [tool('Bash')],
    })
    await agent.run('/scout Ada')
    const [first, , last] = agent.play.requests
    expect(first?.messages[0]?.text).toContain('SCOUT AHEAD, Ada.')
    expect(last?.messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', '/scout Ada'],
      ['user', '<skill_result name="scout">\nThe way is free.\n</skill_result>'],
    ])
    if (way.streamed) {
      expect(forkEvents(agent.events).map(([type]) => type)).toEqual(['fork-start', 'fork-end'])
      expect(agent.events.findIndex(({ type }) => type === 'step-start')).toBeGreaterThan(1)
    }
  })

  test('[ACT-10, GATE-2] forks nest: each restricts all below it, and its model is shown the result', async () => {
    const [read, bash] = [tool('Read'), tool('Bash')]
    const agent = await open(way, {
      script: [
        activate('scout'),
        activate('leader'),
        call('Bash'),
        { text: 'Led.' },
        { text: 'Scouted.' },
        { text: 'Done.' },
      ],
      tools: [read, bash],
    })
    await agent.run('Go')
    const [, , , refused, above, top] = agent.play.requests
    // `leader` restricts nothing itself.
    expect(refusal(refused?.messages.at(-1)?.text ?? '').code).toBe('TOOL_NOT_ALLOWED')
    expect(bash.inputs).toEqual([])
    expect(above?.messages.at(-1)?.text).toBe('<skill_result name="leader">\nLed.\n</skill_result>')
    expect(top?.messages.at(-1)?.text).toBe('<skill_result name="scout">\nScouted.\n</skill_result>')
    if (way.streamed) {
      const { id } = agent.session
      const below = `${id}/call_1_1/${way.protocol === 'text' ? 'call_1_1' : 'call_2_1'}`
      expect(forkEvents(agent.events)).toEqual([
        ['fork-start', 'scout', `${id}/call_1_1`],
        ['fork-start', 'leader', below],
        ['fork-end', 'leader', below],
        ['fork-end', 'scout', `${id}/call_1_1`],
      ])
    }
  })

  test('[ACT-10, ASK-5] consent is asked before a fork begins, and nobody is asked inside', async () => {
    const agent = await open(way, {
      consent: undefined,
      script: [activate('scout'), activate('greeter'), { text: 'Alone.' }, { text: 'Done.' }],
    })
    const { consentRequests = [], messages } = await agent.run('Go')
    expect(consentRequests.map(({ skill }) => skill)).toEqual(['scout'])
    const answers = [{ requestId: consentRequests[0]!.id, approved: true }]
    expect((await agent.run(messages, { answers })).text).toBe('Done.')
    expect(refusal(agent.play.requests[2]?.messages.at(-1)?.text ?? '').code).toBe('CONSENT_DENIED')
    expect(agent.resultOf('call_1_1')).toContain('Alone.')
  })

  describe('an abort', () => {
    async function aborted(hold: 'model' | 'tool') {
      const leaving = new AbortController()
      const stopped = Promise.withResolvers<unknown>()
      const never = Promise.withResolvers<void>()
      const waiting = tool('Read', (_input, { signal }) => {
        signal?.addEventListener('abort', () => stopped.resolve(signal.reason))
        leaving.abort(new Error('Enough.'))
        return never.promise
      })
      const second = hold === 'tool' ? call('Read') : { hold: never.promise, next: { text: 'Too late.' } }
      const agent = await open(way, { script: [activate('scout'), second, { text: 'Here again.' }], tools: [waiting] })
      const messages: Message[] = []
      const running = agent.run('Go', { signal: leaving.signal, onMessage: (message) => messages.push(message) })
      const failed = running.then(() => 'It ended well.', String)
      if (hold === 'model') {
        await expect.poll(() => agent.play.waiting).toHaveLength(1)
        leaving.abort(new Error('Enough.'))
      } else expect(await stopped.promise).toEqual(new Error('Enough.'))
      expect(await failed).toBe('Error: Enough.')
      return { agent, messages, never }
    }

    test.each(['model', 'tool'] as const)('[ACT-10] of the run stops the %s of a sub-agent', async (hold) => {
      const { agent, messages, never } = await aborted(hold)
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
      expect(messages[2]).toMatchObject({ content: 'Enough.', isError: true })
      expect(agent.audit.find(({ type }) => type === 'fork.finished')).toMatchObject({ outcome: 'aborted' })
      expect(agent.play.requests).toHaveLength(2)
      if (way.streamed) {
        const end = agent.events.find(({ type }) => type === 'fork-end')
        expect(end).toBeDefined()
        expect(end).toMatchObject({ result: undefined })
      }
      never.resolve()
      // The conversation goes on, and the fork does not begin anew.
      expect((await agent.run(messages)).text).toBe('Here again.')
    })
  })
})

describe('sub-agents', () => {
  test('[ACT-10] of a kind have its prompt, its tools and its protocol, and the model that the skill names', async () => {
    const big = endpoint.play([call('Look'), { text: 'Reviewed.' }], { dialect: textDialect })
    const small = endpoint.play([])
    const seen: string[] = []
    const look = tool('Look')
    const agent = await open(native, {
      script: [activate('expert'), { text: 'Done.' }],
      tools: [tool('Read')],
      subagents: {
        reviewer: {
          instructions: 'You review.',
          tools: [look],
          protocol: 'text',
          model: openAICompatible(endpointOf(small)),
        },
      },
      resolveModel: (name) => {
        seen.push(name)
        return openAICompatible(endpointOf(big))
      },
    })
    await agent.run('Go')
    expect(seen).toEqual(['big'])
    expect(small.requests).toEqual([])
    expect(big.requests[0]?.system.startsWith('You review.')).toBe(true)
    expect(big.requests[0]?.tools.map(({ name }) => name)).toContain('Look')
    expect(big.requests[0]?.tools.map(({ name }) => name)).not.toContain('Read')
    expect(look.inputs).toEqual([{}])
    expect(agent.resultOf('call_1_1')).toContain('Reviewed.')
    const called = agent.audit.filter(({ type }) => type === 'model.called')
    expect(called.map(({ model, session }) => [model, session])).toEqual([
      [agent.play.model, agent.session.id],
      [big.model, `${agent.session.id}/call_1_1`],
      [big.model, `${agent.session.id}/call_1_1`],
      [agent.play.model, agent.session.id],
    ])
  })

  test('[ACT-10] have the model of their kind where the one that the skill names is not found', async () => {
    const own = endpoint.play([{ text: 'Reviewed.' }])
    const agent = await open(native, {
      script: [activate('expert'), { text: 'Done.' }],
      subagents: { reviewer: { model: openAICompatible(endpointOf(own)) } },
      resolveModel: () => undefined,
    })
    await agent.run('Go')
    expect(own.requests).toHaveLength(1)
    expect(agent.resultOf('call_1_1')).toContain('Reviewed.')
  })

  test('[ACT-10] of a kind that there is not are refused', async () => {
    const agent = await open(native, { script: [activate('expert'), { text: 'Done.' }], subagents: { writer: {} } })
    await agent.run('Go')
    expect(refusal(agent.resultOf('call_1_1'))).toEqual({
      code: 'FORK_FAILED',
      reason: expect.stringContaining('There is no sub-agent of the kind "reviewer".'),
    })
  })

  test('[ACT-10] that are not done at their limit have failed, and so have those whose model does', async () => {
    const subagents = { reviewer: { maxSteps: 2 } }
    const read = tool('Read')
    const agent = await open(native, {
      script: [
        activate('expert'),
        { text: 'I look.', ...call('Read') },
        { text: 'I look on.', ...call('Read') },
        activate('scout'),
        { status: 400, message: 'Out of order.' },
        { text: 'Done.' },
      ],
      tools: [read],
      subagents,
    })
    const { text } = await agent.run('Go')
    expect(text).toBe('Done.')
    expect(refusal(agent.resultOf('call_1_1'))).toEqual({
      code: 'FORK_FAILED',
      reason: expect.stringContaining('had not finished after 2 model calls'),
    })
    expect(refusal(agent.resultOf('call_4_1')).reason).toContain('Out of order.')
    expect(read.inputs).toHaveLength(2)
  })

  test('[ACT-10] end where the reader of the stream leaves', async () => {
    const never = Promise.withResolvers<void>()
    const agent = await open(native, {
      script: [activate('scout'), { hold: never.promise, next: { text: 'Too late.' } }],
    })
    for await (const { type } of agent.loop.stream('Go')) if (type === 'fork-start') break
    expect(agent.audit.find(({ type }) => type === 'fork.finished')).toMatchObject({ outcome: 'aborted' })
    never.resolve()
  })

  test('[ACT-10] that cannot be meant are refused when the loop is made', async () => {
    const { session } = await open(native, { script: [] })
    const never = () => {
      throw new Error('not called')
    }
    const model: Model = { name: 'm', complete: never, stream: never }
    const loopWith = (subagents: Parameters<typeof createReActLoop>[0]['subagents']) => () =>
      createReActLoop({ model, session, subagents })
    expect(loopWith({ reviewer: { tools: [tool('Read'), tool('Read')] } })).toThrow('Two tools are named "Read"')
    expect(loopWith({ reviewer: { maxSteps: 0 } })).toThrow('maxSteps')
  })
})
