import { memorySessions, memorySource, openRepertoire, type Repertoire, withStoredSession } from '@repertoire/core'
import {
  type Agent,
  createAgentUIStream,
  createAgentUIStreamResponse,
  isStepCount,
  type ModelMessage,
  readUIMessageStream,
  tool,
  type ToolSet,
  type UIMessage,
} from 'ai'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import {
  approvalResponses,
  consentRequests,
  skillsAgent,
  type SkillsAgentOptions,
  type SkillsCall,
} from '../src/index.ts'
import { activate, call, CAREFUL, modelOf, notingTools, resultOf, useEndpoint } from './task.ts'

const endpoint = useEndpoint()

const REVIEW = '---\nname: review\ndescription: Reviews.\ncontext: fork\nagent: reviewer\n---\nREVIEW IT.\n'
const BY_HAND =
  '---\nname: by-hand\ndescription: By hand.\ndisable-model-invocation: true\n---\nDO IT BY HAND: $ARGUMENTS\n'
const SKILLS = { ...CAREFUL, review: { 'SKILL.md': REVIEW }, 'by-hand': { 'SKILL.md': BY_HAND } }

const open = (): Promise<Repertoire> =>
  openRepertoire({ sources: [memorySource({ layer: 'project', skills: SKILLS })], sessionSecret: 'secret' })

type Script = Parameters<ReturnType<typeof endpoint>['play']>[0]

/** An agent with a store, whose model plays a script; and another machine's, over the same store. */
async function chat(script: Script, options: Partial<SkillsAgentOptions<ToolSet>> = {}) {
  const play = endpoint().play(script)
  const { runs, tools } = notingTools()
  const sessions = memorySessions()
  const machine = async () => {
    const settings = { model: modelOf(play), tools, maxRetries: 0, ...options, repertoire: await open(), sessions }
    return skillsAgent<ToolSet>(settings)
  }
  const repertoire = await open()
  const active = (id = 'c') =>
    withStoredSession(repertoire, { store: sessions, id }, async ({ activeSkills }) => activeSkills)
  return { play, runs, agent: await machine(), machine, active, sessions, repertoire }
}

const options = { session: 'c' }
const settled = (run: PromiseLike<unknown>): Promise<unknown> => Promise.allSettled([run])

/** A chat as a browser has it: each request sends all messages, to whichever machine. */
function browser(machine: () => Promise<Agent<SkillsCall, ToolSet>>) {
  const messages: UIMessage[] = []
  async function request(): Promise<UIMessage> {
    const stream = await createAgentUIStream({ agent: await machine(), uiMessages: structuredClone(messages), options })
    const last = messages.at(-1)
    let answer = last?.role === 'assistant' ? messages.pop() : undefined
    const from = answer && { message: answer }
    for await (const state of readUIMessageStream({ ...from, stream: stream as ReadableStream })) answer = state
    messages.push(answer!)
    return answer!
  }
  return {
    send: (text: string): Promise<UIMessage> => {
      messages.push({ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] })
      return request()
    },
    /** Answers what the last message asks, as `addToolApprovalResponse` does. */
    answer: (approved: boolean): Promise<UIMessage> => {
      const last = messages.at(-1)!
      for (const part of last.parts) {
        if (!('approval' in part) || part.state !== 'approval-requested') continue
        Object.assign(part, { state: 'approval-responded', approval: { ...part.approval, approved } })
      }
      return request()
    },
  }
}

const textOf = ({ parts }: UIMessage): string => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
const questions = ({ parts }: UIMessage): (string | undefined)[] =>
  parts.flatMap((part) => ('approval' in part && part.state === 'approval-requested' ? [JSON.stringify(part)] : []))

describe('an agent with sessions', () => {
  it('[ASK-5, ACT-7] asks, is approved on another machine, and restricts the third request', async () => {
    const script = [
      activate('careful'),
      call('Bash', { command: 'git log' }),
      { text: 'Looked.' },
      call('Write', { path: 'a' }),
      { text: 'Not allowed.' },
    ]
    const { play, runs, machine, active } = await chat(script)
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
    const { agent, sessions, active } = await chat([activate('careful'), { text: 'Done.' }], {
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
      const { agent, active } = await chat([activate('careful'), { status: 500, message: 'Broken.' }], {
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
    const { agent, active } = await chat([activate('careful'), hold], { session: { consent: () => true } })
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
    const { play, agent, active } = await chat([activate('by-hand'), call('Break', {}), { text: 'Done.' }], {
      tools: { Break },
      session: { consent: () => true },
    })
    const { text } = await agent.generate({ prompt: '/by-hand now', options })
    expect(text).toBe('Done.')
    expect(resultOf(play, 'call_2_1')).toContain('Broken.')
    expect(await active()).toEqual(['by-hand'])
  })

  it('[ACT-15] runs to the end and saves the session if nobody reads the stream', async () => {
    const { agent, active } = await chat([activate('careful'), { text: 'Done.' }], { session: { consent: () => true } })
    await agent.stream({ prompt: 'Go', options })
    // It waits for the lease, which the unread run has.
    expect(await active()).toEqual(['careful'])
  })

  it('[LIB-11] a second call with the same id waits until the first has ended', async () => {
    const { play, agent } = await chat([{ text: 'First.' }, { text: 'Second.' }], {})
    const calls = [agent.generate({ prompt: 'One', options }), agent.generate({ prompt: 'Two', options })]
    expect((await Promise.all(calls)).map(({ text }) => text).toSorted()).toEqual(['First.', 'Second.'])
    expect(play.requests).toHaveLength(2)
  })

  it('[LIB-11] reports a session that could not be saved when the stream had begun', async () => {
    const onProblem = vi.fn()
    const { agent, sessions } = await chat([{ text: 'Done.' }, activate('careful'), { text: 'Done.' }], {
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

describe('a /name', () => {
  it('[ACT-12, ASK-5] without a handler is asked about as an approval, and activates its skill in the next request', async () => {
    const { play, machine, active } = await chat([{ text: 'By hand.' }, { text: 'Again.' }])
    const { send, answer } = browser(machine)
    const asked = questions(await send('/by-hand slowly'))
    expect(asked).toEqual([expect.stringContaining('"input":{"name":"by-hand","arguments":"slowly"}')])
    expect(asked).toEqual([expect.stringContaining('Activate the skill')])
    expect(play.requests).toEqual([])
    expect(textOf(await answer(true))).toBe('By hand.')
    expect(await active()).toEqual(['by-hand'])
    const [request] = play.requests
    expect(request!.messages.map(({ role }) => role)).toEqual(['user', 'user'])
    expect(request!.messages[1]!.text).toContain('DO IT BY HAND: slowly')
    expect(textOf(await send('Once more.'))).toBe('Again.')
    expect(JSON.stringify(play.requests.at(-1)!.messages)).not.toContain('invocation_')
    expect(play.failures).toEqual([])
  })

  it('[ACT-12, ASK-5] that is denied activates nothing, and the model is told', async () => {
    const { play, machine, active } = await chat([{ text: 'Very well.' }])
    const { send, answer } = browser(machine)
    await send('/careful')
    expect(textOf(await answer(false))).toBe('Very well.')
    expect(await active()).toEqual([])
    expect(play.requests[0]!.messages.at(-1)!.text).toContain('CONSENT_DENIED')
  })

  it('[ASK-5] that is not answered is left, and the next message is answered', async () => {
    const { play, machine, active } = await chat([{ text: 'Very well.' }])
    const { send } = browser(machine)
    await send('/careful')
    expect(textOf(await send('Never mind.'))).toBe('Very well.')
    expect(await active()).toEqual([])
    expect(play.requests).toHaveLength(1)
  })

  it.each(['generate', 'stream'] as const)('[ACT-12, ASK-5] is answered through consentRequests by %s', async (by) => {
    const { agent, sessions, repertoire, active } = await chat([{ text: 'Done.' }])
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
    const { agent, active } = await chat([{ text: 'Done.' }], { session: { consent: () => true }, onTurn })
    expect((await agent.generate({ prompt: '/careful', options })).text).toBe('Done.')
    expect(await active()).toEqual(['careful'])
    expect(onTurn).toHaveBeenCalledWith(
      expect.objectContaining({ invoked: expect.objectContaining({ name: 'careful' }) }),
    )
  })
})

describe('sub-agents', () => {
  it('[ACT-10] run by the agent of their kind, with the model of the agent in a fresh process', async () => {
    const script = [activate('review'), { text: 'All is well.' }, { text: 'Done.' }]
    const { play, machine } = await chat(script, { subagents: { reviewer: { instructions: 'You review code.' } } })
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
    expect(wrong({ activeTools: [] })).toThrow('`activeTools`')
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
})
