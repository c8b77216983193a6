import { together } from '@repertoire/conformance'
import { memorySessions, memorySource, openRepertoire } from '@repertoire/core'
import { Agent, type AgentConfig } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { RequestContext } from '@mastra/core/request-context'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { skillsAgent } from '../src/index.ts'
import { activate, call, CAREFUL, configOf, openSkills, resultOf, useEndpoint } from './task.ts'

const endpoint = useEndpoint()
const inputSchema = z.looseObject({})

/** An agent of Mastra's own, and one with skills: what works in the first works in the second. */
const KINDS = [
  ['without skills', false],
  ['with skills', true],
] as const

async function make(withSkills: boolean, config: AgentConfig): Promise<Agent> {
  const options = { repertoire: await openSkills(), sessions: memorySessions() }
  const agent = withSkills ? (skillsAgent(config, options) as unknown as Agent) : (new Agent(config) as Agent)
  void new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false })
  return agent
}

test.each(KINDS)('[ADPT-10] what tools write into the request context is the host’s, %s', async (_, withSkills) => {
  const { config } = configOf(endpoint().play([call('Note', {}), { text: 'Done.' }]))
  const Note = createTool({
    id: 'Note',
    description: 'Notes.',
    inputSchema,
    execute: async (__, { requestContext }) => {
      requestContext?.set('seen', requestContext.get('user'))
      requestContext?.delete('user')
      return 'Noted.'
    },
  })
  const agent = await make(withSkills, { ...config, tools: { Note } })
  const requestContext = new RequestContext<any>([['user', 'Ann']])
  await agent.generate('Hello', { requestContext })
  expect([...requestContext.entries()]).toEqual([['seen', 'Ann']])
})

test.each(KINDS)('[ADPT-10] a tool’s hooks and the stream have the input as it comes, %s', async (_, withSkills) => {
  const { config } = configOf(endpoint().play([call('Draw', { shape: 'a circle' }), { text: 'Done.' }]))
  const seen: string[] = []
  const Draw = createTool({
    id: 'Draw',
    description: 'Draws.',
    inputSchema,
    onInputStart: ({ toolCallId }) => void seen.push(`start ${toolCallId}`),
    onInputDelta: ({ inputTextDelta }) => void seen.push(inputTextDelta),
    onInputAvailable: ({ input }) => void seen.push(`all ${JSON.stringify(input)}`),
    execute: async () => void seen.push('runs'),
  })
  const agent = await make(withSkills, { ...config, tools: { Draw } })
  let streamed = ''
  for await (const part of (await agent.stream('Hello')).fullStream)
    if (part.type === 'tool-call-delta') streamed += part.payload.argsTextDelta
  expect(streamed).toBe('{"shape":"a circle"}')
  expect([seen[0], seen.slice(1, -2).join(''), ...seen.slice(-2)]).toEqual([
    'start call_1_1',
    streamed,
    `all ${streamed}`,
    'runs',
  ])
})

test('[ADPT-7, ADPT-10] the input of a call that no skill permits is not streamed', async () => {
  const play = endpoint().play([activate('careful'), call('Write', { to: 'disk' }), { text: 'Done.' }])
  const { runs, config } = configOf(play)
  const agent = skillsAgent(config, { repertoire: await openSkills(), session: { consent: () => true } })
  const begun: string[] = []
  for await (const part of (await agent.stream('Hello')).fullStream)
    if (part.type === 'tool-call-input-streaming-start') begun.push(part.payload.toolName)
  expect([begun, runs]).toEqual([['activate_skill'], []])
  expect(resultOf(play, 'call_2_1')).toContain('TOOL_NOT_ALLOWED')
})

test.each(
  KINDS.flatMap(([name, withSkills]) =>
    [['a yes', true] as const, ['a no', false] as const].map(
      ([answer, approved]) => [answer, name, approved, withSkills] as const,
    ),
  ),
)(
  '[ADPT-10, ABUSE-148] after %s to one of two calls, the other one waits, streamed or not, %s',
  async (_, __, approved, withSkills) => {
    for (const stream of [true, false]) {
      const play = endpoint().play([together(call('Wipe', {}), call('Burn', {})), { text: 'Done.' }])
      const { config } = configOf(play)
      const runs: string[] = []
      const tools = Object.fromEntries(
        ['Wipe', 'Burn'].map((id) => [
          id,
          createTool({ id, description: id, inputSchema, requireApproval: true, execute: async () => runs.push(id) }),
        ]),
      )
      const agent = await make(withSkills, { ...config, tools })
      const { runId = '' } = await agent.generate('Hello')
      const given = { runId, toolCallId: 'call_1_1' }
      const go = approved ? 'approveToolCall' : 'declineToolCall'
      const { finishReason, suspendPayload } = stream
        ? await (await agent[go](given)).getFullOutput()
        : await agent[`${go}Generate`](given)
      expect([finishReason, suspendPayload]).toMatchObject(['suspended', { toolCallId: 'call_1_2' }])
      const done = await agent.approveToolCallGenerate({ runId, toolCallId: 'call_1_2' })
      expect([done.finishReason, runs]).toEqual(['stop', approved ? ['Wipe', 'Burn'] : ['Burn']])
    }
  },
)

test.each(KINDS)('[ADPT-10] `requireToolApproval` of a run is not that of its agents, %s', async (_, withSkills) => {
  const play = endpoint().play([
    call('agent-helper', { prompt: 'Help.' }),
    call('Write', {}),
    { text: 'Helped.' },
    { text: 'Done.' },
  ])
  const { runs, config } = configOf(play)
  const helper = await make(withSkills, { ...config, id: 'helper', name: 'Helper', description: 'Helps.' })
  const agent = await make(withSkills, { ...config, agents: { helper } })
  const { runId = '', finishReason } = await agent.generate('Hello', { requireToolApproval: true })
  expect([finishReason, runs]).toEqual(['suspended', []])
  expect((await agent.approveToolCallGenerate({ runId, toolCallId: 'call_1_1' })).text).toBe('Done.')
  expect(runs).toEqual(['Write'])
})

test('[ADPT-7, ACT-7] the session of a stream that nobody reads ends with the run', async () => {
  const ended = Promise.withResolvers<string>()
  const audit = { write: ({ type }: { type: string }) => void (type === 'skill.deactivated' && ended.resolve(type)) }
  const sources = [memorySource({ layer: 'project', skills: { careful: { 'SKILL.md': CAREFUL } } })]
  const play = endpoint().play([activate('careful'), { text: 'Done.' }])
  const repertoire = await openRepertoire({ sources, audit })
  const agent = skillsAgent(configOf(play).config, { repertoire, session: { consent: () => true } })
  await agent.stream('Hello')
  expect(await ended.promise).toBe('skill.deactivated')
})
