import { memorySource, type ToolCall } from '@repertoire/core'
import { describe, expect, test } from 'vitest'
import { activate, type AgentOptions, call, manifest, refusal, tool, useEndpoint, type Way, ways } from './agent.ts'
import { type Approval, createReActLoop, type Message, type Model } from '../src/index.ts'

const openAgent = useEndpoint()

const sources = [
  memorySource({
    layer: 'project',
    skills: {
      greeter: manifest('greeter', 'allowed-tools: Read\n', 'GREET FIRST.'),
      scout: manifest('scout', 'context: fork\nallowed-tools: Read\n', 'SCOUT AHEAD.'),
    },
  }),
]

const open = (way: Way, options: AgentOptions) => openAgent(way, { settings: { sources }, ...options })
const native: Way = { protocol: 'native', streamed: false }

describe.each(ways)('%s', (_, way) => {
  test('[ASK-5, GATE-1] the host is asked about a call that is allowed, and never about one that is refused', async () => {
    const [read, bash] = [tool('Read'), tool('Bash')]
    const asked: ToolCall[] = []
    const agent = await open(way, {
      script: [
        activate('greeter'),
        { calls: [...call('bash').calls, ...call('read', { file_path: 'a' }).calls] },
        { text: 'Done.' },
      ],
      tools: [read, bash],
      approve: (asking) => {
        expect(read.inputs).toEqual([])
        asked.push(asking)
        return true
      },
    })
    await agent.run('Go')
    expect(asked).toEqual([{ id: 'call_2_2', tool: 'Read', input: { file_path: 'a' } }])
    expect(read.inputs).toEqual([{ file_path: 'a' }])
    expect(bash.inputs).toEqual([])
    expect(refusal(agent.resultOf('call_2_1')).code).toBe('TOOL_NOT_ALLOWED')
    expect(agent.resultOf('call_2_2')).toBe('Read ran')
    if (way.streamed) {
      expect(agent.events.filter(({ type }) => type === 'approval-request')).toEqual([
        { type: 'approval-request', call: asked[0] },
      ])
    }
  })

  test('[ASK-3] a call runs for nothing but a clear yes, and the model is told why not', async () => {
    const answers: readonly (readonly [unknown, string | undefined])[] = [
      [true, undefined],
      [{ approved: true, reason: 'fine' }, undefined],
      [false, 'it was not approved'],
      [{ approved: false, reason: 'the disk is full' }, 'the disk is full'],
      [{ approved: 'yes' }, 'it was not approved'],
      [undefined, 'it was not approved'],
      ['yes', 'it was not approved'],
      [1, 'it was not approved'],
      [new Error('No terminal.'), 'consent could not be requested'],
    ]
    const read = tool('Read')
    const left = [...answers]
    const agent = await open(way, {
      script: [...answers.map(() => call('Read')), { text: 'Done.' }],
      tools: [read],
      approve: async () => {
        const [answer] = left.shift()!
        if (answer instanceof Error) throw answer
        return answer as Approval
      },
    })
    const { messages } = await agent.run('Go')
    const results = messages.filter(({ role }) => role === 'tool')
    expect(results.map(({ content }) => content)).toEqual(
      answers.map(([, why]) =>
        why === undefined ? 'Read ran' : `The call of "Read" was not run: ${why}. Go on without it.`,
      ),
    )
    expect(results.map((message) => message.role === 'tool' && message.isError)).toEqual(
      answers.map(([, why]) => why !== undefined),
    )
    expect(read.inputs).toHaveLength(2)
    expect(agent.play.failures).toEqual([])
  })

  test('[ASK-5, ACT-10] in a sub-agent nobody is asked: what needs approval is denied, and the rest runs', async () => {
    const [read, look] = [tool('Read'), tool('Grep')]
    const agent = await open(way, {
      script: [
        activate('leader'),
        { calls: [...call('Read').calls, ...call('Grep').calls] },
        { text: 'Half seen.' },
        { text: 'Done.' },
      ],
      settings: {
        sources: [
          memorySource({ layer: 'project', skills: { leader: manifest('leader', 'context: fork\n', 'LEAD.') } }),
        ],
      },
      tools: [read, look],
      approve: () => expect.unreachable('Nobody is asked.'),
      needsApproval: ({ tool: name }) => name === 'Read',
    })
    await agent.run('Go')
    expect(agent.play.requests[2]?.messages.slice(-2).map(({ text }) => text)).toEqual([
      'The call of "Read" was not run: nobody can be asked to approve it in a sub-agent. Go on without it.',
      'Grep ran',
    ])
    expect(read.inputs).toEqual([])
    expect(look.inputs).toEqual([{}])
    expect(agent.resultOf('call_1_1')).toContain('Half seen.')
  })

  test("[GATE-8] in the mode preapprove a skill's list skips the host's approval, also in its fork, and nothing else does", async () => {
    const [read, write] = [tool('Read'), tool('Write')]
    const asked: string[] = []
    const agent = await open(way, {
      sessionOptions: { enforcement: 'preapprove' },
      script: [
        activate('scout'),
        { calls: [...call('Read').calls, ...call('Write').calls] },
        { text: 'Seen.' },
        activate('greeter'),
        { calls: [...call('Read').calls, ...call('Write').calls] },
        { text: 'Done.' },
      ],
      tools: [read, write],
      approve: ({ tool: name }) => {
        asked.push(name)
        return false
      },
    })
    await agent.run('Go')
    expect(asked).toEqual(['Write'])
    expect(read.inputs).toHaveLength(2)
    expect(write.inputs).toEqual([])
    expect(agent.play.requests[2]?.messages.at(-1)?.text).toContain('nobody can be asked')
  })
})

test('[ABUSE-44] what is approved is what runs, whatever a handler does with the call', async () => {
  const read = tool('Read')
  const tamper = ({ input }: ToolCall): boolean => {
    Object.assign(input as object, { file_path: '/etc/shadow' })
    return true
  }
  const seen: unknown[] = []
  const agent = await open(native, {
    script: [call('Read', { file_path: 'a' }), { text: 'Done.' }],
    tools: [read],
    needsApproval: tamper,
    approve: (asking) => {
      seen.push(structuredClone(asking.input))
      return tamper(asking)
    },
  })
  const { messages } = await agent.run('Go')
  expect(seen).toEqual([{ file_path: 'a' }])
  expect(read.inputs).toEqual([{ file_path: 'a' }])
  expect(JSON.stringify(messages)).not.toContain('shadow')
})

test('[ASK-3] a call needs approval if it is not clear that it does not, and none runs where that cannot be told', async () => {
  const read = tool('Read')
  const answers: unknown[] = [undefined, 0, new Error('No rules.'), false]
  let asked = 0
  const agent = await open(native, {
    script: [...answers.map(() => call('Read')), { text: 'Done.' }],
    tools: [read],
    needsApproval: () => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer as boolean
    },
    approve: () => {
      asked++
      return false
    },
  })
  await agent.run('Go')
  expect(asked).toBe(2)
  expect(read.inputs).toHaveLength(1)
  expect(agent.resultOf('call_3_1')).toBe('No rules.')
})

test('[ASK-5] an abort while the host is asked runs nothing, and leaves a result', async () => {
  const leaving = new AbortController()
  const read = tool('Read')
  const answer = Promise.withResolvers<boolean>()
  const messages: Message[] = []
  const agent = await open(native, {
    script: [call('Read')],
    tools: [read],
    approve: (_call, { signal }) => {
      expect(signal).toBe(leaving.signal)
      leaving.abort(new Error('Enough.'))
      return answer.promise
    },
  })
  const options = { signal: leaving.signal, onMessage: (message: Message) => messages.push(message) }
  await expect(agent.run('Go', options)).rejects.toThrow('Enough.')
  answer.resolve(true)
  await answer.promise
  expect(read.inputs).toEqual([])
  expect(messages.at(-1)).toMatchObject({ role: 'tool', content: 'Enough.' })
})

test('[ACT-7] a yes that comes when the task has ended runs nothing', async () => {
  const read = tool('Read')
  const agent = await open(native, {
    script: [call('Read'), { text: 'Done.' }],
    tools: [read],
    approve: async () => {
      await agent.session.end()
      return true
    },
  })
  await agent.run('Go')
  expect(read.inputs).toEqual([])
  expect(agent.resultOf('call_1_1')).toContain('the task has ended')
})

test('[OBS-1] a denied call is on record', async () => {
  const agent = await open(native, {
    script: [call('Read'), { text: 'Done.' }],
    tools: [tool('Read')],
    approve: () => ({ approved: false, reason: 'the disk is full' }),
  })
  await agent.run('Go')
  expect(agent.audit.find(({ type }) => type === 'tool.finished')).toMatchObject({
    tool: 'Read',
    outcome: 'failed',
    error: expect.stringContaining('the disk is full'),
  })
})

test('[ASK-5] to say what needs approval, and not who gives it, is refused', async () => {
  const { session } = await open(native, { script: [] })
  expect(() => createReActLoop({ model: {} as Model, session, needsApproval: () => true })).toThrow(
    '`model` has no `complete`',
  )
})

test('[ASK-8, ABUSE-123] approvals are asked for one at a time, in the order of the calls, and never beside a question of the session', async () => {
  const read = tool('Read')
  let openQuestions = 0
  const asked: string[] = []
  const ask = async (what: string): Promise<boolean> => {
    expect(++openQuestions).toBe(1)
    asked.push(what)
    await new Promise((resolve) => setImmediate(resolve))
    openQuestions--
    return what !== 'call_1_3'
  }
  const agent = await open(native, {
    script: [
      { calls: [call('Read'), activate('greeter'), call('Read'), call('Read')].flatMap((step) => step.calls) },
      { text: 'Done.' },
    ],
    tools: [read],
    consent: async () => ask('consent'),
    approve: async ({ id }) => ask(id),
  })
  await agent.run('Go')
  expect(asked.toSorted()).toEqual(['call_1_1', 'call_1_3', 'call_1_4', 'consent'])
  expect(asked.filter((each) => each !== 'consent')).toEqual(['call_1_1', 'call_1_3', 'call_1_4'])
  expect(read.inputs).toHaveLength(2)
})
