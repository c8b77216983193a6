import { createMiddleware, tool } from 'langchain'
import { describe, expect, test } from 'vitest'
import type { ScriptStep } from '@repertoire/conformance'
import type { SessionProblem } from '@repertoire/core'
import { activeSkills, endSkills, type SkillsSession } from '../src/index.ts'
import { activate, call, resultOf, say, user } from './setup.ts'
import { one, useSkilledAgent, yes } from './skilled-agent.ts'

const { setUp: setUpAgent } = useSkilledAgent()

/** An agent without a checkpointer, and whether its task has ended with everything that belongs to it. */
async function setUp(
  script: readonly ScriptStep[],
  more: Parameters<typeof setUpAgent>[2] = {},
  session: SkillsSession = yes,
) {
  const world = await setUpAgent(script, session, { checkpointer: undefined, ...more })
  const { hooks, events } = world
  const ended = () => ({
    hooks: [...hooks],
    deactivated: events.flatMap(({ type, skill }) => (type === 'skill.deactivated' ? [skill?.name] : [])),
  })
  return { ...world, ended }
}

const ENDED = { hooks: ['goodbye.sh'], deactivated: ['leaving'] }
const hold = (until: Promise<unknown>): ScriptStep => ({ hold: until as Promise<void>, next: say })

describe('a run without a checkpointer', () => {
  test('[ACT-7, ACT-13] ends its task when it has succeeded, before the result is returned', async () => {
    const { agent, ended } = await setUp([activate('leaving'), call('Read', { file_path: 'a' }), say])
    const { messages } = await agent.invoke(user('Go'))
    expect(messages.at(-1)?.text).toBe('Done.')
    expect(ended()).toEqual(ENDED)
  })

  test('[ACT-7, ACT-13] ends its task when the model fails', async () => {
    const { agent, ended } = await setUp([activate('leaving'), { status: 400, message: 'Out of order.' }])
    await expect(agent.invoke(user('Go'))).rejects.toThrow('Out of order.')
    await expect.poll(ended).toEqual(ENDED)
  })

  test('[ACT-7, ACT-13] ends its task when a tool takes the whole run down', async () => {
    const breaking = createMiddleware({
      name: 'breaking',
      wrapToolCall(request, handler) {
        if (request.toolCall.name === 'Read') throw new Error('The whole run.')
        return handler(request)
      },
    })
    const { agent, ended } = await setUp([activate('leaving'), call('Read', { file_path: 'a' })], {
      middleware: [breaking],
    })
    await expect(agent.invoke(user('Go'))).rejects.toThrow('The whole run.')
    await expect.poll(ended).toEqual(ENDED)
  })

  test('[ACT-7, ACT-13] goes on where another middleware tries a failed model call again', async () => {
    let tries = 0
    const again = createMiddleware({
      name: 'again',
      async wrapModelCall(request, handler) {
        try {
          return await handler(request)
        } catch {
          tries++
          return handler(request)
        }
      },
    })
    const { agent, play, ended } = await setUp(
      [activate('leaving'), { status: 400, message: 'Once.' }, call('Read', { file_path: 'a' }), say],
      { middleware: [again] },
    )
    await agent.invoke(user('Go'))
    expect(tries).toBe(1)
    expect(resultOf(play, 'call_3_1')).toContain('Read ran')
    expect(ended()).toEqual(ENDED)
  })

  test.each(['the model', 'a tool', 'another middleware'] as const)(
    '[ACT-7, ACT-13, ABUSE-141] ends its task when it is aborted while %s is at work',
    async (where) => {
      const stop = new AbortController()
      const begun = Promise.withResolvers<void>()
      const never = Promise.withResolvers<void>()
      const wait = async (): Promise<undefined> => {
        begun.resolve()
        await never.promise
        return undefined
      }
      const slow = tool(wait, { name: 'Slow', description: 'Ignores its signal.' })
      let turns = 0
      const other = createMiddleware({
        name: 'other',
        beforeModel: () => (++turns === 2 && where === 'another middleware' ? wait() : undefined),
      })
      const second: ScriptStep =
        where === 'the model'
          ? () => {
              begun.resolve()
              return hold(never.promise)
            }
          : call('Slow', {})
      const { agent, ended } = await setUp([activate('leaving'), second], { tools: [slow], middleware: [other] })
      const running = agent.invoke(user('Go'), { signal: stop.signal })
      await begun.promise
      expect(ended()).toEqual({ hooks: [], deactivated: [] })
      stop.abort(new Error('Enough.'))
      await expect(running).rejects.toThrow('Enough.')
      await expect.poll(ended).toEqual(ENDED)
      never.resolve()
    },
  )

  test.each(['values', 'updates', 'messages'] as const)(
    '[ACT-7, ACT-13] ends its task when the reader of its stream leaves: %s',
    async (streamMode) => {
      const never = Promise.withResolvers<void>()
      const { agent, ended, events } = await setUp([activate('leaving'), hold(never.promise)])
      const isActive = (): boolean => events.some(({ type }) => type === 'skill.activated')
      for await (const _ of await agent.stream(user('Go'), { streamMode })) if (isActive()) break
      await expect.poll(ended).toEqual(ENDED)
      never.resolve()
    },
  )

  test('[ACT-7, ACT-13] ends its task when nobody reads its stream', async () => {
    const { agent, ended } = await setUp([activate('leaving'), say])
    await agent.stream(user('Go'))
    await expect.poll(ended).toEqual(ENDED)
  })

  test('[ACT-7, ACT-13] ends its task when the repertoire is closed, which waits for it', async () => {
    const never = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const { agent, ended, repertoire } = await setUp([
      activate('leaving'),
      () => {
        begun.resolve()
        return hold(never.promise)
      },
    ])
    const running = agent.invoke(user('Go'))
    await begun.promise
    await repertoire.close()
    expect(ended()).toEqual(ENDED)
    never.resolve()
    await running
    expect(ended()).toEqual(ENDED)
  })

  test('[ACT-8] leaves nothing to the next run of the same agent', async () => {
    const { agent, play, ended } = await setUp([activate('greeter'), say, call('Write', { file_path: 'a' }), say])
    await agent.invoke(user('Go'))
    await agent.invoke(user('Go on'))
    expect(resultOf({ ...play, requests: play.requests.slice(2) }, 'call_3_1')).toContain('Write ran')
    expect(ended().deactivated).toEqual(['greeter'])
  })

  test('[ACT-12, ACT-7] begins with what a person invokes, and ends it', async () => {
    const { agent, play, ended } = await setUp([say])
    await agent.invoke(user('/leaving now'))
    expect(play.requests[0]?.messages.at(-1)?.text).toContain('STAY A WHILE.')
    expect(ended()).toEqual(ENDED)
  })

  test('[ASK-1] denies an activation that nobody can be asked about, and tells the host so', async () => {
    const problems: SessionProblem[] = []
    const onProblem = (problem: SessionProblem) => void problems.push(problem)
    const { agent, play } = await setUp([activate('leaving'), say], {}, { onProblem })
    await agent.invoke(user('Go'))
    expect(resultOf(play, 'call_1_1')).toContain('nobody could be asked')
    expect(problems).toMatchObject([{ code: 'CONSENT_UNATTENDED', skill: 'leaving' }])
  })

  test('[ACT-7] has no active skills afterwards, and nothing to end', async () => {
    const { agent, repertoire, ended } = await setUp([activate('leaving'), say])
    await agent.invoke(user('Go'), one)
    expect(ended()).toEqual(ENDED)
    expect(await activeSkills(agent, one)).toEqual([])
    await endSkills(repertoire, agent, one)
  })
})
