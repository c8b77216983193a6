import { type ConsentHandler, memorySource, type SkillSource } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { describe, expect, test } from 'vitest'
import { tool, useEndpoint, ways } from './agent.ts'
import { type Message } from '../src/index.ts'
import { activate, call, calls, heldUntil } from './script.ts'

const open = useEndpoint()

describe.each(ways)('%s', (_, way) => {
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
      expect(agent.session.activeSkills).toEqual(['reading'])
      expect((await agent.run([...messages])).text).toBe('Here.')
      agent.play.close()
    })

    test('[CAT-10, ADPT-3] stops a folder that never answers while a request for consent is made, and leaves a result', async () => {
      const stop = new AbortController()
      const reason = new Error('The user pressed stop.')
      const skills = memorySource({
        layer: 'project',
        skills: { stuck: { 'SKILL.md': '---\nname: stuck\ndescription: d\n---\nBody.\n' } },
      })
      const readManifest = (): Promise<never> => {
        queueMicrotask(() => stop.abort(reason))
        return new Promise<never>(() => {})
      }
      const stuck: SkillSource = {
        ...skills,
        scan: () => skills.scan().map((found) => ({ ...found, folder: { ...found.folder, readManifest } })),
      }
      const agent = await open(way, {
        script: [calls(activate('stuck')), { text: 'Here.' }],
        settings: { sources: [stuck], catalog: { loadTimeout: Infinity } },
      })
      const messages: Message[] = []
      const options = { onMessage: (message: Message) => messages.push(message), signal: stop.signal }
      await expect(agent.run('Hello', options)).rejects.toBe(reason)
      expect(messages.at(-1)).toMatchObject({ role: 'tool', content: 'The user pressed stop.', isError: true })
      expect((await agent.run([...messages, { role: 'user', content: 'Go on' }])).text).toBe('Here.')
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
      expect(agent.session.activeSkills).toEqual(['reading'])
      expect((await agent.run([...messages, { role: 'user', content: 'Go on' }])).text).toBe('Here.')
      expect(agent.play.failures).toEqual([])
    })

    test("[ADPT-3, ASK-5] gives up a question to the session's handler: a later yes activates nothing", async () => {
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
        consent: handler,
      })
      const messages: Message[] = []
      await expect(
        agent.run('Hello', { signal: stop.signal, onMessage: (message) => messages.push(message) }),
      ).rejects.toBe(reason)
      late.resolve(true)
      await late.promise
      expect(given?.aborted).toBe(true)
      expect(adapterSession(agent.session).state.active).toEqual([])
      expect(adapterSession(agent.session).state.granted).toEqual([])
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool'])
      expect((await agent.run([...messages])).text).toBe('Here.')
    })

    test("[GATE-5] while the session's handler is asked lifts no restriction by a call beside it", async () => {
      const stop = new AbortController()
      const handler: ConsentHandler = ({ skill }) => {
        if (skill === 'reading') return true
        queueMicrotask(() => stop.abort('stopped'))
        return new Promise(() => {})
      }
      const agent = await open(way, {
        script: [calls(activate('reading')), calls(activate('free'), call('deactivate_skill'))],
        consent: handler,
      })
      await expect(agent.run('Hello', { signal: stop.signal })).rejects.toBe('stopped')
      expect(agent.session.activeSkills).toEqual(['reading'])
    })

    test('[ADPT-3] before the first request asks the model nothing', async () => {
      const agent = await open(way, { script: [] })
      await expect(agent.run('Hello', { signal: AbortSignal.abort('no') })).rejects.toBe('no')
      expect(agent.play.requests).toEqual([])
    })
  })
})
