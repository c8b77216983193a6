import { HumanMessage, RemoveMessage } from '@langchain/core/messages'
import { Command, interrupt, ParentCommand } from '@langchain/langgraph'
import { openAdapterSession } from '@repertoire/core/adapter'
import {
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  providerStrategy,
  tool,
  toolStrategy,
} from 'langchain'
import { describe, expect, test } from 'vitest'
import { activeSkills, needsApproval, skillsMiddleware, type SkillsSession } from '../src/index.ts'
import {
  activate,
  call,
  hostOf,
  modelOf,
  openSkills,
  questionsOf,
  refusalOf,
  resultOf,
  type Run,
  say,
  thread,
  user,
} from './setup.ts'
import { one, sources, useSkilledAgent, yes } from './skilled-agent.ts'

const { play: playScript, setUp } = useSkilledAgent()

const roles = (messages: readonly { readonly role: string; readonly text: string }[] | undefined) =>
  messages?.map(({ role, text }) => [role, text.includes('<skill_content name="greeter"') ? 'greeter' : text])

describe('a turn', () => {
  test('[ACT-12, ACT-9] carries out what a person invokes before the model is asked', async () => {
    const { play, runs, agent } = await setUp([call('Bash', { command: 'ls' }), say])
    await agent.invoke(user('/greeter Ada'), one)
    expect(roles(play.requests[0]?.messages)).toEqual([
      ['user', '/greeter Ada'],
      ['user', 'greeter'],
    ])
    expect(play.requests[0]?.messages[1]?.text).toContain('GREET Ada FIRST.')
    expect(JSON.stringify(play.requests[1]?.raw).split('GREET Ada FIRST.')).toHaveLength(2)
    expect(refusalOf(play, 'call_1_1').code).toBe('TOOL_NOT_ALLOWED')
    expect(runs).toEqual([])
    expect(await activeSkills(agent, one)).toEqual(['greeter'])
  })

  test('[ACT-12, ASK-5] suspends for the consent to what a person invokes, and goes on with the answer', async () => {
    const { play, agent } = await setUp([say, say], {})
    const [question] = questionsOf(await agent.invoke(user('/private now'), one))
    expect(question!.value).toMatchObject({ skill: 'private', args: 'now' })
    expect(play.requests).toHaveLength(0)
    await agent.invoke(new Command({ resume: { requestId: question!.value.id, approved: true } }), one)
    expect(play.requests[0]?.messages[1]?.text).toContain('FOR PEOPLE.')
    expect(await activeSkills(agent, one)).toEqual(['private'])
    const [other] = questionsOf(await agent.invoke(user('/private now'), thread('two')))
    expect(other!.value.id).not.toBe(question!.value.id)
    await agent.invoke(new Command({ resume: { requestId: question!.value.id, approved: true } }), thread('two'))
    expect(await activeSkills(agent, thread('two'))).toEqual([])
    expect(play.requests[1]?.messages[1]?.text).toContain('CONSENT_DENIED')
  })

  test('[ACT-11] tells the model which skills fit a message, and keeps no session for it without an audit', async () => {
    const { play, agent, repertoire } = await setUp([say], yes, {}, { audit: [] })
    await agent.invoke(user('Say welcome to her.'), one)
    const { text } = await openAdapterSession(repertoire).beginTurn('Say welcome to her.')
    expect(text).toContain('"greeter"')
    expect(play.requests[0]?.messages.at(-1)).toEqual({ role: 'user', text })
    expect((await agent.graph.getState(one)).values['_repertoire']).toBeNull()
  })
})

test('[ACT-14] says again what a conversation has lost, and nothing twice', async () => {
  const forget = createMiddleware({
    name: 'forget',
    beforeModel: ({ messages }) =>
      messages.length < 5
        ? undefined
        : { messages: messages.slice(1, 3).map(({ id }) => new RemoveMessage({ id: id! })) },
  })
  const { play, agent, repertoire } = await setUp([activate('greeter'), call('Read', { file_path: 'a' }), say], yes, {
    systemPrompt: 'Mine.',
    middleware: [forget] as never,
  })
  await agent.invoke(user('Go'), one)
  const times = play.requests.map(({ raw }) => JSON.stringify(raw).split('<skill_content').length - 1)
  expect(times).toEqual([0, 1, 1])
  const { values } = await agent.graph.getState(one)
  const resumed = openAdapterSession(repertoire, { saved: values['_repertoire'] })
  const reminder = await (await resumed.step({ tools: ['Bash', 'Read', 'Write'] })).reminder(() => false)
  expect(play.requests.map(({ system }) => system.endsWith(`\n\n${reminder}`))).toEqual([false, false, true])
  expect(play.requests[2]?.system.startsWith('Mine.')).toBe(true)
})

describe('a forked skill', () => {
  test('[ACT-8, ACT-10, ABUSE-146] is run with the model of its own run, where a session of another tenant has the same id', async () => {
    const plays = { a: playScript([activate('scout'), say, say]), b: playScript([say]) }
    const tenantOf = (runtime: { readonly context?: unknown }) => (runtime.context as { tenant: 'a' | 'b' }).tenant
    const choose = createMiddleware({
      name: 'choose',
      wrapModelCall: (request, handler) => handler({ ...request, model: modelOf(plays[tenantOf(request.runtime)]) }),
    })
    const skills = skillsMiddleware(await openSkills({ sources }), (runtime) => ({
      id: 'chat',
      tenant: tenantOf(runtime),
    }))
    const agent = createAgent({ ...hostOf(plays.a, []), middleware: [choose, skills] } as never)
    const runOf = (tenant: string) => ({ ...thread(tenant), context: { tenant } }) as never
    const [question] = questionsOf((await agent.invoke(user('Go'), runOf('a'))) as never)
    await agent.invoke(user('Hello'), runOf('b'))
    await agent.invoke(new Command({ resume: { requestId: question!.value.id, approved: true } }) as never, runOf('a'))
    expect([plays.a.requests.length, plays.b.requests.length]).toEqual([3, 1])
    expect([...plays.a.failures, ...plays.b.failures]).toEqual([])
  })

  test('[ACT-10] runs in its own conversation, and the model is shown its result alone', async () => {
    const { play, runs, agent } = await setUp(
      [
        activate('scout'),
        call('Bash', { command: 'ls' }),
        call('Read', { file_path: 'a' }),
        { text: 'The way is free.' },
        call('Bash', { command: 'ls' }),
        say,
      ],
      yes,
      { systemPrompt: 'Mine.' },
    )
    const { messages } = await agent.invoke(user('Go'), one)
    expect(messages.at(-1)?.text).toBe('Done.')
    const [, first, , last, after] = play.requests
    expect(first?.messages.map(({ role }) => role)).toEqual(['user'])
    expect(first?.messages[0]?.text).toContain('SCOUT AHEAD.')
    expect(first?.system).not.toContain('Mine.')
    expect(last?.messages.at(-1)?.text).toBe('Read ran with {"file_path":"a"}')
    expect(after?.messages.at(-1)?.text).toBe('<skill_result name="scout">\nThe way is free.\n</skill_result>')
    expect(JSON.stringify(after?.raw)).not.toContain('SCOUT AHEAD.')
    expect(runs).toEqual([
      ['Read', { file_path: 'a' }],
      ['Bash', { command: 'ls' }],
    ])
    expect(messages.map((message: { readonly text: string }) => message.text).join('\n')).not.toContain('SCOUT AHEAD.')
    expect(await activeSkills(agent, one)).toEqual([])
  })

  test('[ACT-10, ASK-5] asks before it begins, runs once, and asks nobody inside', async () => {
    const { play, agent } = await setUp([activate('scout'), activate('greeter'), say, say], {})
    const [question] = questionsOf(await agent.invoke(user('Go'), one))
    expect(question!.value.skill).toBe('scout')
    expect(play.requests).toHaveLength(1)
    const result = await agent.invoke(new Command({ resume: { requestId: question!.value.id, approved: true } }), one)
    expect(questionsOf(result)).toEqual([])
    expect(play.requests).toHaveLength(4)
    expect(play.requests[2]?.messages.at(-1)?.text).toContain('CONSENT_DENIED')
    expect(resultOf(play, 'call_1_1')).toContain('<skill_result name="scout">')
  })

  test('[ACT-10] has the prompt, tools, middleware and model of its kind', async () => {
    const big = playScript([call('Look', {}), { text: 'Reviewed.' }])
    const seen: string[] = []
    const look = tool(() => 'LOOKED', {
      name: 'Look',
      description: 'Looks.',
      schema: { type: 'object', properties: {} },
    })
    const noting = createMiddleware({
      name: 'noting',
      wrapToolCall: (request, handler) => {
        seen.push(request.toolCall.name)
        return handler(request)
      },
    })
    const { play, agent } = await setUp([activate('expert'), say], {
      ...yes,
      subagents: { reviewer: { systemPrompt: 'You review.', tools: [look], middleware: [noting] } },
      resolveModel: (name) => {
        seen.push(name)
        return modelOf(big)
      },
    })
    await agent.invoke(user('Go'), one)
    expect(seen).toEqual(['big', 'Look'])
    expect(big.requests[0]?.system.startsWith('You review.')).toBe(true)
    expect(resultOf(big, 'call_1_1')).toBe('LOOKED')
    expect(resultOf(play, 'call_1_1')).toContain('Reviewed.')
  })

  test('[ACT-10] of a kind that there is not is refused', async () => {
    const { play, agent } = await setUp([activate('expert'), say], { ...yes, subagents: { writer: {} } })
    await agent.invoke(user('Go'), one)
    expect(refusalOf(play, 'call_1_1')).toMatchObject({ code: 'FORK_FAILED' })
    expect(refusalOf(play, 'call_1_1').reason).toContain('There is no sub-agent of the kind "reviewer".')
  })
})

test('[OBS-1, OBS-2] puts the model, its tokens and the calls on record', async () => {
  const { play, agent, events } = await setUp([activate('greeter'), call('Read', { file_path: 'a' }), say])
  await agent.invoke(user('Go'), one)
  const called = events.filter(({ type }) => type === 'model.called')
  expect(called.map(({ model }) => model)).toEqual([play.model, play.model, play.model])
  expect(called.map(({ skills }) => skills.map(({ name }) => name))).toEqual([[], ['greeter'], ['greeter']])
  for (const { usage } of called) {
    expect(usage).toEqual({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) })
  }
  expect(events.find(({ type }) => type === 'tool.finished')).toMatchObject({
    tool: 'Read',
    callId: 'call_2_1',
    model: play.model,
  })
})

test('[OBS-1] puts a tool that waits for a person on record as suspended, and as done when it has its answer', async () => {
  const asking = tool(() => String(interrupt('Really?')), {
    name: 'Ask',
    description: 'Asks.',
    schema: { type: 'object', properties: {} },
  })
  const { agent, events } = await setUp([call('Ask', {}), say], yes, { tools: [asking] })
  await agent.invoke(user('Go'), one)
  await agent.invoke(new Command({ resume: 'Yes' }), one)
  expect(events.filter(({ type }) => type === 'tool.finished').map(({ outcome }) => outcome)).toEqual([
    'suspended',
    'succeeded',
  ])
})

test('[OBS-1] puts a tool that hands over to another agent on record as done', async () => {
  const handing = tool(
    () => {
      throw new ParentCommand(new Command({ graph: Command.PARENT, goto: 'other' }))
    },
    { name: 'Hand', description: 'Hands over.', schema: { type: 'object', properties: {} } },
  )
  const { agent, events } = await setUp([call('Hand', {}), say], yes, { tools: [handing] })
  await agent.invoke(user('Go'), one).catch(() => undefined)
  expect(events.filter(({ type }) => type === 'tool.finished').map(({ outcome }) => outcome)).toEqual(['succeeded'])
})

describe('the mode preapprove', () => {
  test("[GATE-8] skips the host's approval of what a skill lists, and of nothing else", async () => {
    const play = playScript([activate('greeter'), call('Read', { file_path: 'a' }), call('Write', { file_path: 'b' })])
    const runs: Run[] = []
    const repertoire = await openSkills({ sources })
    const session: SkillsSession = { ...yes, enforcement: 'preapprove' }
    const ask = { allowedDecisions: ['approve', 'reject'], when: needsApproval } as never
    const agent = createAgent({
      ...hostOf(play, runs),
      middleware: [
        skillsMiddleware(repertoire, session),
        humanInTheLoopMiddleware({ interruptOn: { Read: ask, Write: ask } }),
      ],
    })
    const result = await agent.invoke({ messages: [new HumanMessage('Go')] }, one)
    expect(runs).toEqual([['Read', { file_path: 'a' }]])
    expect(questionsOf(result).map(({ value }) => value)).toMatchObject([{ actionRequests: [{ name: 'Write' }] }])
  })
})

describe('a turn of a run', () => {
  test('[ACT-11] that begins with what the session said of a message is not its own turn', async () => {
    const { play, agent } = await setUp([{ status: 400, message: 'Out of order.' }, say])
    await expect(agent.invoke(user('Say welcome.'), one)).rejects.toThrow('Out of order.')
    await agent.invoke({ messages: [] }, one)
    expect(play.requests[0]?.messages).toHaveLength(2)
    expect(play.requests[1]?.messages).toEqual(play.requests[0]?.messages)
  })

  test('[ACT-12] reads a message of several parts as AI SDK does: they stay apart', async () => {
    const { play, agent } = await setUp([say])
    const content = ['/greeter', 'Ada'].map((text) => ({ type: 'text' as const, text }))
    await agent.invoke({ messages: [{ role: 'user', content }] }, one)
    expect(play.requests[0]?.messages[1]?.text).toContain('GREET Ada FIRST.')
  })
})

describe('the steps of a sub-agent', () => {
  const around = (name: string) => createMiddleware({ name, beforeModel: () => undefined, afterModel: () => undefined })

  test('[ACT-10] are model calls, however many nodes its middleware adds to the graph', async () => {
    const middleware = [around('a'), around('b'), around('c')]
    const read = call('Read', { file_path: 'a' })
    const { play, agent } = await setUp([activate('expert'), read, read, { text: 'Reviewed.' }, say], {
      ...yes,
      subagents: { reviewer: { maxSteps: 3, middleware } },
    })
    await agent.invoke(user('Go'), one)
    expect(resultOf(play, 'call_1_1')).toContain('Reviewed.')
  })

  test('[ACT-10] end with the last that it may take, in words that are the same everywhere', async () => {
    const read = call('Read', { file_path: 'a' })
    const { play, runs, agent } = await setUp([activate('expert'), read, read, say], {
      ...yes,
      subagents: { reviewer: { maxSteps: 2 } },
    })
    await agent.invoke(user('Go'), one)
    expect(refusalOf(play, 'call_1_1')).toMatchObject({ code: 'FORK_FAILED' })
    expect(refusalOf(play, 'call_1_1').reason).toContain('the agent had not finished after 2 model calls')
    expect(runs).toHaveLength(2)
  })
})

test('[OBS-1, ADPT-4] puts a tool that fails on record as failed, and shows the model what it says', async () => {
  const failing = tool(() => Promise.reject(new RangeError('The file is gone.')), {
    name: 'Read',
    description: 'Reads.',
    schema: { type: 'object', properties: {} },
  })
  const { play, agent, events } = await setUp([call('Read', {}), say], yes, { tools: [failing] })
  await agent.invoke(user('Go'), one)
  expect(resultOf(play, 'call_1_1')).toBe('The file is gone.')
  expect(events.find(({ type }) => type === 'tool.finished')).toMatchObject({
    outcome: 'failed',
    error: 'The file is gone.',
  })
})

test('[OBS-2] counts the tokens of an answer that has a format, too', async () => {
  const format = { title: 'answer', type: 'object', properties: { a: { type: 'number' } } }
  for (const [responseFormat, step] of [
    [providerStrategy(format as never), { text: '{"a":1}' }],
    [toolStrategy(format as never), call('answer', { a: 1 })],
  ] as const) {
    const { agent, events } = await setUp([step], yes, { responseFormat } as never)
    expect(await agent.invoke(user('Go'), one)).toMatchObject({ structuredResponse: { a: 1 } })
    expect(events.filter(({ type }) => type === 'model.called')).toMatchObject([
      { usage: { inputTokens: expect.any(Number) } },
    ])
  }
})
