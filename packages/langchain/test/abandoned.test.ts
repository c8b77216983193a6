import { Command, MemorySaver } from '@langchain/langgraph'
import { together } from '@repertoire/conformance'
import { createAgent, humanInTheLoopMiddleware } from 'langchain'
import { describe, expect, it } from 'vitest'
import { activeSkills, skillsMiddleware } from '../src/index.ts'
import { useEndpoint } from './endpoint.ts'
import {
  activate,
  call,
  hostOf,
  hostTools,
  modelOf,
  openSkills,
  questionsOf,
  resultOf,
  type Run,
  say,
  thread,
  user,
} from './setup.ts'

const endpoint = useEndpoint()

const one = thread('one')

describe('a person who writes on instead of answering', () => {
  it('[ASK-5, LLM-1] is answered, and the calls have a result that says they were left', async () => {
    const first = together(activate('free'), call('Bash', { command: 'ls' }))
    const play = endpoint.play([first, { text: 'Very well.' }, activate('free'), say])
    const agent = createAgent({
      ...hostOf(play),
      middleware: [skillsMiddleware(await openSkills())],
    })
    expect(questionsOf(await agent.invoke(user('Hello'), one))).toHaveLength(1)
    const { messages } = await agent.invoke(user('Never mind.'), one)
    expect(messages.at(-1)?.text).toBe('Very well.')
    expect(play.requests.at(-1)!.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
    ])
    expect(resultOf(play, 'call_1_1')).toContain('"activate_skill" has no result')
    expect(resultOf(play, 'call_1_2')).toContain('"Bash" has no result')
    expect(await activeSkills(agent, one)).toEqual([])

    // The thread goes on as any other: a new question has its answer, and the old calls their result.
    const [question] = questionsOf(await agent.invoke(user('Now do.'), one))
    const answer = { requestId: question!.value.id, approved: true }
    await agent.invoke(new Command({ resume: { [question!.id]: answer } }), one)
    expect(await activeSkills(agent, one)).toEqual(['free'])
    expect(resultOf(play, 'call_1_1')).toContain('has no result')
    expect(resultOf(play, 'call_3_1')).toContain('Do as you like.')
    expect(play.failures).toEqual([])
  })

  it("[ASK-5, LLM-1] leaves what LangChain's own approval asked about, and nothing of it runs", async () => {
    const runs: Run[] = []
    const play = endpoint.play([call('Bash', { command: 'ls' }), say])
    const agent = createAgent({
      ...hostOf(play, runs),
      middleware: [
        humanInTheLoopMiddleware({ interruptOn: { Bash: { allowedDecisions: ['approve', 'reject'] } } }),
        skillsMiddleware(await openSkills()),
      ],
    })
    expect(questionsOf(await agent.invoke(user('Hello'), one))).toHaveLength(1)
    await agent.invoke(user('Never mind.'), one)
    expect(resultOf(play, 'call_1_1')).toContain('"Bash" has no result')
    expect(runs).toEqual([])
  })

  it('[ASK-5] finds the thread usable after a run that was broken off in a tool', async () => {
    const leaving = new AbortController()
    const tools = hostTools()
    const play = endpoint.play([call('Bash', { command: 'ls' }), say])
    const agent = createAgent({
      model: modelOf(play),
      tools,
      checkpointer: new MemorySaver(),
      middleware: [skillsMiddleware(await openSkills())],
    })
    const config = { ...one, signal: leaving.signal, callbacks: [{ handleToolStart: () => leaving.abort() }] }
    await expect(agent.invoke(user('Hello'), config)).rejects.toThrow('This operation was aborted')
    const { messages } = await agent.invoke(user('Again.'), one)
    expect(messages.at(-1)?.text).toBe('Done.')
    expect(play.failures).toEqual([])
  })
})
