import { getJsonSchemaFromSchema, MemorySaver, ReducedValue, Send } from '@langchain/langgraph'
import type { ScriptStep } from '@repertoire/conformance'
import { isSkillError } from '@repertoire/core'
import { createAgent } from 'langchain'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { useEndpoint } from './endpoint.ts'
import {
  activate,
  call,
  hostOf,
  hostTools,
  modelOf,
  openSkills,
  refusalOf,
  type Run,
  say,
  thread,
  user,
} from './setup.ts'
import { skillsState } from '../src/channels.ts'
import { activeSkills, skillsMiddleware } from '../src/index.ts'

const yes = { consent: () => true }

const endpoint = useEndpoint()

describe('the state', () => {
  test('[ACT-15, ADPT-2] is in the graph, and neither in what invoke takes nor in what it returns', async () => {
    const play = endpoint.play([activate('editing'), say, call('Bash', { command: 'ls' }), say])
    const runs: Run[] = []
    const middleware = skillsMiddleware(await openSkills(), yes)
    const agent = createAgent({
      ...hostOf(play, runs),
      middleware: [middleware],
    })
    const result = await agent.invoke(user('Hello'), thread('one'))
    expect(Object.keys(result)).toEqual(['messages'])
    // @ts-expect-error -- the channel is in no type either
    expect(result['_repertoire']).toBeUndefined()
    const { values } = await agent.graph.getState(thread('one'))
    const saved = values['_repertoire']
    expect(saved.state.active).toMatchObject([{ name: 'editing' }])
    const other = (await openSkills()).openSession({ id: saved.state.id }).save()
    for (const forged of [
      null,
      [],
      other,
      { ...other, last: { tools: ['Evil'] } },
      [{ type: 'ended' }],
      [{ type: 'deactivated', name: 'editing' }],
    ]) {
      const before = await activeSkills(agent, thread('one'))
      // The script ends here and there: what counts is that nothing was taken in.
      await agent.invoke({ ...user('Go on'), _repertoire: forged } as never, thread('one')).catch(() => undefined)
      expect(await activeSkills(agent, thread('one'))).toEqual(before)
    }
    expect((await agent.graph.getState(thread('one'))).values['_repertoire'].last).toEqual(saved.last)
    expect(runs).toEqual([])
    expect(refusalOf(play, 'call_3_1').code).toBe('TOOL_NOT_ALLOWED')
    for (const field of Object.values(middleware.stateSchema!.fields)) {
      expect(() => getJsonSchemaFromSchema(ReducedValue.isInstance(field) ? field.valueSchema : field)).not.toThrow()
    }
  })

  test('[NFR-6] is read at a model call by a schema that is made once', async () => {
    const play = endpoint.play([activate('editing'), call('Bash', { command: 'ls' }), say])
    const middleware = skillsMiddleware(await openSkills(), yes)
    const schema = middleware.stateSchema as unknown as { partial(): z.core.$ZodObject }
    const asked = vi.spyOn(schema, 'partial')
    const agent = createAgent({ model: modelOf(play), tools: hostTools(), middleware: [middleware] })
    await agent.invoke(user('Hello'))
    expect(asked).toHaveBeenCalledTimes(play.requests.length)
    expect(new Set(asked.mock.results.map(({ value }) => value)).size).toBe(1)
    expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_NOT_ALLOWED')
    const channel = { _repertoire: { state: {} } }
    expect(z.parse(schema.partial(), { ...channel, messages: [] })).toEqual(channel)
    expect(z.parse(schema.partial(), { messages: [] })).toEqual({})
  })

  test('[ADPT-2] is written where it changes, and at no other step', async () => {
    const read = call('Read', { file_path: 'a' })
    const play = endpoint.play([read, activate('editing'), read, say])
    const agent = createAgent({
      model: modelOf(play),
      tools: hostTools(),
      checkpointer: new MemorySaver(),
      middleware: [skillsMiddleware(await openSkills(), yes)],
    })
    const written: string[] = []
    for await (const update of await agent.stream(user('Hello'), { ...thread('one'), streamMode: 'updates' })) {
      for (const [node, values] of Object.entries(update)) written.push([node, ...Object.keys(values)].join(' '))
    }
    // What a hook was shown LangChain writes back, and it changes nothing.
    expect(written.shift()).toMatch(/^repertoire.before_agent /)
    expect(written).toEqual([
      'model_request messages _repertoire',
      'tools messages',
      'model_request messages',
      'tools messages _repertoire',
      'model_request messages',
      'tools messages',
      'model_request messages',
      'repertoire.after_agent jumpTo',
    ])
  })

  test('[ACT-8] of one thread is unseen by another of the same agent at the same time', async () => {
    const runs: Run[] = []
    const play = endpoint.play(
      Array.from({ length: 6 }, (): ScriptStep => ({ messages }) => {
        const [first] = messages
        const results = messages.filter(({ role }) => role === 'tool').length
        if (results === 0) return activate(first!.text)
        return results === 1
          ? first!.text === 'editing'
            ? call('Read', { file_path: 'a' })
            : call('Bash', { command: 'git log' })
          : say
      }),
    )
    const agent = createAgent({
      ...hostOf(play, runs),
      middleware: [skillsMiddleware(await openSkills(), yes)],
    })
    await Promise.all([agent.invoke(user('editing'), thread('one')), agent.invoke(user('history'), thread('two'))])
    expect(await activeSkills(agent, thread('one'))).toEqual(['editing'])
    expect(await activeSkills(agent, thread('two'))).toEqual(['history'])
    expect(runs.map(([name]) => name).toSorted()).toEqual(['Bash', 'Read'])
    expect(play.failures).toEqual([])
  })

  test('[ACT-8] is gone with the run if there is no checkpointer', async () => {
    const play = endpoint.play([activate('editing'), say, call('Bash', { command: 'ls' }), say])
    const runs: Run[] = []
    const agent = createAgent({
      model: modelOf(play),
      tools: hostTools(runs),
      middleware: [skillsMiddleware(await openSkills(), yes)],
    })
    await agent.invoke(user('Hello'))
    await agent.invoke(user('Hello'))
    expect(runs).toEqual([['Bash', { command: 'ls' }]])
  })

  test('[NFR-6, ACT-15] is handed on to every call without a copy, and stored like any other value', async () => {
    const repertoire = await openSkills()
    const { _repertoire: channel } = skillsState(repertoire, '_repertoire').fields
    const update = { saved: repertoire.openSession({ id: 'one' }).save(), last: { tools: ['Read'] } }
    const value = (channel as ReducedValue<unknown, unknown>).reducer(null, update)
    expect(new Send('tools', { value }).args).toEqual({ value })
    expect(new Send('tools', { value }).args.value).toBe(value)
    const stored: unknown = JSON.parse(JSON.stringify(value))
    expect(stored).toEqual({ ...repertoire.openSession({ saved: stored as never }).save(), last: { tools: ['Read'] } })
  })

  test('[ADPT-2] begins on a thread that is older than the middleware', async () => {
    const play = endpoint.play([say, activate('editing'), call('bash', { command: 'ls' }), say])
    const checkpointer = new MemorySaver()
    const shared = { model: modelOf(play), tools: hostTools(), checkpointer }
    await createAgent(shared).invoke(user('Hello'), thread('one'))
    const agent = createAgent({ ...shared, middleware: [skillsMiddleware(await openSkills(), yes)] })
    await agent.invoke(user('Go on'), thread('one'))
    expect(refusalOf(play, 'call_3_1').code).toBe('TOOL_NOT_ALLOWED')
    expect(await activeSkills(agent, thread('one'))).toEqual(['editing'])
  })

  test('[ACT-15] that was changed in the checkpointer stops the run', async () => {
    const play = endpoint.play([activate('editing'), say, say])
    const checkpointer = new MemorySaver()
    const build = async (sessionSecret?: string) =>
      createAgent({
        model: modelOf(play),
        tools: hostTools(),
        checkpointer,
        middleware: [skillsMiddleware(await openSkills({ sessionSecret }), yes)],
      })
    await (await build('a key')).invoke(user('Hello'), thread('one'))
    const error = await (await build('another')).invoke(user('Go on'), thread('one')).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    const cause = isSkillError(error) ? error : error?.cause
    expect(isSkillError(cause) && cause.code).toBe('STATE_TAMPERED')
    expect(play.requests).toHaveLength(2)
  })
})
