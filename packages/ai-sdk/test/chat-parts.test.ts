import { withStoredSession } from '@repertoire/core'
import { type ModelMessage, tool } from 'ai'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { approvalResponses, consentRequests } from '../src/index.ts'
import { browser, callsOf, chat, options, questions, SKILLS, textOf } from './chat.ts'
import { activate, call, CAREFUL, useEndpoint } from './task.ts'

const endpoint = useEndpoint()

describe('the parts of a message', () => {
  it("[ASK-4, ASK-5] give a page the text of a request, and nowhere the skill's location", async () => {
    const { machine } = await chat(endpoint(), [
      activate('careful'),
      call('Bash', { command: 'git log' }),
      { text: 'Looked.' },
    ])
    const { send, answer } = browser(machine)
    const asked = await send('Hello')
    const approval = { requestReason: expect.stringContaining('Activate the skill "careful"?') }
    expect(callsOf(asked)).toMatchObject([{ state: 'approval-requested', approval }])
    expect(callsOf(asked)[0]!.approval!.requestReason).toContain('Read, Bash(git:*)')
    expect(JSON.stringify(asked)).not.toContain('memory:')
    expect(callsOf(await answer(true))).toMatchObject([{ state: 'output-available' }, { state: 'output-available' }])
  })

  it('[ADPT-1] shows a call in the stream before its tool has ended', async () => {
    const shown = Promise.withResolvers<void>()
    const Wait = tool({ inputSchema: z.object({}), execute: () => shown.promise.then(() => 'Waited.') })
    const { agent } = await chat(endpoint(), [call('Wait', {}), { text: 'Done.' }], { tools: { Wait } })
    const transformed: string[] = []
    const result = await agent.stream({
      prompt: 'Go',
      options,
      experimental_transform: () =>
        new TransformStream({
          transform(part, controller) {
            transformed.push(part.type)
            controller.enqueue(part)
          },
        }),
    })
    for await (const { type } of result.stream) if (type === 'tool-call') shown.resolve()
    expect(await result.text).toBe('Done.')
    expect(transformed).toEqual(expect.arrayContaining(['tool-call', 'tool-result']))
  })
})

describe('a /name', () => {
  it('[ACT-12, ASK-5] without a handler is asked about as an approval, and activates its skill in the next request', async () => {
    const { play, machine, active } = await chat(endpoint(), [{ text: 'By hand.' }, { text: 'Again.' }])
    const { send, answer } = browser(machine)
    const asked = questions(await send('/by-hand slowly'))
    expect(asked).toEqual([expect.stringContaining('"input":{"name":"by-hand","arguments":"slowly"')])
    expect(asked).toEqual([expect.stringContaining('Activate the skill')])
    expect(play.requests).toEqual([])
    const answered = await answer(true)
    expect(textOf(answered)).toBe('By hand.')
    expect(callsOf(answered)).toMatchObject([{ toolName: 'activate_skill', state: 'output-available' }])
    expect(await active()).toEqual(['by-hand'])
    const [request] = play.requests
    expect(request!.messages.map(({ role }) => role)).toEqual(['user', 'user'])
    expect(request!.messages[1]!.text).toContain('DO IT BY HAND: slowly')
    expect(textOf(await send('Once more.'))).toBe('Again.')
    const { messages } = play.requests.at(-1)!
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'user'])
    expect(messages[1]!.text).toContain('DO IT BY HAND: slowly')
    expect(JSON.stringify(messages)).not.toContain('invocation_')
    expect(play.failures).toEqual([])
  })

  it('[ACT-12, ASK-5] that is denied activates nothing, and the model is told', async () => {
    const { play, machine, active } = await chat(endpoint(), [{ text: 'Very well.' }, { text: 'Nothing.' }])
    const { send, answer } = browser(machine)
    await send('/careful')
    const answered = await answer(false)
    expect(textOf(answered)).toBe('Very well.')
    expect(callsOf(answered)).toMatchObject([{ state: 'output-denied' }])
    expect(await active()).toEqual([])
    expect(play.requests[0]!.messages.at(-1)!.text).toContain('CONSENT_DENIED')
    expect(textOf(await send('And now?'))).toBe('Nothing.')
    expect(JSON.stringify(play.requests[1]!.messages)).not.toContain('invocation_')
  })

  it('[ASK-2, ASK-5] activates nothing if its folder has changed since, and the model is told', async () => {
    const { play, machine, active } = await chat(endpoint(), [{ text: 'Careful.' }])
    const { send, answer } = browser(machine)
    await send('/careful')
    const changed = () => machine({ ...SKILLS, careful: { ...CAREFUL['careful'], 'more.md': 'More.' } })
    expect(textOf(await answer(true, changed))).toBe('Careful.')
    expect(play.requests[0]!.messages.at(-1)!.text).toContain('CONSENT_DENIED')
    expect(await active()).toEqual([])
  })

  it('[ASK-5] that is not answered is left, and the next message is answered', async () => {
    const { play, machine, active } = await chat(endpoint(), [{ text: 'Very well.' }])
    const { send } = browser(machine)
    await send('/careful')
    expect(textOf(await send('Never mind.'))).toBe('Very well.')
    expect(await active()).toEqual([])
    expect(play.requests).toHaveLength(1)
  })

  it.each(['generate', 'stream'] as const)('[ACT-12, ASK-5] is answered through consentRequests by %s', async (by) => {
    const { agent, sessions, repertoire, active } = await chat(endpoint(), [{ text: 'Done.' }])
    const messages: ModelMessage[] = [{ role: 'user', content: '/careful' }]
    const run = async () => {
      const result = await agent[by]({ messages, options })
      messages.push(...(await result.responseMessages))
      return result.text
    }
    await run()
    const pending = await withStoredSession(repertoire, { store: sessions, id: 'c' }, (session) =>
      consentRequests(session, messages),
    )
    expect(pending).toMatchObject([{ request: { skill: 'careful', session: 'c' } }])
    messages.push(approvalResponses(pending, [{ requestId: pending[0]!.request.id, approved: true }]))
    expect(await run()).toBe('Done.')
    expect(await active()).toEqual(['careful'])
  })

  it('[ACT-12] with a handler activates its skill at once', async () => {
    const onTurn = vi.fn()
    const { agent, active } = await chat(endpoint(), [{ text: 'Done.' }], { session: { consent: () => true }, onTurn })
    expect((await agent.generate({ prompt: '/careful', options })).text).toBe('Done.')
    expect(await active()).toEqual(['careful'])
    expect(onTurn).toHaveBeenCalledWith(
      expect.objectContaining({ invoked: expect.objectContaining({ name: 'careful' }) }),
    )
  })
})
