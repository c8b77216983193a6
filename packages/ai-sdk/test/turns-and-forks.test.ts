import { type AuditEvent, memorySource } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { generateText, isStepCount, type ModelMessage, tool, type ToolSet } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { activate, call, modelOf, notingTools, openTask, refusalOf, resultOf, useEndpoint, WAYS } from './task.ts'
import { approvalResponses, consentRequests, withSkills } from '../src/index.ts'

const endpoint = useEndpoint()

const manifest = (name: string, fields: string, body: string): Record<string, string> => ({
  'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\n${body}\n`,
})

const sources = [
  memorySource({
    layer: 'project',
    skills: {
      greeter: manifest('greeter', 'allowed-tools: Read\ntriggers:\n  keywords: [welcome]\n', 'GREET $1 FIRST.'),
      private: manifest('private', 'disable-model-invocation: true\n', 'FOR PEOPLE.'),
      scout: manifest('scout', 'context: fork\nallowed-tools: Read\n', 'SCOUT AHEAD.'),
      expert: manifest('expert', 'context: fork\nagent: reviewer\nmodel: big\n', 'REVIEW IT.'),
    },
  }),
]

/** A task over these skills; its audit is what `events` holds. */
async function open(
  ...[script, options, settings]: Parameters<typeof openTask> extends [any, ...infer Rest] ? Rest : never
) {
  const events: AuditEvent[] = []
  const audit = { write: (event: AuditEvent) => void events.push(event) }
  return { events, ...(await openTask(endpoint(), script, options, { sources, audit, ...settings })) }
}

const shown = (messages: readonly { readonly role: string; readonly text: string }[] | undefined) =>
  messages?.map(({ role, text }) => [role, text.includes('<skill_content name="greeter"') ? 'greeter' : text])

describe.each(WAYS)('%s', (_, run) => {
  test('[ACT-12, ACT-9] carries out what a person invokes before the model is asked', async () => {
    const { play, model, session } = await open([call('Bash', { command: 'ls' }), { text: 'Done.' }])
    const { runs, tools } = notingTools()
    await run(model, withSkills(session, { tools }), '/greeter Ada')
    expect(shown(play.requests[0]?.messages)).toEqual([
      ['user', '/greeter Ada'],
      ['user', 'greeter'],
    ])
    expect(play.requests[0]?.messages[1]?.text).toContain('GREET Ada FIRST.')
    // It stands there once in every later request too, and restricts from the first on.
    expect(JSON.stringify(play.requests[1]?.raw).split('GREET Ada FIRST.')).toHaveLength(2)
    expect(refusalOf(play, 'call_1_1').code).toBe('TOOL_NOT_ALLOWED')
    expect(runs).toEqual([])
  })

  test('[ACT-11] tells the model which skills fit a message', async () => {
    const { play, model, session } = await open([{ text: 'Done.' }])
    await run(model, withSkills(session), [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Say welcome' },
          { type: 'text', text: 'to her.' },
        ],
      },
    ])
    const { text } = await adapterSession((await open([])).session).beginTurn('Say welcome\nto her.')
    expect(text).toContain('"greeter"')
    expect(play.requests[0]?.messages.at(-1)).toEqual({ role: 'user', text })
  })

  test('[ACT-14] says again what a conversation has lost, and nothing twice', async () => {
    const { play, model, session } = await open([
      activate('greeter'),
      call('Read', { file_path: 'a' }),
      { text: 'Done.' },
    ])
    const { tools } = notingTools()
    const prepareStep = ({ stepNumber, messages }: { stepNumber: number; messages: any[] }) =>
      stepNumber === 2 ? { messages: [messages[0], ...messages.slice(-2)] } : undefined
    await run(model, withSkills(session, { instructions: 'Mine.', tools, prepareStep: prepareStep as never }), 'Go')
    const times = play.requests.map(({ raw }) => JSON.stringify(raw).split('<skill_content').length - 1)
    expect(times).toEqual([0, 1, 1])
    const step = await adapterSession(session).step({ tools: Object.keys(tools) })
    const reminder = await step.reminder(() => false)
    expect(play.requests.map(({ system }) => system.endsWith(`\n\n${reminder}`))).toEqual([false, false, true])
    expect(play.requests[2]?.system.startsWith('Mine.')).toBe(true)
  })

  test('[ACT-10] runs a forked skill in its own conversation, and shows the model its result alone', async () => {
    const { play, model, session } = await open([
      activate('scout'),
      call('Bash', { command: 'ls' }),
      call('Read', { file_path: 'a' }),
      { text: 'The way is free.' },
      call('Bash', { command: 'ls' }),
      { text: 'Done.' },
    ])
    const { runs, tools } = notingTools()
    const { text } = await run(model, withSkills(session, { instructions: 'Mine.', tools }), 'Go')
    expect(text).toBe('Done.')
    const [, first, , last, after] = play.requests
    expect(first?.messages.map(({ role }) => role)).toEqual(['user'])
    expect(first?.messages[0]?.text).toContain('SCOUT AHEAD.')
    expect(first?.system).not.toContain('Mine.')
    expect(last?.messages.at(-1)?.text).toBe('Read ran')
    expect(after?.messages.at(-1)?.text).toMatch(/^<skill_result name="scout">\nThe way is free.\n<\/skill_result>$/)
    expect(JSON.stringify(after?.raw)).not.toContain('SCOUT AHEAD.')
    // In the fork the skill restricts, and above it does not.
    expect(runs).toEqual(['Read {"file_path":"a"}', 'Bash {"command":"ls"}'])
    expect(adapterSession(session).state.active).toEqual([])
  })

  test('[OBS-2, OBS-1] puts the model, its tokens and the calls on record', async () => {
    const { play, model, session, events } = await open([
      activate('greeter'),
      call('Read', { file_path: 'a' }),
      { text: 'Done.' },
    ])
    await run(model, withSkills(session, { tools: notingTools().tools }), 'Go')
    const called = events.filter(({ type }) => type === 'model.called')
    expect(called.map(({ model: name }) => name)).toEqual([play.model, play.model, play.model])
    expect(called.map(({ skills }) => skills.map(({ name }) => name))).toEqual([[], ['greeter'], ['greeter']])
    for (const { usage } of called)
      expect(usage).toEqual({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) })
    expect(events.find(({ type }) => type === 'tool.finished')).toMatchObject({
      tool: 'Read',
      callId: 'call_2_1',
      model: play.model,
    })
  })
})

describe('sub-agents', () => {
  const settings = { maxRetries: 0, stopWhen: isStepCount(12) }

  test('[ACT-10] of a kind have its prompt, its tools and the model that the skill names', async () => {
    const big = endpoint().play([call('Look', {}), { text: 'Reviewed.' }])
    const { play, model, session } = await open([activate('expert'), { text: 'Done.' }])
    const seen: string[] = []
    const look = tool({ inputSchema: z.looseObject({}), execute: () => 'LOOKED' })
    await generateText({
      model,
      ...settings,
      ...withSkills(session, {
        tools: notingTools().tools,
        subagents: { reviewer: { instructions: 'You review.', tools: { Look: look } } },
        resolveModel: (name) => {
          seen.push(name)
          return modelOf(big)
        },
      }),
      prompt: 'Go',
    })
    expect(seen).toEqual(['big'])
    expect(big.requests[0]?.system.startsWith('You review.')).toBe(true)
    expect(big.requests[0]?.tools.map(({ name }) => name)).toContain('Look')
    expect(resultOf(big, 'call_1_1')).toBe('LOOKED')
    expect(resultOf(play, 'call_1_1')).toContain('Reviewed.')
  })

  test('[ACT-10] of a kind that there is not are refused', async () => {
    const { play, model, session } = await open([activate('expert'), { text: 'Done.' }])
    await generateText({ model, ...settings, ...withSkills(session, { subagents: { writer: {} } }), prompt: 'Go' })
    expect(refusalOf(play, 'call_1_1')).toMatchObject({ code: 'FORK_FAILED' })
    expect(refusalOf(play, 'call_1_1').reason).toContain('There is no sub-agent of the kind "reviewer".')
  })

  test('[ACT-10, ASK-5] run no tool that somebody would have to approve', async () => {
    const { play, model, session } = await open([
      activate('scout'),
      call('Read', { file_path: 'a' }),
      { text: 'Nothing seen.' },
      { text: 'Done.' },
    ])
    const { runs, tools } = notingTools()
    const skills = withSkills(session, { tools, toolApproval: { Read: 'user-approval' } })
    const { text } = await generateText({ model, ...settings, ...skills, prompt: 'Go' })
    expect(text).toBe('Done.')
    expect(runs).toEqual([])
    expect(play.requests[2]?.messages.at(-1)?.text).toContain('nobody can be asked to approve it')
  })
})

describe('the mode preapprove', () => {
  test("[GATE-8] skips the host's approval of what a skill lists, and of nothing else", async () => {
    const { play, model, session } = await open(
      [activate('greeter'), call('Read', { file_path: 'a' }), call('Write', { file_path: 'a' })],
      { enforcement: 'preapprove' },
    )
    const { runs, tools } = notingTools()
    const skills = withSkills(session, { tools: tools, toolApproval: () => 'user-approval' })
    const result = await generateText({ model, stopWhen: isStepCount(12), maxRetries: 0, ...skills, prompt: 'Go' })
    expect(runs).toEqual(['Read {"file_path":"a"}'])
    expect(play.requests).toHaveLength(3)
    expect(result.content.filter(({ type }) => type === 'tool-approval-request')).toMatchObject([
      { toolCall: { toolName: 'Write' } },
    ])
  })
})

const settingsOf = { stopWhen: isStepCount(12), maxRetries: 0 }

describe('a turn of a run', () => {
  test('[ACT-11] that begins with what the session said of a message is not its own turn', async () => {
    const { play, model, session } = await open([{ status: 500, message: 'Out of order.' }, { text: 'Done.' }])
    let stored: ModelMessage[] = [{ role: 'user', content: 'Say welcome.' }]
    const prepareStep = ({ messages }: { messages: ModelMessage[] }) => {
      stored = messages
      return undefined
    }
    const again = () =>
      generateText({ model, ...settingsOf, messages: stored, ...withSkills(session, { prepareStep }) })
    await expect(again()).rejects.toThrow('Out of order.')
    expect(stored).toHaveLength(2)
    stored = JSON.parse(JSON.stringify(stored))
    await again()
    expect(play.requests[1]?.messages).toEqual(play.requests[0]?.messages)
  })

  test('[ACT-10, ACT-12] that is aborted stops the sub-agent which a person has asked for', async () => {
    const held = Promise.withResolvers<void>()
    const { play, model, session } = await open([{ hold: held.promise, next: call('Read', {}) }])
    const { runs, tools } = notingTools()
    const abort = new AbortController()
    const skills = withSkills(session, { tools, abortSignal: abort.signal })
    const run = generateText({ model, ...settingsOf, prompt: '/scout', ...skills })
    await expect.poll(() => play.waiting).toHaveLength(1)
    abort.abort(new Error('Stop.'))
    await expect(run).rejects.toThrow('Stop.')
    held.resolve()
    expect(runs).toEqual([])
    expect(play.requests).toHaveLength(1)
  })

  test("[ACT-10] hands the contexts of the host's tools on to sub-agents", async () => {
    const { play, model, session } = await open([
      activate('scout'),
      call('Read', {}),
      { text: 'Seen.' },
      { text: 'Done.' },
    ])
    const Read = tool({
      inputSchema: z.looseObject({}),
      contextSchema: z.object({ user: z.string() }),
      execute: (_, { context }) => `for ${context.user}`,
    })
    const skills = withSkills(session, { tools: { Read } })
    await generateText({ model, ...settingsOf, prompt: 'Go', toolsContext: { Read: { user: 'Ada' } }, ...skills })
    expect(resultOf({ ...play, requests: play.requests.slice(0, 3) }, 'call_2_1')).toBe('for Ada')
    expect(play.requests).toHaveLength(4)
  })
})

describe('the record', () => {
  const typesOf = (events: readonly AuditEvent[]) =>
    events.flatMap(({ type, outcome, tool: name }) => (name === undefined ? [] : [`${type} ${outcome} ${name}`]))

  test('[OBS-1] has no call of a tool that the provider runs, where the model has made none', async () => {
    const { events, model, session } = await open([{ text: 'Done.' }])
    const provided = {
      type: 'provider',
      isProviderExecuted: true,
      id: 'vendor.search',
      args: {},
      inputSchema: z.object({}),
    }
    const skills = withSkills(session, { tools: { search: provided as unknown as ToolSet[string] } })
    expect((await generateText({ model, ...settingsOf, prompt: 'Go', ...skills })).text).toBe('Done.')
    expect(typesOf(events)).toEqual([])
  })

  test('[OBS-1, ASK-5] has a call that waits for approval only once it runs, and a refused one once', async () => {
    const { events, model, session } = await open([
      activate('greeter'),
      { calls: [{ tool: 'Write', input: {} }] },
      call('Read', { file_path: 'a' }),
    ])
    const { tools } = notingTools()
    const skills = withSkills(session, { tools: tools, toolApproval: () => 'user-approval' })
    await generateText({ model, ...settingsOf, prompt: 'Go', ...skills })
    expect(typesOf(events).filter((each) => !each.includes('activate'))).toEqual(['restriction.violated refused Write'])
  })

  test('[OBS-1] tells of a tool that streams when and how it has ended', async () => {
    const { events, model, session } = await open([call('Tail', {}), { text: 'Done.' }])
    const seen: string[][] = []
    const Tail = tool({
      inputSchema: z.looseObject({}),
      async *execute() {
        yield 'a'
        seen.push(typesOf(events))
        throw new Error('The file is gone.')
      },
    })
    await generateText({ model, ...settingsOf, prompt: 'Go', ...withSkills(session, { tools: { Tail } }) })
    expect(seen).toEqual([['tool.started started Tail']])
    expect(typesOf(events)).toEqual(['tool.started started Tail', 'tool.finished failed Tail'])
  })
})

describe('a person who is asked about a `/name`', () => {
  const ask = { role: 'user' as const, content: '/greeter Ada' }

  test('[ACT-12, ASK-5] is asked before a model is called, and the run goes by the answer in another process', async () => {
    const { play, model, session, reopen } = await open([{ text: 'Done.' }], { consent: 'suspend' })
    const messages: ModelMessage[] = [ask]
    messages.push(...(await generateText({ model, maxRetries: 0, ...withSkills(session), messages })).responseMessages)
    expect(play.requests).toEqual([])
    const resumed = reopen({ saved: session.save() })
    const pending = await consentRequests(resumed, messages)
    expect(pending).toMatchObject([{ request: { skill: 'greeter', args: 'Ada' } }])
    messages.push(approvalResponses(pending, [{ requestId: pending[0]!.request.id, approved: true }]))
    await generateText({ model, maxRetries: 0, ...withSkills(resumed), messages })
    expect(play.requests[0]?.messages.at(-1)?.text).toContain('GREET Ada FIRST.')
    expect(resumed.activeSkills).toEqual(['greeter'])
  })

  test('[ACT-12, ASK-3, ABUSE-94] activates nothing by a no, by no answer, and by the yes to another message', async () => {
    for (const answer of ['no', 'none', 'other'] as const) {
      const { play, model, session } = await open([{ text: 'Done.' }], { consent: 'suspend' })
      const asked = async () => [
        ask,
        ...(await generateText({ model, maxRetries: 0, ...withSkills(session), messages: [ask] })).responseMessages,
      ]
      const messages: ModelMessage[] = await asked()
      const pending = await consentRequests(session, messages)
      if (answer === 'other') await asked()
      const answers = [{ requestId: pending[0]!.request.id, approved: answer === 'other' }]
      messages.push(answer === 'none' ? { role: 'user', content: 'Go on.' } : approvalResponses(pending, answers))
      await generateText({ model, maxRetries: 0, ...withSkills(session), messages })
      expect(play.requests[0]?.messages.at(-1)?.text).toContain(answer === 'none' ? 'Go on.' : 'CONSENT_DENIED')
      expect(adapterSession(session).state.active).toEqual([])
    }
  })
})
