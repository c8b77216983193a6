import type { ConsentHandler, ConsentRequest, ConsentAnswer } from '@repertoire/core'
import { describe, expect, test, vi } from 'vitest'
import { refusal, tool, useEndpoint, ways } from './agent.ts'
import { type Message } from '../src/index.ts'
import { activate, call, calls } from './script.ts'

const open = useEndpoint()

describe.each(ways)('%s', (_, way) => {
  describe('consent', () => {
    test('[ASK-5, ASK-8] is asked of the loop where the session has no handler, one request at a time, before any call of the message runs', async () => {
      const asked: ConsentRequest[] = []
      const answers: ConsentAnswer[] = []
      const read = tool('Read')
      const agent = await open(way, {
        script: [calls(call('Read'), activate('reading'), activate('free')), { text: 'Done.' }],
        tools: [read],
        consent: undefined,
        onConsent: (request) => {
          expect(asked).toHaveLength(answers.length)
          expect(read.inputs).toEqual([])
          expect(agent.session.state.active).toEqual([])
          asked.push(request)
          return new Promise((resolve) => {
            setImmediate(() => {
              // The yes to the first question serves that one alone.
              answers.push({ requestId: asked[0]!.id, approved: true })
              resolve(answers.at(-1)!)
            })
          })
        },
      })
      await agent.run('Hello')
      expect(asked.map(({ skill }) => skill)).toEqual(['reading', 'free'])
      expect(refusal(agent.resultOf('call_1_3')).code).toBe('CONSENT_DENIED')
      expect(agent.session.activeSkills).toEqual(['reading'])
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
          sessionOptions: { consent: { timeout: 20 } },
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
      expect(both.session.activeSkills).toEqual(['reading'])
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
        expect(second.session.activeSkills).toEqual(['reading'])
        expect(second.play.failures).toEqual([])
      },
    )
  })
})
