import { type Play, say, together } from '@repertoire/conformance'
import { memorySessions } from '@repertoire/core'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { skillsAgent } from '../src/index.ts'
import { activate, call, openSkills, useEndpoint } from './task.ts'

const endpoint = useEndpoint()
const modelOf = ({ baseURL: url, apiKey, model: modelId }: Play) => ({ providerId: 'loopback', modelId, url, apiKey })

/** A tool that notes its runs. */
function noting(id: string, runs: string[], requireApproval = false) {
  const inputSchema = z.looseObject({})
  return createTool({
    id,
    description: id,
    inputSchema,
    requireApproval,
    execute: async () => (runs.push(id), `${id} ran`),
  })
}

test('[ACT-10, ADPT-10, ABUSE-147] two sub-agents of one message, each with its own tool, run side by side', async () => {
  for (const withSkills of [false, true]) {
    const runs: string[] = []
    const options = { repertoire: await openSkills() }
    const make = (play: Play, id: string, more: object) => {
      const config = { id, name: id, description: id, instructions: 'Be brief.', model: modelOf(play), ...more }
      return withSkills ? skillsAgent(config, options) : new Agent(config)
    }
    const plays = ['A', 'B'].map((name) => endpoint().play([call(`Tool${name}`, {}), say(`${name} is done.`)]))
    const [a, b] = plays.map((play, index) => {
      const name = `Tool${'AB'[index]}`
      return make(play, 'ab'[index]!, { tools: { [name]: noting(name, runs) } })
    })
    const play = endpoint().play([
      together(call('agent-a', { prompt: 'a' }), call('agent-b', { prompt: 'b' })),
      say('Both.'),
    ])
    const agent = make(play, 'main', { agents: { a, b } })
    void new Mastra({ agents: { agent, a: a!, b: b! }, storage: new InMemoryStore(), logger: false })
    const { text } = await agent.generate('Hello')
    expect(text).toBe('Both.')
    expect(runs.toSorted()).toEqual(['ToolA', 'ToolB'])
    expect(plays.map(({ requests }) => requests.at(-1)!.messages.at(-1)!.text)).toEqual(['ToolA ran', 'ToolB ran'])
  }
})

test.each([
  ['in a stream', true, false],
  ['in a stream, where its caller has the tool too', true, true],
  ['at once', false, false],
])('[ACT-10, ADPT-10, ABUSE-147] a call of a sub-agent runs once when it is approved %s', async (_, stream, both) => {
  const script = [call('agent-sub', { prompt: 'x' }), call('Wipe', { what: 's' }), say('Within.'), say('Done.')]
  const play = endpoint().play(script)
  const runs: string[] = []
  const tools = { Wipe: noting('Wipe', runs, true) }
  const options = { repertoire: await openSkills(), sessions: memorySessions() }
  const common = { instructions: 'Be brief.', model: modelOf(play) }
  const sub = skillsAgent({ id: 'sub', name: 'sub', description: 'sub', ...common, tools }, options)
  const config = { id: 'main', name: 'main', ...common, agents: { sub }, ...(both && { tools }) }
  const agent = skillsAgent(config, options)
  void new Mastra({ agents: { agent, sub }, storage: new InMemoryStore(), logger: false })
  const asked = stream ? await (await agent.stream('Hello')).getFullOutput() : await agent.generate('Hello')
  expect([asked.finishReason, runs]).toEqual(['suspended', []])
  const given = { runId: asked.runId!, toolCallId: 'call_1_1' }
  const done = stream
    ? await (await agent.approveToolCall(given)).getFullOutput()
    : await agent.approveToolCallGenerate(given)
  expect([done.text, runs]).toEqual(['Done.', ['Wipe']])
  expect(play.requests.at(-2)!.messages.at(-1)!.text).toBe('Wipe ran')
})

test.each([
  ['a skill, in a stream', true, 'careful'],
  ['a skill, at once', false, 'careful'],
  ['a call of its own tool, in a stream', true, 'Wipe'],
  ['a call of its own tool, at once', false, 'Wipe'],
])(
  '[ACT-10, ADPT-7, ASK-5] a question inside a sub-agent is among the requests of the run, about %s',
  async (_, stream, about) => {
    const asks = about === 'careful' ? activate('careful') : call('Wipe', {})
    const play = endpoint().play([call('agent-sub', { prompt: 'x' }), asks, say('Within.'), say('Done.')])
    const runs: string[] = []
    const options = {
      repertoire: await openSkills(),
      sessions: memorySessions(),
      session: { policy: { ask: ['Wipe'] } },
    }
    const common = { instructions: 'Be brief.', model: modelOf(play) }
    const tools = { Wipe: noting('Wipe', runs) }
    const sub = skillsAgent({ id: 'sub', name: 'sub', description: 'sub', ...common, tools }, options)
    const agent = skillsAgent({ id: 'main', name: 'main', ...common, agents: { sub } }, options)
    void new Mastra({ agents: { agent, sub }, storage: new InMemoryStore(), logger: false })
    const { runId = '' } = stream ? await (await agent.stream('Hello')).getFullOutput() : await agent.generate('Hello')
    const asked = await agent.requests(runId)
    expect(asked).toMatchObject([
      { toolCallId: 'call_1_1', request: { callId: 'call_2_1', text: expect.stringContaining(about) } },
    ])
    const given = { runId, toolCallId: asked[0]!.toolCallId }
    const done = stream
      ? await (await agent.approveToolCall(given)).getFullOutput()
      : await agent.approveToolCallGenerate(given)
    expect([done.text, runs]).toEqual(['Done.', about === 'Wipe' ? ['Wipe'] : []])
    expect(play.requests.at(-2)!.messages.at(-1)!.text).toContain(about === 'Wipe' ? 'Wipe ran' : 'LOOK FIRST.')
  },
)

test.each([true, false])(
  '[ASK-5, ABUSE-119] a decision about one agent answers no question of another, whatever ids their models give, streamed: %s',
  async (stream) => {
    const runs: string[] = []
    const options = { repertoire: await openSkills(), sessions: memorySessions() }
    // The first call of each agent has the same id.
    const plays = [
      [call('Look', {}), activate('careful'), say('A.')],
      [activate('free'), say('B.')],
    ].map((script) => endpoint().play(script))
    const [a, b] = plays.map((each, index) => {
      const id = 'ab'[index]!
      return skillsAgent(
        {
          id,
          name: id,
          description: id,
          instructions: 'Be brief.',
          model: modelOf(each),
          tools: { Look: noting('Look', runs) },
        },
        options,
      )
    })
    const play = endpoint().play([
      together(call('agent-a', { prompt: 'a' }), call('agent-b', { prompt: 'b' })),
      say('Both.'),
    ])
    const agent = skillsAgent(
      { id: 'main', name: 'main', instructions: 'Be brief.', model: modelOf(play), agents: { a: a!, b: b! } },
      options,
    )
    void new Mastra({ agents: { agent, a: a!, b: b! }, storage: new InMemoryStore(), logger: false })
    const { runId = '' } = stream ? await (await agent.stream('Hello')).getFullOutput() : await agent.generate('Hello')
    const asked = async () =>
      (await agent.requests(runId)).map(({ toolCallId, request }) => [toolCallId, request.skill])
    expect(await asked()).toEqual([
      ['call_1_1', 'careful'],
      ['call_1_2', 'free'],
    ])
    const no = { runId, toolCallId: 'call_1_1' }
    await (stream ? (await agent.declineToolCall(no)).getFullOutput() : agent.declineToolCallGenerate(no))
    expect(await asked()).toEqual([['call_1_2', 'free']])
    const yes = { runId, toolCallId: 'call_1_2' }
    const done = stream
      ? await (await agent.approveToolCall(yes)).getFullOutput()
      : await agent.approveToolCallGenerate(yes)
    expect(done.text).toBe('Both.')
    expect(plays.map(({ requests }) => requests.at(-1)!.messages.at(-1)!.text)).toEqual([
      expect.stringContaining('CONSENT_DENIED'),
      expect.stringContaining('DO AS YOU LIKE.'),
    ])
  },
)

test('[GATE-5, ASK-5] a call that waited is judged by what another run has activated since', async () => {
  const runs: string[] = []
  const play = endpoint().play([call('Wipe', {}), activate('careful'), say('Careful now.'), say('Done.')])
  const kept = { repertoire: await openSkills(), sessions: memorySessions(), session: { consent: () => true } }
  const memory = { memory: { thread: 'a', resource: 'person' } }
  const tools = { Wipe: noting('Wipe', runs, true), Read: noting('Read', runs) }
  const config = { id: 'main', name: 'main', instructions: 'Be brief.', model: modelOf(play), tools }
  const agent = skillsAgent(config, kept)
  void new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false })
  const { runId } = await agent.generate('Wipe it', memory)
  await agent.generate('Be careful', memory)
  await agent.approveToolCallGenerate({ runId: runId!, toolCallId: 'call_1_1' })
  expect(runs).toEqual([])
  expect(play.requests.at(-1)!.messages.at(-1)!.text).toContain('TOOL_NOT_ALLOWED')
})
