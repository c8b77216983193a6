import { memorySource, openRepertoire, type Session } from '@repertoire/core'
import { adapterSession, openAdapterSession } from '@repertoire/core/adapter'
import { describe, expect, test } from 'vitest'
import { activate, call, endpointOf, manifest, refusal, tool, useEndpoint, type Way, ways } from './agent.ts'
import { createReActLoop, type Message, openAICompatible } from '../src/index.ts'

const open = useEndpoint()

/** What a step says of active skills whose instructions the conversation has lost. */
const reminderOf = async (session: Session): Promise<string | undefined> =>
  (await adapterSession(session).step({ tools: [] })).reminder(() => false)

const sources = [
  memorySource({
    layer: 'project',
    skills: {
      greeter: manifest('greeter', 'allowed-tools: Read\ntriggers:\n  keywords: [welcome]\n', 'GREET $1 FIRST.'),
      private: manifest('private', 'disable-model-invocation: true\n', 'FOR PEOPLE. Never say welcome.'),
    },
  }),
]
const settings = { sources }
const native: Way = { protocol: 'native', streamed: false }

const shown = (messages: readonly { readonly role: string; readonly text: string }[] | undefined) =>
  messages?.map(({ role, text }) => [role, text.includes('<skill_content name="greeter"') ? 'greeter' : text])

describe.each(ways)('%s', (_, way) => {
  describe('a turn', () => {
    test('[ACT-12, ACT-9] carries out what a person invokes before the model is asked', async () => {
      const bash = tool('Bash')
      const agent = await open(way, { settings, script: [call('Bash'), { text: 'Done.' }], tools: [bash] })
      const told: Message[] = []
      const { messages } = await agent.run('/greeter Ada', { onMessage: (message) => told.push(message) })
      const [first, second] = agent.play.requests
      expect(shown(first?.messages)).toEqual([
        ['user', '/greeter Ada'],
        ['user', 'greeter'],
      ])
      expect(first?.messages[1]?.text).toContain('GREET Ada FIRST.')
      // It stands there once in every later request too, and restricts from the first on.
      expect(JSON.stringify(second?.raw).split('GREET Ada FIRST.')).toHaveLength(2)
      expect(refusal(agent.resultOf('call_1_1')).code).toBe('TOOL_NOT_ALLOWED')
      expect(bash.inputs).toEqual([])
      expect(messages[1]).toEqual({ role: 'user', content: first?.messages[1]?.text, from: 'skills' })
      expect(told).toEqual(messages)
      expect(agent.play.failures).toEqual([])
    })

    test('[ACT-11] tells the model which skills fit a message, and says nothing of others', async () => {
      const agent = await open(way, { settings, script: [{ text: 'Done.' }, { text: 'Done.' }] })
      const { text } = await openAdapterSession(agent.repertoire).beginTurn('Say welcome to her.')
      expect(text).toContain('"greeter"')
      const { messages } = await agent.run('Say welcome to her.')
      expect(agent.play.requests[0]?.messages.at(-1)).toEqual({ role: 'user', text })
      await agent.run([...messages, { role: 'user', content: 'And now?' }])
      expect(agent.play.requests[1]?.messages.map((message) => message.text)).toEqual([
        'Say welcome to her.',
        text,
        'Done.',
        'And now?',
      ])
    })

    test('[ACT-12] begins once for each message, whatever a run ends by', async () => {
      const agent = await open(way, {
        settings,
        script: [{ status: 400, message: 'Out of order.' }, call('Read'), { text: 'Done.' }, { text: 'Again.' }],
        tools: [tool('Read')],
        maxSteps: 1,
      })
      const messages: Message[] = []
      const go = () => agent.run([...messages], { onMessage: (message) => messages.push(message) })
      messages.push({ role: 'user', content: '/greeter Ada' })
      await expect(go()).rejects.toMatchObject({ status: 400 })
      // Stored and read again, as a host does it.
      messages.splice(0, messages.length, ...(JSON.parse(JSON.stringify(messages)) as Message[]))
      await go()
      await go()
      expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool', 'assistant'])
      expect(agent.audit.filter(({ type }) => type === 'skill.activated')).toHaveLength(1)
      messages.push({ role: 'user', content: '/greeter Bea' })
      await go()
      expect(messages.at(-2)).toMatchObject({ from: 'skills', content: expect.stringContaining('GREET Bea FIRST.') })
    })

    test('[ACT-12, ASK-5] waits for the consent to what a person invokes, before the model is called', async () => {
      const agent = await open(way, { settings, script: [{ text: 'Done.' }], consent: undefined })
      const asking = await agent.run('/private now')
      expect(asking).toMatchObject({ finishReason: 'consent', steps: 0, text: '' })
      const { consentRequests = [], messages } = asking
      expect(consentRequests).toMatchObject([{ skill: 'private', args: 'now' }])
      expect(agent.play.requests).toHaveLength(0)
      if (way.streamed) expect(agent.events.map(({ type }) => type)).toEqual(['consent-request', 'finish'])
      await agent.run(messages, { answers: [{ requestId: consentRequests[0]!.id, approved: true }] })
      expect(agent.play.requests[0]?.messages[1]?.text).toContain('FOR PEOPLE.')
    })

    test('[ASK-5] shows the model what was denied', async () => {
      const agent = await open(way, { settings, script: [{ text: 'Done.' }], consent: () => false })
      await agent.run('/private now')
      const text = agent.play.requests[0]?.messages[1]?.text ?? ''
      expect(text).not.toContain('FOR PEOPLE.')
      expect(refusal(text.slice(text.indexOf('\n')))).toEqual({
        code: 'CONSENT_DENIED',
        reason: expect.stringContaining('consent was not given'),
      })
      expect(adapterSession(agent.session).state.active).toEqual([])
    })

    test('[ACT-12, ACT-15, ASK-5] goes on in another process with an answer that comes later, without asking anew', async () => {
      const agent = await open(way, { settings, script: [{ text: 'Done.' }, { text: 'Done.' }], consent: undefined })
      const messages: Message[] = []
      const storing = { onMessage: (message: Message) => messages.push(message) }
      const { consentRequests } = await agent.run('/private now', storing)
      expect(messages).toEqual([{ role: 'user', content: '/private now' }])
      const session = openAdapterSession(agent.repertoire, { saved: agent.session.save() })
      const model = openAICompatible(endpointOf(agent.play))
      const loop = createReActLoop({ model, session, protocol: way.protocol })
      const answers = [{ requestId: consentRequests![0]!.id, approved: true }]
      await loop.run([...messages], { ...storing, answers })
      expect(agent.play.requests[0]?.messages[1]?.text).toContain('FOR PEOPLE.')
      expect(session.activeSkills).toEqual(['private'])
      // Once more, of the stored conversation: its turn has begun, and the skill is activated no second time.
      await loop.run(messages.slice(0, 2))
      expect(agent.play.requests[1]?.messages).toEqual(agent.play.requests[0]?.messages)
      expect(agent.audit.filter(({ type }) => type === 'skill.activated')).toHaveLength(1)
      expect(agent.play.requests).toHaveLength(2)
    })

    test('[ACT-12] does not begin where a stored conversation goes on with open calls', async () => {
      const read = tool('Read')
      const agent = await open(way, { settings, script: [{ text: 'Done.' }], tools: [read] })
      const calls = [{ id: 'one', tool: 'Read', input: {} }]
      await agent.run([
        { role: 'user', content: '/private now' },
        { role: 'assistant', content: '', calls },
      ])
      expect(read.inputs).toEqual([{}])
      const { model } = agent.play
      expect(agent.audit.find(({ type }) => type === 'tool.finished')).toMatchObject({ callId: 'one', model })
      expect(adapterSession(agent.session).state.active).toEqual([])
      expect(agent.play.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    })

    test('[ACT-12] that is aborted while it asks stays unanswered, and the model is not called', async () => {
      const leaving = new AbortController()
      const agent = await open(way, {
        settings,
        script: [],
        consent: (_request, { signal }) =>
          new Promise<never>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
            leaving.abort(new Error('Enough.'))
          }),
      })
      await expect(agent.run('/private', { signal: leaving.signal })).rejects.toThrow('Enough.')
      expect(adapterSession(agent.session).state.active).toEqual([])
      expect(agent.play.requests).toHaveLength(0)
    })
  })

  test('[ACT-14] says again what a conversation has lost, at the end of the system prompt, and nothing twice', async () => {
    const agent = await open(way, {
      settings,
      script: [activate('greeter'), call('Read'), { text: 'Done.' }, { text: 'Later.' }],
      tools: [tool('Read')],
      instructions: 'Mine.',
    })
    const { messages } = await agent.run('Go')
    await agent.run([...messages.slice(-1), { role: 'user', content: 'More' }])
    const { requests } = agent.play
    const times = requests.map(({ raw }) => JSON.stringify(raw).split('<skill_content').length - 1)
    expect(times).toEqual([0, 1, 1, 1])
    const reminder = await reminderOf(agent.session)
    // The text protocol tells of the tools behind it.
    expect(requests.map(({ system }) => system.endsWith(`\n\n${reminder}`))).toEqual([false, false, false, true])
    expect(requests[3]?.system.startsWith('Mine.')).toBe(true)
    expect(agent.play.failures).toEqual([])
  })

  test('[OBS-1, OBS-2] puts the model, its tokens and the calls on record', async () => {
    const agent = await open(way, {
      settings,
      script: [activate('greeter'), call('Read'), { text: 'Done.' }],
      tools: [tool('Read')],
    })
    const { usage } = await agent.run('Go')
    const called = agent.audit.filter(({ type }) => type === 'model.called')
    const { model } = agent.play
    expect(called.map((event) => event.model)).toEqual([model, model, model])
    expect(called.map(({ skills }) => skills.map(({ name }) => name))).toEqual([[], ['greeter'], ['greeter']])
    expect(called.reduce((sum, event) => sum + (event.usage?.inputTokens ?? 0), 0)).toBe(usage.inputTokens)
    expect(called.reduce((sum, event) => sum + (event.usage?.outputTokens ?? 0), 0)).toBe(usage.outputTokens)
    expect(agent.audit.find(({ type }) => type === 'tool.finished')).toMatchObject({ tool: 'Read', model })
  })
})

test('[ACT-11] a trigger activates where the host wants it, and the skill restricts the first answer', async () => {
  const bash = tool('Bash')
  const agent = await open(native, {
    settings,
    sessionOptions: { turns: { triggers: 'activate' } },
    script: [call('Bash'), { text: 'Done.' }],
    tools: [bash],
  })
  await agent.run('Say welcome to her.')
  expect(shown(agent.play.requests[0]?.messages)).toEqual([
    ['user', 'Say welcome to her.'],
    ['user', 'greeter'],
  ])
  expect(bash.inputs).toEqual([])
})

test("[ACT-14] what the host's own instructions show needs no reminder", async () => {
  const agent = await open(native, { settings, script: [activate('greeter'), { text: 'Done.' }, { text: 'Later.' }] })
  await agent.run('Go')
  const { session, play } = agent
  const instructions = `Mine.\n${await reminderOf(session)}`
  await createReActLoop({ session, model: openAICompatible(endpointOf(play)), instructions }).run('Go on')
  expect(play.requests[2]?.system.split('<skill_content')).toHaveLength(2)
})

test('[ACT-14] the reminder stands before the tools of the text protocol', async () => {
  const agent = await open(
    { protocol: 'text', streamed: false },
    {
      settings,
      script: [activate('greeter'), { text: 'Done.' }, { text: 'Later.' }],
    },
  )
  await agent.run('Go')
  await agent.run('Go on')
  const raw = agent.play.requests[2]?.raw as { readonly messages: readonly { readonly content: string }[] }
  const reminder = (await reminderOf(agent.session)) ?? ''
  const [system] = raw.messages
  expect(system?.content.indexOf(reminder)).toBeGreaterThan(0)
  expect(system?.content.indexOf('# Tools')).toBeGreaterThan(system?.content.indexOf(reminder) ?? Infinity)
})

test('[OBS-2] a model without a name is on record without one', async () => {
  const events: (string | undefined)[] = []
  const repertoire = await openRepertoire({
    sources,
    audit: { write: ({ type, model }) => void (type === 'model.called' && events.push(model)) },
  })
  const answer = { text: 'Done.', calls: [], finishReason: 'stop' } as const
  const loop = createReActLoop({
    session: openAdapterSession(repertoire),
    model: {
      complete: () => Promise.resolve(answer),
      async *stream() {
        yield { type: 'answer', answer }
      },
    },
  })
  await loop.run('Hello')
  expect(events).toEqual([undefined])
})
