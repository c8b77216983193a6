import { clientConsentRequest } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import {
  type ModelMessage,
  convertToModelMessages,
  readUIMessageStream,
  streamText,
  tool,
  toUIMessageStream,
  type UIMessage,
  isStepCount,
} from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { activate, call, modelOf, notingTools, openTask, refusalOf, resultOf, useEndpoint, WAYS } from './task.ts'
import { approvalResponses, consentRequests, withSkills } from '../src/index.ts'

const endpoint = useEndpoint()
const user = (content: string): ModelMessage => ({ role: 'user', content })
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

describe.each(WAYS)('%s', (_, run) => {
  test('[ASK-5] stops for the consent request, activates nothing before the yes, and goes on after it', async () => {
    const { play, model, session } = await openTask(
      endpoint(),
      [activate('careful'), call('Write', {}), { text: 'Done.' }],
      { consent: 'suspend' },
    )
    const { runs, tools } = notingTools()
    const messages = [user('Hello')]
    const first = await run(model, withSkills(session, { tools }), messages)
    messages.push(...first.responseMessages)
    const pending = await consentRequests(session, messages)
    expect(pending.map(({ request }) => [request.skill, request.callId])).toEqual([['careful', 'call_1_1']])
    expect(await consentRequests(session, [...messages, user('Never mind.')])).toEqual([])
    // The application that only looks at AI SDK's own parts is shown the question too.
    const asked = first.content.find((part) => part.type === 'tool-approval-request')
    const { text } = clientConsentRequest(pending[0]!.request)
    expect(asked).toMatchObject({ approvalId: pending[0]!.approvalId, reason: text })
    expect([play.requests.length, adapterSession(session).state.active]).toEqual([1, []])

    messages.push(approvalResponses(pending, [{ requestId: pending[0]!.request.id, approved: true }]))
    const second = await run(model, withSkills(session, { tools }), messages)
    expect(second.text).toBe('Done.')
    expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
    expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_NOT_ALLOWED')
    expect(runs).toEqual([])
    expect(adapterSession(session).state).toMatchObject({ active: [{ name: 'careful' }], open: [] })
    expect(await consentRequests(session, [...messages, ...second.responseMessages])).toEqual([])
  })

  test('[ASK-5, GATE-7] shows the words of core after a no, then and in every later message', async () => {
    const { play, model, session } = await openTask(
      endpoint(),
      [activate('careful'), { text: 'Without.' }, { text: 'Still.' }],
      { consent: 'suspend' },
    )
    const skills = withSkills(session)
    const messages = [user('Hello')]
    messages.push(...(await run(model, skills, messages)).responseMessages)
    const pending = await consentRequests(session, messages)
    messages.push(
      approvalResponses(pending, [{ requestId: pending[0]!.request.id, approved: false, reason: 'not on a Friday' }]),
    )
    messages.push(...(await run(model, skills, messages)).responseMessages, user('And now?'))
    await run(model, skills, json(messages))
    const expected = await wordsOfANo('not on a Friday')
    for (const { messages: shown } of play.requests.slice(1)) {
      expect(shown.find(({ callId }) => callId === 'call_1_1')?.text).toBe(expected)
    }
    expect(adapterSession(session).state.active).toEqual([])
  })

  test('[ASK-5, ABUSE-94] lets an answer serve its own call only', async () => {
    const both = {
      calls: [
        { tool: 'activate_skill', input: { name: 'careful' } },
        { tool: 'activate_skill', input: { name: 'free' } },
      ],
    }
    const { play, model, session } = await openTask(endpoint(), [both, { text: 'Done.' }], { consent: 'suspend' })
    const skills = withSkills(session)
    const messages = [user('Hello')]
    messages.push(...(await run(model, skills, messages)).responseMessages)
    const pending = await consentRequests(session, messages)
    expect(pending.map(({ request }) => request.skill)).toEqual(['careful', 'free'])
    // One verdict for the second, none for the first: nothing said is a no.
    messages.push(approvalResponses(pending, [{ requestId: pending[1]!.request.id, approved: true }]))
    await run(model, skills, messages)
    expect(refusalOf(play, 'call_1_1').code).toBe('CONSENT_DENIED')
    expect(resultOf(play, 'call_1_2')).toContain('DO AS YOU LIKE.')
    expect(session.activeSkills).toEqual(['free'])
  })

  test('[ASK-5, ACT-15] takes the answer in a fresh process, from saved messages and a saved session', async () => {
    const { model, session, reopen } = await openTask(
      endpoint(),
      [call('activate_skill', { name: 'careful', args: 'now' })],
      { consent: 'suspend' },
    )
    const { responseMessages } = await run(model, withSkills(session), 'Hello')
    const stored = json({ messages: [user('Hello'), ...responseMessages], session: session.save() })
    // As a database does that keeps no order of keys.
    for (const message of stored.messages) if (message.role === 'assistant') reverseKeys(message)

    const pending = await consentRequests(reopen({ saved: stored.session }), stored.messages)
    expect(pending.map(({ request }) => [request.id, request.skill])).toEqual([
      [adapterSession(session).state.open[0]!.id, 'careful'],
    ])
    const answer = approvalResponses(pending, [{ requestId: pending[0]!.request.id, approved: true }])

    const fresh = reopen({ saved: stored.session })
    const play = endpoint().play([{ text: 'Done.' }])
    await run(modelOf(play), withSkills(fresh), [...stored.messages, answer])
    expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
    expect(fresh.activeSkills).toEqual(['careful'])
  })

  test('[ASK-5, ABUSE-94] activates nothing for forged, altered, replayed or foreign answers', async () => {
    const { model, session, reopen } = await openTask(endpoint(), [activate('careful')], { consent: 'suspend' })
    const { responseMessages } = await run(model, withSkills(session), 'Hello')
    const asked = [user('Hello'), ...responseMessages]
    const pending = await consentRequests(session, asked)
    const yes = approvalResponses(pending, [{ requestId: pending[0]!.request.id, approved: true }])
    const no = approvalResponses(pending, [])
    const saved = session.save()
    const attempt = async (target: typeof session, messages: ModelMessage[]) => {
      const play = endpoint().play([{ text: 'Done.' }])
      await run(modelOf(play), withSkills(target), messages)
      return { play, active: target.activeSkills }
    }

    // No session ever asked this, and being asked to go on does not make it ask.
    const another = reopen({ id: 'another' })
    for (const answer of [yes, structuredClone(yes)]) {
      const forged = await attempt(another, [...asked, answer])
      expect([forged.active, refusalOf(forged.play, 'call_1_1').code]).toEqual([[], 'CONSENT_DENIED'])
    }
    expect(adapterSession(another).state.open).toEqual([])
    // The question was about another skill.
    const altered = JSON.parse(JSON.stringify(asked).replaceAll('"careful"', '"free"')) as ModelMessage[]
    const other = await attempt(reopen({ saved }), [...altered, yes])
    expect([other.active, refusalOf(other.play, 'call_1_1').code]).toEqual([[], 'CONSENT_DENIED'])
    // The no came first; the same question answered again, twice.
    const denied = reopen({ saved })
    expect((await attempt(denied, [...asked, no])).active).toEqual([])
    for (const answer of [yes, structuredClone(yes)]) {
      const replayed = await attempt(denied, [...asked, answer])
      expect([replayed.active, refusalOf(replayed.play, 'call_1_1').code]).toEqual([[], 'CONSENT_DENIED'])
    }
    // And the genuine one still works.
    expect((await attempt(reopen({ saved }), [...asked, yes])).active).toEqual(['careful'])
  })

  test('[ASK-5, ABUSE-94] a yes is none to another consent request whose call has the same id', async () => {
    const same = (name: string) => ({ calls: [{ id: 'call', tool: 'activate_skill', input: { name } }] })
    const { model, session } = await openTask(endpoint(), [same('careful'), same('free'), { text: 'Done.' }], {
      consent: 'suspend',
    })
    // The first conversation is given up, which denies what it asks; the session goes on in another.
    await run(model, withSkills(session), 'Hello')
    const messages = [user('Hello again')]
    messages.push(...(await run(model, withSkills(session), messages)).responseMessages)
    const pending = await consentRequests(session, messages)
    const { content } = approvalResponses(pending, [{ requestId: pending[0]!.request.id, approved: true }])
    messages.push({ role: 'tool', content: [...content, ...structuredClone(content)] })
    await run(model, withSkills(session), messages)
    expect(session.activeSkills).toEqual(['free'])
    expect(adapterSession(session).state.open.map(({ callId, approved }) => [callId, approved])).toEqual([
      ['call', false],
    ])
  })

  test('[ASK-5] keeps the approvals of the host’s own tools: in every form, beside consent requests about skills', async () => {
    const script = [
      {
        calls: [
          { tool: 'Bash', input: { command: 'git log' } },
          { tool: 'Read', input: {} },
          { tool: 'activate_skill', input: { name: 'careful' } },
        ],
      },
      { text: 'Done.' },
    ]
    const forms = [
      { toolApproval: { Bash: 'user-approval' } },
      { toolApproval: { Bash: () => ({ type: 'user-approval', reason: 'It is a shell.' }) } },
      {
        toolApproval: ({ toolCall }: { toolCall: { toolName: string } }) =>
          toolCall.toolName === 'Bash' ? 'user-approval' : undefined,
      },
      { needsApproval: true },
      { needsApproval: ({ command }: { command: string }) => command.startsWith('git') },
    ]
    for (const { needsApproval, ...options } of forms as { toolApproval?: any; needsApproval?: any }[]) {
      const { play, model, session } = await openTask(endpoint(), script, { consent: 'suspend' })
      const { runs, tools } = notingTools()
      const settings = { ...options, tools: { ...tools, Bash: { ...tools.Bash, needsApproval } } }
      const messages = [user('Hello')]
      const first = await run(model, withSkills(session, settings), messages)
      messages.push(...first.responseMessages)
      expect(runs).toEqual(['Read {}'])
      const requests = first.content.filter((part) => part.type === 'tool-approval-request')
      expect(requests.map(({ toolCall }) => toolCall.toolName)).toEqual(['Bash', 'activate_skill'])
      const pending = await consentRequests(session, messages)
      expect(pending.map(({ approvalId }) => approvalId)).toEqual([requests[1]!.approvalId])
      const { content } = approvalResponses(pending, [{ requestId: pending[0]!.request.id, approved: true }])
      messages.push({
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId: requests[0]!.approvalId, approved: true }, ...content],
      })
      await run(model, withSkills(session, settings), messages)
      expect(runs).toEqual(['Read {}', 'Bash {"command":"git log"}'])
      expect([resultOf(play, 'call_1_1'), adapterSession(session).state.active.length]).toEqual(['Bash ran', 1])
    }
  })

  test('[GATE-1, ASK-5] asks nobody about a host’s tool that the gate refuses, and runs none that the host denies', async () => {
    const script = [
      activate('careful'),
      call('Bash', { command: 'rm -rf .' }),
      call('Write', {}),
      call('Read', {}),
      { text: 'Done.' },
    ]
    const { play, model, session } = await openTask(endpoint(), script)
    const { runs, tools } = notingTools()
    const toolApproval = {
      Bash: 'user-approval',
      Write: 'user-approval',
      Read: { type: 'denied', reason: 'Not today.' },
    } as const
    const { text } = await run(model, withSkills(session, { tools, toolApproval }), 'Hello')
    expect(text).toBe('Done.')
    expect(runs).toEqual([])
    expect([refusalOf(play, 'call_2_1').code, refusalOf(play, 'call_3_1').code]).toEqual([
      'TOOL_NOT_ALLOWED',
      'TOOL_NOT_ALLOWED',
    ])
    expect(resultOf(play, 'call_4_1')).toBe('Not today.')
  })

  test('[GATE-5, ASK-5] judges a host’s tool again when its approval comes', async () => {
    const { model, session, reopen } = await openTask(endpoint(), [call('Write', {})])
    const { runs, tools } = notingTools()
    const settings = { tools, toolApproval: { Write: 'user-approval' } as const }
    const first = await run(model, withSkills(session, settings), 'Hello')
    const request = first.content.find((part) => part.type === 'tool-approval-request')!
    const answer: ModelMessage = {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: request.approvalId, approved: true }],
    }
    // Meanwhile a skill became active that does not allow it.
    const fresh = reopen({ saved: session.save(), consent: () => true })
    await fresh.call({ id: 'x', tool: 'activate_skill', input: { name: 'careful' } }, () => undefined)
    const play = endpoint().play([{ text: 'Done.' }])
    await run(modelOf(play), withSkills(fresh, settings), [user('Hello'), ...first.responseMessages, answer])
    expect(runs).toEqual([])
    expect(refusalOf(play, 'call_1_1').code).toBe('TOOL_NOT_ALLOWED')
  })

  test('[ASK-5] works with approvals that AI SDK signs', async () => {
    const signed = { experimental_toolApprovalSecret: 'a secret' }
    const { play, model, session } = await openTask(endpoint(), [activate('careful'), { text: 'Done.' }], {
      consent: 'suspend',
    })
    const messages = [user('Hello')]
    messages.push(...(await run(model, withSkills(session), messages, signed)).responseMessages)
    const pending = await consentRequests(session, messages)
    messages.push(approvalResponses(pending, [{ requestId: pending[0]!.request.id, approved: true }]))
    await run(model, withSkills(session), json(messages), signed)
    expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
    await expect(
      run(
        model,
        withSkills(session),
        JSON.parse(JSON.stringify(messages).replace('careful', 'free')) as ModelMessage[],
        signed,
      ),
    ).rejects.toThrow('signature')
  })
})

describe('tools that AI SDK does not run through `execute`', () => {
  const ask = tool({
    description: 'Asks the user.',
    inputSchema: z.object({ question: z.string() }),
    outputSchema: z.string(),
  })

  test.each(WAYS)('[GATE-1, GATE-7] refuses a tool of the client in the words of core, with %s', async (_, run) => {
    const script = [call('Ask', { question: 'a' })]
    const { model, session } = await openTask(endpoint(), script)
    const free = await run(model, withSkills(session, { tools: { Ask: ask } }), 'Hello')
    expect(free.content.map(({ type }) => type)).toEqual(['tool-call'])

    const {
      play,
      model: second,
      session: restricted,
    } = await openTask(endpoint(), [activate('careful'), ...script, { text: 'Done.' }])
    const { text, content } = await run(second, withSkills(restricted, { tools: { Ask: ask } }), 'Hello')
    expect(text).toBe('Done.')
    const expected = await restricted.call({ id: '', tool: 'Ask', input: { question: 'a' } }, () => undefined)
    expect(resultOf(play, 'call_2_1')).toBe(expected.text)
    expect(content.some((part) => part.type === 'tool-approval-response' && !part.approved)).toBe(true)
  })
})

test('[ASK-5] carries consent request and answer through UI messages', async () => {
  const { play, model, session } = await openTask(endpoint(), [activate('careful'), { text: 'Without.' }], {
    consent: 'suspend',
  })
  const skills = withSkills(session)
  const history: UIMessage[] = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
  const turn = async () => {
    const messages = await convertToModelMessages(history, { tools: skills.tools })
    const result = streamText({ model, stopWhen: isStepCount(5), messages, ...skills })
    const last = history.at(-1)?.role === 'assistant' ? history.pop() : undefined
    const stream = toUIMessageStream({ stream: result.stream, ...(last && { originalMessages: [...history, last] }) })
    let message: UIMessage | undefined
    for await (message of readUIMessageStream({ stream, ...(last && { message: last }) }));
    history.push(message!)
    return message!
  }
  const asked = (await turn()).parts.find((part) => part.type === 'dynamic-tool')!
  expect(asked).toMatchObject({ state: 'approval-requested', toolName: 'activate_skill' })
  // What `addToolApprovalResponse` of a chat does in the browser.
  Object.assign(asked, {
    state: 'approval-responded',
    approval: { ...asked.approval, approved: false, reason: 'no, thanks' },
  })
  await turn()
  expect(resultOf(play, 'call_1_1')).toBe(await wordsOfANo('no, thanks'))
  expect(adapterSession(session).state.active).toEqual([])
})

/** What core says to a no, from a session that has a handler. */
async function wordsOfANo(reason: string): Promise<string | undefined> {
  const { session } = await openTask(endpoint(), [], {
    consent: ({ id }) => ({ requestId: id, approved: false, reason }),
  })
  const { text } = await session.call({ id: 'c', tool: 'activate_skill', input: { name: 'careful' } }, () => undefined)
  return text
}

function reverseKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value).toReversed()) {
    const item = (value as Record<string, unknown>)[key]
    reverseKeys(item)
    if (Array.isArray(value)) continue
    delete (value as Record<string, unknown>)[key]
    ;(value as Record<string, unknown>)[key] = item
  }
}
