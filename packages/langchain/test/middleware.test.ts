import type { ClientTool, ServerTool } from '@langchain/core/tools'
import { SystemMessage } from '@langchain/core/messages'
import { MemorySaver } from '@langchain/langgraph'
import type { ScriptStep } from '@repertoire/conformance'
import { memorySource } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import { createAgent, createMiddleware, tool } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { useEndpoint } from './endpoint.ts'
import { activate, call, hostTools, modelOf, offered, openSkills, resultOf, say, thread, user } from './setup.ts'
import { activeSkills, skillsMiddleware } from '../src/index.ts'

const yes = { consent: () => true }

const endpoint = useEndpoint()

describe('what the model is shown', () => {
  const script = (): ScriptStep[] => [
    activate('editing'),
    call('Bash', { command: 'ls' }),
    call('Read', { file_path: 'a' }),
    say,
  ]

  test.each(['updates', 'messages', 'values'] as const)(
    '[ADPT-2] is the same streamed as %s and in one piece',
    async (streamMode) => {
      const repertoire = await openSkills()
      const whole = endpoint.play(script())
      const streamed = endpoint.play(script())
      const shared = {
        tools: hostTools(),
        systemPrompt: 'Be careful.',
        middleware: [skillsMiddleware(repertoire, yes)],
      }
      await createAgent({ ...shared, model: modelOf(whole) }).invoke(user('Hello'))
      const stream = await createAgent({ ...shared, model: modelOf(streamed) }).stream(user('Hello'), {
        streamMode,
      })
      let chunks = 0
      for await (const _ of stream) chunks++
      expect(chunks).toBeGreaterThan(3)
      const shown = ({ requests }: typeof whole) =>
        requests.map(({ system, tools, messages }) => ({ system, tools, messages }))
      expect(shown(streamed)).toEqual(shown(whole))
      expect(streamed.requests.map(({ stream: asked }) => asked)).toEqual(Array(4).fill(streamMode === 'messages'))
      expect([...whole.failures, ...streamed.failures]).toEqual([])
    },
  )

  test('[SHOW-3, ADPT-4] is core’s own text behind the host’s, the same at every step', async () => {
    const repertoire = await openSkills({ listing: { style: 'tool', stableTools: true } })
    const play = endpoint.play(script())
    const agent = createAgent({
      model: modelOf(play),
      tools: hostTools(),
      systemPrompt: 'Be careful.',
      middleware: [skillsMiddleware(repertoire, yes)],
    })
    await agent.invoke(user('Hello'))
    const view = openAdapterSession(repertoire).view({ tools: ['Bash', 'Read', 'Write'] })
    expect(view.tools[0]!.description).toContain('editing')
    for (const { system, tools } of play.requests) {
      expect(system).toBe(view.system('Be careful.'))
      expect(tools.filter(({ name }) => name.includes('skill'))).toEqual(
        view.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      )
    }
  })

  test('[SHOW-1] is to the byte what it is without the middleware where no skill is visible', async () => {
    const without = endpoint.play([say])
    const within = endpoint.play([say])
    const middleware = [skillsMiddleware(await openSkills(), { skills: [] })]
    await createAgent({ model: modelOf(without), tools: hostTools(), systemPrompt: 'Be careful.' }).invoke(
      user('Hello'),
    )
    await createAgent({ model: modelOf(within), tools: hostTools(), systemPrompt: 'Be careful.', middleware }).invoke(
      user('Hello'),
    )
    const raw = JSON.stringify(without.requests[0]!.raw)
    expect(JSON.stringify(within.requests[0]!.raw)).toBe(raw)
  })

  test('[ADPT-2] is core’s text alone where the host has no system prompt and no tools', async () => {
    const repertoire = await openSkills()
    const play = endpoint.play([activate('free'), say])
    await createAgent({ model: modelOf(play), middleware: [skillsMiddleware(repertoire, yes)] }).invoke(user('Hello'))
    expect(play.requests[0]!.system).toBe(openAdapterSession(repertoire).view({ tools: [] }).instructions)
    expect(resultOf(play, 'call_1_1')).toContain('Do as you like.')
  })

  test('[ADPT-2] leaves the blocks of the host’s own system message as they are', async () => {
    const play = endpoint.play([say])
    const own = { type: 'text', text: 'Be careful.', cache_control: { type: 'ephemeral' } }
    const systemPrompt = new SystemMessage({ content: [own] })
    await createAgent({
      model: modelOf(play),
      systemPrompt,
      middleware: [skillsMiddleware(await openSkills())],
    }).invoke(user('Hello'))
    const { messages } = play.requests[0]!.raw as { messages: { role: string; content: unknown[] }[] }
    expect(messages[0]!.content[0]).toEqual(own)
    expect(play.requests[0]!.system).toMatch(/^Be careful\.\n\nWhen a task fits a skill, /)
  })

  test('[GATE-1] is without a provider’s own tool that the active skill does not allow', async () => {
    const play = endpoint.play([activate('searching'), activate('editing'), say])
    const search = {
      type: 'function',
      function: { name: 'web_search', description: 'Searches.', parameters: { type: 'object', properties: {} } },
    }
    const agent = createAgent({
      model: modelOf(play),
      tools: [...hostTools(), search] as (ClientTool | ServerTool)[],
      middleware: [skillsMiddleware(await openSkills(), yes)],
    })
    await agent.invoke(user('Hello'))
    expect(play.requests.map((request) => offered(request).includes('web_search'))).toEqual([true, true, false])
  })
})

describe('the options', () => {
  test('[CAT-5, CAT-6] reach the session, and may differ from run to run', async () => {
    const play = endpoint.play([say, say])
    const agent = createAgent({
      model: modelOf(play),
      contextSchema: z.object({ only: z.string() }),
      middleware: [
        skillsMiddleware(await openSkills(), (runtime: { context?: { only: string } }) => ({
          skills: [runtime.context!.only],
        })),
      ],
    })
    await agent.invoke(user('Hello'), { context: { only: 'free' } })
    await agent.invoke(user('Hello'), { context: { only: 'history' } })
    const listed = play.requests.map(({ system }) => [...system.matchAll(/^- ([\w-]+):/gm)].map(([, name]) => name))
    expect(listed).toEqual([['free'], ['history']])
  })

  test('[CAT-5, ACT-12] are those of the run for what a person invokes, too', async () => {
    const play = endpoint.play([say, say])
    const contexts: unknown[] = []
    const agent = createAgent({
      model: modelOf(play),
      contextSchema: z.object({ only: z.string() }),
      middleware: [
        skillsMiddleware(await openSkills(), (runtime: { context?: { only: string } }) => {
          contexts.push(runtime.context?.only)
          return { skills: [runtime.context!.only], consent: () => true }
        }),
      ],
    })
    await agent.invoke(user('/free now'), { context: { only: 'free' } })
    await agent.invoke(user('/free now'), { context: { only: 'history' } })
    expect(contexts).toEqual(['free', 'history'])
    const shown = play.requests.map(({ messages }) => JSON.stringify(messages))
    expect(shown.map((text) => text.includes('skill_content'))).toEqual([true, false])
  })

  test('[CAT-5, ACT-10] of the run choose the sub-agent, too', async () => {
    const forked = '---\nname: scout\ndescription: Scouts.\ncontext: fork\n---\nLOOK.\n'
    const sources = [memorySource({ layer: 'project', skills: { scout: { 'SKILL.md': forked } } })]
    const play = endpoint.play([activate('scout'), say, say, activate('scout'), say, say])
    const agent = createAgent({
      model: modelOf(play),
      contextSchema: z.object({ who: z.string() }),
      middleware: [
        skillsMiddleware(await openSkills({ sources }), (runtime: { context?: { who: string } }) => ({
          ...yes,
          subagents: { default: { systemPrompt: `You scout for ${runtime.context!.who}.` } },
        })),
      ],
    })
    await agent.invoke(user('Hello'), { context: { who: 'Ann' } })
    await agent.invoke(user('Hello'), { context: { who: 'Ben' } })
    const prompts = [play.requests[1], play.requests[4]].map((request) => request?.system.split('\n')[0])
    expect(prompts).toEqual(['You scout for Ann.', 'You scout for Ben.'])
  })

  test.each([
    [{ consnt: () => true }, 'skillsMiddleware: unknown option `consnt`. Did you mean `consent`?'],
    [{ name: 'other' }, 'skillsMiddleware: unknown option `name`.'],
    [undefined, 'skillsMiddleware: the options are null.'],
    [null, 'skillsMiddleware: the options are null.'],
  ])('[CFG-1] that a function returns for a run are checked: %j', async (options, message) => {
    const play = endpoint.play([say])
    const agent = createAgent({
      model: modelOf(play),
      middleware: [skillsMiddleware(await openSkills(), () => options as object)],
    })
    await expect(agent.invoke(user('Hello'))).rejects.toThrow(message)
    expect(play.requests).toEqual([])
  })

  test('[ADPT-2] name the middleware and its channel, beside another middleware of the usual name', async () => {
    const play = endpoint.play([activate('editing'), say])
    const agent = createAgent({
      model: modelOf(play),
      checkpointer: new MemorySaver(),
      middleware: [
        createMiddleware({ name: 'repertoire' }),
        skillsMiddleware(await openSkills(), { ...yes, name: 'skills' }),
      ],
    })
    await agent.invoke(user('Hello'), thread('one'))
    expect(await activeSkills(agent, thread('one'), { name: 'skills' })).toEqual(['editing'])
    expect(await activeSkills(agent, thread('one'))).toEqual([])
  })

  test('[ADPT-2] refuse a host tool with the name of a skill tool before anything is sent', async () => {
    const play = endpoint.play([say])
    const clash = tool(() => '', { name: 'Activate_Skill', description: 'Clashes.', schema: z.object({}) })
    const agent = createAgent({
      model: modelOf(play),
      tools: [clash],
      middleware: [skillsMiddleware(await openSkills())],
    })
    await expect(agent.invoke(user('Hello'))).rejects.toThrow('The host has a tool named "Activate_Skill"')
    expect(play.requests).toEqual([])
  })
})
