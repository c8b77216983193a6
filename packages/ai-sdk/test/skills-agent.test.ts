import { memorySessions, memorySource, openRepertoire } from '@repertoire/core'
import { createAgentUIStreamResponse, isStepCount, tool } from 'ai'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { skillsAgent } from '../src/index.ts'
import { browser, chat, open, options, questions, SKILLS, textOf } from './chat.ts'
import { activate, call, modelOf, notingTools, offered, resultOf, SKILL_TOOLS, useEndpoint } from './task.ts'

const endpoint = useEndpoint()
const settled = (run: PromiseLike<unknown>): Promise<unknown> => Promise.allSettled([run])

describe('an agent with sessions', () => {
  it('[ASK-5, ACT-7] asks, is approved on another machine, and restricts the third request', async () => {
    const script = [
      activate('careful'),
      call('Bash', { command: 'git log' }),
      { text: 'Looked.' },
      call('Write', { path: 'a' }),
      { text: 'Not allowed.' },
    ]
    const { play, runs, machine, active } = await chat(endpoint(), script)
    const { send, answer } = browser(machine)
    expect(questions(await send('Hello'))).toEqual([expect.stringContaining('Activate the skill')])
    expect(await active()).toEqual([])
    expect(textOf(await answer(true))).toBe('Looked.')
    expect(await active()).toEqual(['careful'])
    expect(textOf(await send('Write it down.'))).toBe('Not allowed.')
    expect(runs).toEqual(['Bash {"command":"git log"}'])
    expect(resultOf(play, 'call_4_1')).toContain('TOOL_NOT_ALLOWED')
    expect(play.failures).toEqual([])
  })

  it('[ASK-5] answers a web request, and the session is saved and free when the response has ended', async () => {
    const { agent, sessions, active } = await chat(endpoint(), [activate('careful'), { text: 'Done.' }], {
      session: { consent: () => true },
    })
    const uiMessages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
    const response = await createAgentUIStreamResponse({ agent, uiMessages, options })
    expect(await response.text()).toContain('[DONE]')
    const lease = await sessions.acquire('c', { duration: 1000 })
    expect(lease).toBeDefined()
    await sessions.release(lease!)
    expect(await active()).toEqual(['careful'])
  })

  it.each(['generate', 'stream'] as const)(
    '[ACT-15] %s keeps the active skill after an error of the model',
    async (by) => {
      const { agent, active } = await chat(endpoint(), [activate('careful'), { status: 500, message: 'Broken.' }], {
        session: { consent: () => true },
        onError: () => {},
      })
      const run = async () => {
        const result = await agent[by]({ prompt: 'Go', options })
        if ('consumeStream' in result) await result.consumeStream()
      }
      await settled(run())
      expect(await active()).toEqual(['careful'])
    },
  )

  it.each(['generate', 'stream'] as const)('[ACT-15] %s keeps the active skill after an abort', async (by) => {
    const begun = Promise.withResolvers<void>()
    const never = Promise.withResolvers<void>()
    const hold = () => {
      begun.resolve()
      return { hold: never.promise, next: { text: 'Too late.' } }
    }
    const { agent, active } = await chat(endpoint(), [activate('careful'), hold], { session: { consent: () => true } })
    const stop = new AbortController()
    const run = async () => {
      const result = await agent[by]({ prompt: 'Go', options, abortSignal: stop.signal })
      if ('consumeStream' in result) await result.consumeStream()
    }
    const running = settled(run())
    await begun.promise
    stop.abort(new Error('Enough.'))
    await running
    expect(await active()).toEqual(['careful'])
    never.resolve()
  })

  it('[ACT-15] keeps the active skill after an error of a tool', async () => {
    const execute = (): string => {
      throw new Error('Broken.')
    }
    const Break = tool({ inputSchema: z.object({}), execute })
    const { play, agent, active } = await chat(
      endpoint(),
      [activate('by-hand'), call('Break', {}), { text: 'Done.' }],
      {
        tools: { Break },
        session: { consent: () => true },
      },
    )
    const { text } = await agent.generate({ prompt: '/by-hand now', options })
    expect(text).toBe('Done.')
    expect(resultOf(play, 'call_2_1')).toContain('Broken.')
    expect(await active()).toEqual(['by-hand'])
  })

  it('[ACT-15] runs to the end and saves the session if nobody reads the stream', async () => {
    const { agent, active } = await chat(endpoint(), [activate('careful'), { text: 'Done.' }], {
      session: { consent: () => true },
    })
    await agent.stream({ prompt: 'Go', options })
    // It waits for the lease, which the unread run has.
    expect(await active()).toEqual(['careful'])
  })

  it('[LIB-11] a second call with the same id waits until the first has ended', async () => {
    const { play, agent } = await chat(endpoint(), [{ text: 'First.' }, { text: 'Second.' }], {})
    const calls = [agent.generate({ prompt: 'One', options }), agent.generate({ prompt: 'Two', options })]
    expect((await Promise.all(calls)).map(({ text }) => text).toSorted()).toEqual(['First.', 'Second.'])
    expect(play.requests).toHaveLength(2)
  })

  it('[LIB-11] reports a session that could not be saved when the stream had begun', async () => {
    const onProblem = vi.fn()
    const { agent, sessions } = await chat(endpoint(), [{ text: 'Done.' }, activate('careful'), { text: 'Done.' }], {
      session: { consent: () => true, onProblem },
      onError: () => {},
    })
    sessions.save = () => Promise.reject(new Error('The store is away.'))
    await (await agent.stream({ prompt: 'Go', options })).consumeStream()
    expect(onProblem).not.toHaveBeenCalled()
    await settled((await agent.stream({ prompt: 'Go', options })).consumeStream())
    expect(onProblem).toHaveBeenCalledWith(expect.objectContaining({ code: 'SESSION_NOT_SAVED' }))
  })
})

describe('sub-agents', () => {
  it('[ACT-10] run by the agent of their kind, with the model of the agent in a fresh process', async () => {
    const script = [activate('review'), { text: 'All is well.' }, { text: 'Done.' }]
    const { play, machine } = await chat(endpoint(), script, {
      subagents: { reviewer: { instructions: 'You review code.' } },
    })
    const { send, answer } = browser(machine)
    await send('Review it.')
    expect(textOf(await answer(true))).toBe('Done.')
    expect(play.requests[1]!.system).toMatch(/^You review code\./)
    expect(resultOf(play, 'call_1_1')).toContain('All is well.')
  })
})

describe('an agent without sessions', () => {
  it.each(['generate', 'stream'] as const)('[ACT-7] ends the session of each call of %s', async (by) => {
    const events: string[] = []
    const repertoire = await openRepertoire({
      sources: [memorySource({ layer: 'project', skills: SKILLS })],
      audit: { write: ({ type }) => void events.push(type) },
    })
    const play = endpoint().play([activate('careful'), { text: 'Done.' }, { text: 'Free again.' }])
    const { tools } = notingTools()
    const agent = skillsAgent({ model: modelOf(play), tools, repertoire, session: { consent: () => true } })
    const run = async (prompt: string) => {
      const result = await agent[by]({ prompt })
      if ('consumeStream' in result) await result.consumeStream()
      return result.text
    }
    expect(await run('Go')).toBe('Done.')
    expect(events).toContain('skill.deactivated')
    expect(await run('Go on')).toBe('Free again.')
    expect(play.requests.at(-1)!.tools.map(({ name }) => name)).toContain('Write')
  })

  it('[CFG-1] refuses the id of a session, and names the fix', async () => {
    const agent = skillsAgent({ model: modelOf(endpoint().play([])), repertoire: await open() })
    const named = { prompt: 'Go', options } as never
    for (const run of [agent.generate(named), agent.stream(named)]) {
      await expect(run).rejects.toThrow(TypeError)
      await expect(run).rejects.toThrow('Give `skillsAgent` the option `sessions`')
    }
  })
})

describe('the options', () => {
  it('[CFG-1] are checked, those of a call too', async () => {
    const repertoire = await open()
    const model = modelOf(endpoint().play([]))
    const wrong = (given: object) => () => skillsAgent({ model, repertoire, ...given } as never)
    expect(wrong({ sesions: memorySessions() })).toThrow('Did you mean `sessions`?')
    expect(wrong({ session: { id: 'c' } })).toThrow('`session.id`')
    expect(wrong({ repertoire: undefined })).toThrow('`repertoire`')
    expect(wrong({ prepareCall: () => ({}) })).toThrow('`prepareCall`')
    const agent = skillsAgent({ model, repertoire, sessions: memorySessions() })
    await expect(agent.generate({ prompt: 'Go', options: { sesion: 'c' } as never })).rejects.toThrow(
      'Did you mean `session`?',
    )
  })

  it('[ADPT-1] that are settings of a ToolLoopAgent reach it', async () => {
    const { tools } = notingTools()
    const play = endpoint().play([call('Read', {}), { text: 'Done.' }])
    const onStepEnd = vi.fn()
    const agent = skillsAgent({
      id: 'coder',
      model: modelOf(play),
      repertoire: await open(),
      tools,
      instructions: 'Be brief.',
      temperature: 0.5,
      stopWhen: isStepCount(1),
      onStepEnd,
    })
    expect([agent.version, agent.id, agent.tools]).toEqual(['agent-v1', 'coder', tools])
    await agent.generate({ prompt: 'Go' })
    expect(onStepEnd).toHaveBeenCalledTimes(1)
    expect(play.requests[0]!.system).toMatch(/^Be brief\./)
    expect(play.requests[0]!.raw).toMatchObject({ temperature: 0.5 })
  })
  it('[ADPT-1, ADPT-10] that have deprecated names reach it too', async () => {
    const called: string[] = []
    const noting = (name: string) => () => void called.push(name)
    const { runs, tools } = notingTools()
    const play = endpoint().play([call('look', { path: 'a' }), { text: 'Done.' }])
    const agent = skillsAgent({
      model: modelOf(play),
      repertoire: await open(),
      tools,
      experimental_onStart: noting('onStart'),
      experimental_onStepStart: noting('onStepStart'),
      experimental_telemetry: { integrations: { onStart: noting('telemetry') } },
      experimental_repairToolCall: async ({ toolCall }) => ({ ...toolCall, toolName: 'Read' }),
      onStepFinish: noting('onStepEnd'),
      onFinish: noting('onEnd'),
    })
    expect((await agent.generate({ prompt: 'Go' })).text).toBe('Done.')
    expect(runs).toEqual(['Read {"path":"a"}'])
    const step = ['onStepStart', 'onStepEnd']
    expect(called.toSorted()).toEqual(['onEnd', 'onStart', 'telemetry', ...step, ...step].toSorted())
  })

  it('[ADPT-10] offers the host’s tools that `activeTools` names, and always the skill tools', async () => {
    const { tools } = notingTools()
    const play = endpoint().play([activate('careful'), { text: 'Done.' }])
    const session = { consent: () => true }
    const agent = skillsAgent({ model: modelOf(play), repertoire: await open(), tools, session, activeTools: ['Read'] })
    await agent.generate({ prompt: 'Go' })
    expect(play.requests.map(offered)).toEqual([
      ['Read', 'activate_skill'],
      ['Read', ...SKILL_TOOLS],
    ])
  })
})
