import type { ConsentAnswer, ConsentRequest } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { describe, expect, test } from 'vitest'
import { type Agent, refusal, tool, useEndpoint, ways } from './agent.ts'
import type { Message } from '../src/index.ts'
import { activate, call, calls } from './script.ts'

const open = useEndpoint()

describe.each(ways)('%s', (_, way) => {
  describe('consent', () => {
    test('[ASK-5, ASK-8] ends a run whose session has no handler with all requests of a message, before any call of it runs', async () => {
      const read = tool('Read')
      const agent = await open(way, {
        script: [calls(call('Read'), activate('reading'), activate('free')), { text: 'Done.' }],
        tools: [read],
        consent: undefined,
      })
      const asking = await agent.run('Hello')
      expect(asking).toMatchObject({ finishReason: 'consent', steps: 1 })
      const { consentRequests = [], messages } = asking
      expect(consentRequests.map(({ skill }) => skill)).toEqual(['reading', 'free'])
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
      expect(read.inputs).toEqual([])
      expect(adapterSession(agent.session).state.active).toEqual([])
      if (way.streamed) {
        const requests = agent.events.flatMap((event) => (event.type === 'consent-request' ? [event.request] : []))
        expect(requests).toEqual(consentRequests)
      }
      const [reading, free] = consentRequests as [ConsentRequest, ConsentRequest]
      const done = await agent.run(messages, {
        answers: [
          { requestId: reading.id, approved: true },
          { requestId: free.id, approved: false, reason: 'Not today.' },
        ],
      })
      expect(done).toMatchObject({ finishReason: 'stop', text: 'Done.', steps: 1 })
      expect(done).not.toHaveProperty('consentRequests')
      expect(done.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool', 'assistant'])
      expect(refusal(agent.resultOf('call_1_3'))).toMatchObject({
        code: 'CONSENT_DENIED',
        reason: expect.stringContaining('Not today.'),
      })
      expect(agent.session.activeSkills).toEqual(['reading'])
      expect(read.inputs).toHaveLength(1)
      expect(agent.play.failures).toEqual([])
    })

    test('[ASK-3, ASK-5] waits on until every request has its own answer', async () => {
      const agent = await open(way, {
        script: [calls(activate('reading'), activate('free')), { text: 'Done.' }],
        consent: undefined,
      })
      const { consentRequests = [], messages } = await agent.run('Hello')
      const [reading, free] = consentRequests as [ConsentRequest, ConsentRequest]
      const given: readonly (readonly ConsentAnswer[])[] = [
        [],
        [{ requestId: `${reading.id}x`, approved: true }],
        [{ requestId: free.id, approved: true }],
      ]
      for (const [index, answers] of given.entries()) {
        const still = await agent.run(messages, { answers })
        expect(still).toMatchObject({ finishReason: 'consent', text: '', steps: 0, messages })
        expect(still.consentRequests).toEqual(index === 2 ? [reading] : [reading, free])
      }
      await agent.run(messages, { answers: [{ requestId: reading.id, approved: true }] })
      expect(agent.session.activeSkills).toEqual(['reading', 'free'])
    })

    test('[ASK-5] is asked of the handler of the session, and never ends a run then', async () => {
      const agent = await open(way, {
        script: [calls(activate('reading')), { text: 'Done.' }],
        consent: () => false,
      })
      const { finishReason, messages } = await agent.run('Hello')
      expect(finishReason).toBe('stop')
      expect(messages).toHaveLength(4)
      expect(refusal(agent.resultOf('call_1_1')).code).toBe('CONSENT_DENIED')
    })

    test('[ASK-5, ACT-15] can be given in another process, to what was stored', async () => {
      const first = await open(way, {
        script: [calls(call('Read'), activate('reading')), { text: 'Never.' }],
        tools: [tool('Read')],
        consent: undefined,
      })
      const { consentRequests, messages } = await first.run('Hello')
      const stored = JSON.stringify({ messages, session: first.session.save(), consentRequests })
      const saved = JSON.parse(stored) as {
        messages: Message[]
        session: ReturnType<Agent['session']['save']>
        consentRequests: ConsentRequest[]
      }
      const read = tool('Read')
      const second = await open(way, {
        script: [{ text: 'It is read.' }],
        tools: [read],
        consent: undefined,
        sessionOptions: { saved: saved.session },
      })
      const again = await second.run(saved.messages)
      expect(again.consentRequests).toEqual(saved.consentRequests)
      const answers = saved.consentRequests.map(({ id }) => ({ requestId: id, approved: true }))
      const { messages: all, steps } = await second.run(saved.messages, { answers })
      expect(all.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant'])
      expect(all[3]).toMatchObject({ callId: 'call_1_2', content: expect.stringContaining('Read slowly.') })
      expect(read.inputs).toHaveLength(1)
      expect(steps).toBe(1)
      expect(second.session.activeSkills).toEqual(['reading'])
      expect(second.play.failures).toEqual([])
    })
  })
})
