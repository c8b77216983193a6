import { type Play, say, together } from '@repertoire/conformance'
import { memorySessions } from '@repertoire/core'
import { type Model, OpenAIChatCompletionsModel, tool } from '@openai/agents'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { agentTool, skillsRunner } from '../src/index.ts'
import { activate, agentOf, call, openSkills, resultOf, runnerOf, useEndpoint } from './task.ts'

const endpoint = useEndpoint()

/** A model that is called where a script is played. */
function modelOf({ baseURL, apiKey, model }: Play): Model {
  return new OpenAIChatCompletionsModel(new OpenAI({ baseURL, apiKey, maxRetries: 0 }), model)
}

/** A tool that notes its runs. */
function noting(name: string, runs: string[], needsApproval = false) {
  const parameters = z.looseObject({})
  return tool({ name, description: name, parameters, needsApproval, execute: () => (runs.push(name), `${name} ran`) })
}

test('[ACT-10, ADPT-10, ABUSE-147] two agents as tools of one message, each with its own tool, run side by side', async () => {
  for (const withSkills of [false, true]) {
    const runs: string[] = []
    const main = endpoint().play([together(call('AskA', { input: 'a' }), call('AskB', { input: 'b' })), say('Both.')])
    const plays = ['A', 'B'].map((name) => endpoint().play([call(`Tool${name}`, {}), say(`${name} is done.`)]))
    const agents = ['A', 'B'].map((name, index) => {
      const agent = agentOf(main, { name, model: modelOf(plays[index]!), tools: [noting(`Tool${name}`, runs)] })
      const options = { toolName: `Ask${name}`, toolDescription: name }
      return withSkills ? agentTool(agent, options) : agent.asTool(options)
    })
    const agent = agentOf(main, { tools: agents })
    const runner = runnerOf(main)
    const skills = skillsRunner({ repertoire: await openSkills(), runner })
    const { finalOutput } = await (withSkills ? skills.run(agent, 'Hello') : runner.run(agent, 'Hello'))
    expect(finalOutput).toBe('Both.')
    expect(runs.toSorted()).toEqual(['ToolA', 'ToolB'])
    expect(plays.map((play) => resultOf(play, 'call_1_1'))).toEqual(['ToolA ran', 'ToolB ran'])
  }
})

test.each([
  ['in this process', false, false, false],
  ['in a fresh process', true, false, false],
  ['in a fresh process, where its caller has the tool too', true, true, false],
  ['in this process, by the policy', false, false, true],
  ['in a fresh process, by the policy', true, false, true],
])(
  '[ACT-10, ASK-5, ADPT-10, ABUSE-147] a call of a nested agent runs once when it is approved %s',
  async (_, fresh, both, asks) => {
    const script = [call('Review', { input: 'Look.' }), call('Wipe', { what: 's' }), say('Reviewed.'), say('Done.')]
    const play = endpoint().play(script)
    const runs: string[] = []
    const sessions = memorySessions()
    const open = async () => {
      const repertoire = await openSkills(asks ? { policy: { ask: ['Wipe'] } } : {})
      const wipe = noting('Wipe', runs, !asks)
      const reviewer = agentOf(play, { name: 'Reviewer', tools: [wipe] })
      const review = agentTool(reviewer, { toolName: 'Review', toolDescription: 'Reviews.' })
      const agent = agentOf(play, { tools: [review, ...(both ? [wipe] : [])] })
      return { agent, chat: skillsRunner({ repertoire, sessions, runner: runnerOf(play) }).task('a') }
    }
    const first = await open()
    const { state, interruptions } = await first.chat.run(first.agent, 'Hello')
    expect(interruptions.map(({ name }) => name)).toEqual(['Wipe'])
    const { agent, chat } = fresh ? await open() : first
    const waiting = fresh ? await chat.restore(agent, state.toString()) : state
    for (const interruption of waiting.getInterruptions()) waiting.approve(interruption)
    expect((await chat.run(agent, waiting)).finalOutput).toBe('Done.')
    const shown = play.requests.at(-2)!.messages.map(({ text }) => text)
    expect([runs, shown.at(-1)]).toEqual([['Wipe'], 'Wipe ran'])
  },
)

test('[ADPT-10, ABUSE-147] one agent is a tool twice in one message, and each of its calls that waited runs once', async () => {
  for (const withSkills of [false, true]) {
    const runs: string[] = []
    const main = endpoint().play([together(call('Ask', { input: 'a' }), call('Ask', { input: 'b' })), say('Both.')])
    const inner = endpoint().play([call('Wipe', {}, 'one'), call('Wipe', {}, 'two'), say('First.'), say('Second.')])
    const asked = agentOf(main, { name: 'B', model: modelOf(inner), tools: [noting('Wipe', runs, true)] })
    const options = { toolName: 'Ask', toolDescription: 'Asks.' }
    const agent = agentOf(main, { tools: [withSkills ? agentTool(asked, options) : asked.asTool(options)] })
    const runner = runnerOf(main)
    const skills = skillsRunner({ repertoire: await openSkills(), sessions: memorySessions(), runner }).task('a')
    const run = withSkills ? skills.run : runner.run.bind(runner)
    const { state, interruptions } = await run(agent, 'Hello')
    expect(interruptions).toHaveLength(2)
    for (const interruption of interruptions) state.approve(interruption)
    expect((await run(agent, state)).finalOutput).toBe('Both.')
    expect(runs).toEqual(['Wipe', 'Wipe'])
  }
})

test('[GATE-5, ASK-5] a call that waited is judged by what another run has activated since', async () => {
  const runs: string[] = []
  const waiting = endpoint().play([call('Wipe', {}), say('Done.')])
  const other = endpoint().play([activate('careful'), say('Careful now.')])
  const kept = { sessions: memorySessions(), session: { consent: () => true } }
  const skills = skillsRunner({ repertoire: await openSkills(), ...kept, runner: runnerOf(waiting) }).task('a')
  const tools = [noting('Wipe', runs, true), noting('Read', runs)]
  const { state } = await skills.run(agentOf(waiting, { tools }), 'Wipe it')
  await skills.run(agentOf(other, { model: modelOf(other), tools }), 'Be careful')
  for (const interruption of state.getInterruptions()) state.approve(interruption)
  await skills.run(agentOf(waiting, { tools }), state)
  expect(runs).toEqual([])
  expect(resultOf(waiting, 'call_1_1')).toContain('TOOL_NOT_ALLOWED')
})
