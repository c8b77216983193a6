import { Command, MemorySaver } from '@langchain/langgraph'
import type { ScriptStep } from '@repertoire/conformance'
import { createAgent, createMiddleware, tool } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { useEndpoint } from './endpoint.ts'
import {
  activate,
  call,
  hostTools,
  modelOf,
  openSkills,
  questionsOf,
  refusalOf,
  resultOf,
  type Run,
  say,
  thread,
  user,
} from './setup.ts'
import { activeSkills, endSkills, skillsMiddleware, type SkillsSession } from '../src/index.ts'

const one = thread('one')
const yes: SkillsSession = { consent: () => true }
const write = call('Write', { file_path: 'src/a.ts' })

const endpoint = useEndpoint()

async function setUp(script: readonly ScriptStep[], session = yes, signal?: AbortController) {
  const play = endpoint.play(script)
  const runs: Run[] = []
  const checkpointer = new MemorySaver()
  const tools = hostTools(runs).map((each) => (each.name === 'Read' && signal !== undefined ? stopping(signal) : each))
  const repertoire = await openSkills()
  const agent = createAgent({
    model: modelOf(play),
    tools,
    checkpointer,
    middleware: [skillsMiddleware(repertoire, session)],
  })
  return { play, runs, agent, checkpointer, repertoire }
}

/** Aborts the run that it is called in, and would stay busy for ever; does its work when it is called again. */
function stopping(abort: AbortController) {
  return tool(
    () => {
      if (abort.signal.aborted) return 'read'
      abort.abort(new Error('The user pressed stop.'))
      return new Promise<string>(() => {})
    },
    { name: 'Read', description: 'Reads.', schema: z.object({ file_path: z.string() }) },
  ) as unknown as ReturnType<typeof hostTools>[0]
}

describe('a run that breaks off', () => {
  test.each(['values', 'messages'] as const)(
    '[GATE-5] by an abort rejects, and the restriction holds if it is taken up again (stream mode %s)',
    async (streamMode) => {
      const abort = new AbortController()
      const { play, runs, agent } = await setUp(
        [activate('editing'), call('Read', { file_path: 'a' }), write, say],
        yes,
        abort,
      )
      const running = async () => {
        for await (const _ of await agent.stream(user('Hello'), { ...one, signal: abort.signal, streamMode }));
      }
      await expect(running()).rejects.toThrow('stop')
      expect(play.requests).toHaveLength(2)
      expect(await activeSkills(agent, one)).toEqual(['editing'])
      await agent.invoke(null as never, one)
      expect(resultOf(play, 'call_2_1')).toBe('read')
      expect(refusalOf(play, 'call_3_1').code).toBe('TOOL_NOT_ALLOWED')
      expect(runs).toEqual([])
    },
  )

  test('[ADPT-2] by an abort is an abort for every middleware around, and no result', async () => {
    const abort = new AbortController()
    const play = endpoint.play([call('Read', { file_path: 'a' })])
    const seen: string[] = []
    const around = createMiddleware({
      name: 'around',
      async wrapToolCall(request, handler) {
        try {
          const result = await handler(request)
          seen.push('a result')
          return result
        } catch (error) {
          seen.push(String(error))
          throw error
        }
      },
    })
    const middleware = [around, skillsMiddleware(await openSkills())] as const
    const agent = createAgent({ model: modelOf(play), tools: [stopping(abort)], middleware })
    await expect(agent.invoke(user('Hello'), { signal: abort.signal })).rejects.toThrow('stop')
    await expect.poll(() => seen).toHaveLength(1)
    expect(seen).not.toContain('a result')
  })

  test('[ASK-3, GATE-5] by an abort while a handler is asked activates nothing, and the run rejects', async () => {
    const abort = new AbortController()
    const told = Promise.withResolvers<boolean>()
    const consent: SkillsSession['consent'] = (_, { signal }) => {
      signal.addEventListener('abort', () => told.resolve(signal.aborted))
      abort.abort(new Error('The user pressed stop.'))
      return new Promise<boolean>(() => {})
    }
    const { play, agent } = await setUp([activate('editing')], { consent })
    await expect(agent.invoke(user('Hello'), { ...one, signal: abort.signal })).rejects.toThrow('stop')
    expect(await told.promise).toBe(true)
    expect(await activeSkills(agent, one)).toEqual([])
    expect(play.requests).toHaveLength(1)
  })

  test('[GATE-5] by the model’s error rejects with it, and the restriction holds for the next message', async () => {
    const { play, runs, agent } = await setUp([
      activate('editing'),
      { status: 400, message: 'Out of order.' },
      write,
      say,
    ])
    await expect(agent.invoke(user('Hello'), one)).rejects.toThrow('Out of order.')
    expect(await activeSkills(agent, one)).toEqual(['editing'])
    await agent.invoke(user('Go on'), one)
    expect(refusalOf(play, 'call_3_1').code).toBe('TOOL_NOT_ALLOWED')
    expect(runs).toEqual([])
  })
})

describe('endSkills', () => {
  test('[ACT-7] deactivates every skill and forgets the session; the thread’s next message begins a new task', async () => {
    let asked = 0
    const { play, runs, agent, repertoire } = await setUp(
      [activate('free'), activate('editing'), say, activate('editing'), say, write, activate('free'), say],
      { consent: () => ++asked > 0 },
    )
    await agent.invoke(user('Hello'), one)
    await agent.invoke(user('Hello'), thread('two'))
    await endSkills(repertoire, agent, one)
    await endSkills(repertoire, agent, one)
    expect(await activeSkills(agent, one)).toEqual([])
    expect(await activeSkills(agent, thread('two'))).toEqual(['editing'])
    const { values, next } = await agent.graph.getState(one)
    expect(values['_repertoire']).toBeNull()
    expect(next).toEqual([])
    const { messages } = await agent.invoke(user('Another task'), one)
    expect(messages[0]!.text).toBe('Hello')
    expect(runs).toEqual([['Write', { file_path: 'src/a.ts' }]])
    expect(resultOf(play, 'call_7_1')).toContain('Do as you like.')
    expect(asked).toBe(4)
  })

  test('[ACT-7] frees the thread after a run that failed', async () => {
    const { agent, repertoire } = await setUp([activate('editing'), { status: 400, message: 'Out of order.' }])
    await expect(agent.invoke(user('Hello'), one)).rejects.toThrow('Out of order.')
    await endSkills(repertoire, agent, one)
    expect(await activeSkills(agent, one)).toEqual([])
  })

  test('[ACT-7] frees the thread after a run that was aborted, and leaves nothing of it to be taken up', async () => {
    const abort = new AbortController()
    const { play, agent, repertoire } = await setUp([activate('editing'), call('Read', { file_path: 'a' })], yes, abort)
    await expect(agent.invoke(user('Hello'), { ...one, signal: abort.signal })).rejects.toThrow(
      'The user pressed stop.',
    )
    await endSkills(repertoire, agent, one)
    expect(await activeSkills(agent, one)).toEqual([])
    expect((await agent.graph.getState(one)).next).toEqual([])
    await agent.invoke(null as never, one)
    expect(play.requests).toHaveLength(2)
  })

  test('[ACT-7, ABUSE-94] drops the calls that wait for consent: a late yes brings nothing back', async () => {
    const together: ScriptStep = {
      calls: [
        { tool: 'deactivate_skill', input: {} },
        { tool: 'activate_skill', input: { name: 'editing' } },
        { tool: 'activate_skill', input: { name: 'history' } },
      ],
    }
    const { play, agent, repertoire } = await setUp([activate('free'), together], {})
    const [first] = questionsOf(await agent.invoke(user('Hello'), one))
    const answerTo = ({ value }: { value: { id: string } }) => ({ requestId: value.id, approved: true })
    const questions = questionsOf(await agent.invoke(new Command({ resume: answerTo(first!) }), one))
    expect(questions).toHaveLength(2)
    await endSkills(repertoire, agent, one)
    expect(await activeSkills(agent, one)).toEqual([])
    expect((await agent.graph.getState(one)).tasks).toEqual([])
    const late = new Command({
      resume: Object.fromEntries(questions.map((question) => [question.id, answerTo(question)])),
    })
    await agent.invoke(late, one).catch(() => undefined)
    await agent.invoke(new Command({ resume: answerTo(questions[0]!) }), one).catch(() => undefined)
    expect(await activeSkills(agent, one)).toEqual([])
    expect(play.requests).toHaveLength(2)
  })

  test('[ACT-7] leaves a thread that never ran, or in which no skill was spoken of, as it is', async () => {
    const { agent, checkpointer, repertoire } = await setUp([say])
    await endSkills(repertoire, agent, thread('never'))
    expect(await activeSkills(agent, thread('never'))).toEqual([])
    expect(Object.keys(checkpointer.storage)).toEqual([])
    await agent.invoke(user('Hello'), one)
    const before = JSON.stringify(checkpointer.storage)
    await endSkills(repertoire, agent, one)
    expect(JSON.stringify(checkpointer.storage)).toBe(before)
  })
})
