import { memorySessions } from '@repertoire/core'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { MockMemory } from '@mastra/core/memory'
import { InMemoryStore } from '@mastra/core/storage'
import { createStep, createWorkflow } from '@mastra/core/workflows'
import { together } from '@repertoire/conformance'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { skillsAgent } from '../src/index.ts'
import { activate, call, configOf, openSkills, registered, resultOf, said, useEndpoint } from './task.ts'

const endpoint = useEndpoint()
const memory = { thread: 'a', resource: 'person' }

test('[ADPT-7] a stream shows the text as it comes, and a restriction holds in the next run of a thread', async () => {
  const play = endpoint().play([activate('careful'), { text: 'One.' }, call('Write', {}), { text: 'Two.' }])
  const { runs, config } = configOf(play)
  const options = { repertoire: await openSkills(), sessions: memorySessions(), session: { consent: () => true } }
  const agent = skillsAgent(config, options)
  for (const text of ['One.', 'Two.']) {
    const output = await agent.stream('Hello', { memory })
    let shown = ''
    for await (const part of output.textStream) shown += part
    expect(shown).toBe(text)
  }
  expect(runs).toEqual([])
  expect(resultOf(play, 'call_3_1')).toContain('TOOL_NOT_ALLOWED')
})

test('[ADPT-7, ASK-5] Mastra’s own approval carries consent, yes and no, also in a stream', async () => {
  for (const approve of [true, false]) {
    for (const stream of [true, false]) {
      const play = endpoint().play([activate('careful'), call('Write', {}), { text: 'Done.' }])
      const { runs, agent } = await registered(play)
      const asked = stream ? await (await agent.stream('Hello')).getFullOutput() : await agent.generate('Hello')
      expect(asked.finishReason).toBe('suspended')
      const [pending] = await agent.requests(asked.runId!)
      expect(pending?.request.skill).toBe('careful')
      const given = { runId: asked.runId!, toolCallId: pending!.toolCallId }
      const go = approve ? 'approveToolCall' : 'declineToolCall'
      const done = stream ? await (await agent[go](given)).getFullOutput() : await agent[`${go}Generate`](given)
      expect(done.text).toBe('Done.')
      expect(runs).toEqual(approve ? [] : ['Write'])
    }
  }
})

test('[ADPT-7, ASK-5, ABUSE-94] where several calls wait, an answer names one, and the run says that the others still wait', async () => {
  const play = endpoint().play([together(activate('careful'), activate('free')), { text: 'Done.' }])
  const { agent } = await registered(play)
  const { runId = '' } = await agent.generate('Hello')
  await expect(agent.approveToolCallGenerate({ runId })).rejects.toThrow('call_1_1, call_1_2')
  const first = await agent.declineToolCall({ runId, toolCallId: 'call_1_1' })
  const waiting: string[] = []
  for await (const part of first.fullStream)
    if (part.type === 'tool-call-approval') waiting.push(part.payload.toolCallId)
  expect(waiting).toEqual(['call_1_2'])
  expect(await first.finishReason).toBe('suspended')
  const done = await agent.approveToolCallGenerate({ runId, toolCallId: 'call_1_2' })
  expect(done.finishReason).toBe('stop')
  expect(resultOf(play, 'call_1_1')).toContain('CONSENT_DENIED')
  expect(resultOf(play, 'call_1_2')).toContain('DO AS YOU LIKE.')
})

test('[ADPT-7] two conversations of one agent at once have a session each', async () => {
  const play = endpoint().play([activate('careful'), call('Write', {}), { text: 'Done.' }])
  const free = endpoint().play([call('Write', {}), { text: 'Done.' }])
  const { runs, config } = configOf(play)
  const options = { repertoire: await openSkills(), sessions: memorySessions(), session: { consent: () => true } }
  const agent = skillsAgent(config, options)
  const other = { ...config.model, modelId: free.model, url: free.baseURL, apiKey: free.apiKey }
  await Promise.all([
    agent.generate('Hello', { memory }),
    agent.generate('Hello', { memory: { thread: 'b', resource: 'person' }, model: other }),
  ])
  expect(runs).toEqual(['Write'])
})

test('[ADPT-7] with memory, a thread goes on after an approval, and each message is sent once', async () => {
  const play = endpoint().play([activate('careful'), { text: 'One.' }, call('Write', {}), { text: 'Two.' }])
  const { runs, config } = configOf(play)
  const storage = new InMemoryStore()
  const agent = skillsAgent(
    { ...config, memory: new MockMemory({ storage, enableMessageHistory: true }) },
    { repertoire: await openSkills(), sessions: memorySessions() },
  )
  void new Mastra({ agents: { agent }, storage, logger: false })
  const { runId = '' } = await agent.generate('Hello', { memory })
  const [pending] = await agent.requests(runId)
  await agent.approveToolCallGenerate({ runId, toolCallId: pending!.toolCallId })
  const { text } = await agent.generate('And now?', { memory })
  expect(text).toBe('Two.')
  expect(runs).toEqual([])
  expect(said(play, 2).map((line) => line.slice(0, 20))).toEqual([
    'user: Hello',
    'assistant: ',
    'tool: <skill_content',
    'assistant: One.',
    'user: And now?',
  ])
})

test('[ADPT-7, ACT-7] a run that is aborted keeps its skills active for the next one', async () => {
  for (const stream of [true, false]) {
    const abort = new AbortController()
    const stop = () => {
      abort.abort(new Error('Stopped.'))
      return { text: 'Too late.' }
    }
    const play = endpoint().play([activate('careful'), stop, call('Write', {}), { text: 'Two.' }])
    const { runs, config } = configOf(play)
    const options = { repertoire: await openSkills(), sessions: memorySessions(), session: { consent: () => true } }
    const agent = skillsAgent(config, options)
    const given = { memory, abortSignal: abort.signal }
    if (stream) for await (const _ of (await agent.stream('Hello', given)).fullStream);
    else await agent.generate('Hello', given)
    expect((await agent.generate('Go on', { memory })).text).toBe('Two.')
    expect(runs).toEqual([])
    expect(resultOf(play, 'call_3_1')).toContain('TOOL_NOT_ALLOWED')
  }
})

test('[ADPT-7, ACT-10] a sub-agent with skills works in the session of its caller', async () => {
  const play = endpoint().play([
    activate('free'),
    call('agent-helper', { prompt: 'Help.' }),
    activate('careful'),
    { text: 'Helped.' },
    call('Write', {}),
    { text: 'Done.' },
  ])
  const { runs, config } = configOf(play)
  const options = { repertoire: await openSkills(), session: { consent: () => true } }
  const helper = skillsAgent({ ...config, id: 'helper', name: 'Helper', description: 'Helps.' }, options)
  const agent = skillsAgent({ ...config, agents: { helper } }, options)
  const { text } = await agent.generate('Hello')
  expect(text).toBe('Done.')
  expect(runs).toEqual([])
  expect(resultOf(play, 'call_5_1')).toContain('TOOL_NOT_ALLOWED')
})

test('[ADPT-7, ASK-5] a sub-agent with skills waits for consent, and goes on in the session of its caller', async () => {
  for (const approve of [true, false]) {
    const play = endpoint().play([
      call('agent-helper', { prompt: 'Help.' }),
      activate('careful'),
      { text: 'Helped.' },
      call('Write', {}),
      { text: 'Done.' },
    ])
    const { runs, config } = configOf(play)
    const options = { repertoire: await openSkills(), sessions: memorySessions() }
    const helper = skillsAgent({ ...config, id: 'helper', name: 'Helper', description: 'Helps.' }, options)
    const agent = skillsAgent({ ...config, agents: { helper } }, options)
    void new Mastra({ agents: { agent, helper }, storage: new InMemoryStore(), logger: false })
    const { runId = '' } = await agent.generate('Hello')
    const [pending] = await agent.requests(runId)
    expect(pending?.request.skill).toBe('careful')
    const given = { runId, toolCallId: pending!.toolCallId }
    const done = approve ? await agent.approveToolCallGenerate(given) : await agent.declineToolCallGenerate(given)
    expect(done.text).toBe('Done.')
    expect(said(play, 2).at(-1)).toContain(approve ? 'LOOK FIRST.' : 'CONSENT_DENIED')
    expect(runs).toEqual(approve ? [] : ['Write'])
  }
})

test('[ADPT-7] an agent with skills is a step of a workflow', async () => {
  const play = endpoint().play([activate('careful'), call('Write', {}), { text: 'Done.' }])
  const { runs, config } = configOf(play)
  const agent = skillsAgent(config, { repertoire: await openSkills(), session: { consent: () => true } })
  const prompt = z.object({ prompt: z.string() })
  const workflow = createWorkflow({ id: 'w', inputSchema: prompt, outputSchema: z.object({ text: z.string() }) })
    .then(createStep(agent))
    .commit()
  const result = await (await workflow.createRun()).start({ inputData: { prompt: 'Hello' } })
  expect(result).toMatchObject({ status: 'success', result: { text: 'Done.' } })
  expect(runs).toEqual([])
})

test('[ADPT-7] the agent is of the type that Mastra gives its own, with its structured output', async () => {
  const play = endpoint().play([{ text: '{"total":3}' }])
  const { config } = configOf(play)
  const agent = skillsAgent(config, { repertoire: await openSkills() })
  const own: Agent<'assistant'> = skillsAgent(
    { ...config, id: 'assistant' as const },
    { repertoire: await openSkills() },
  )
  expect(own).toBeInstanceOf(Agent)
  const { object } = await agent.generate('Count.', { structuredOutput: { schema: z.object({ total: z.number() }) } })
  const total: number = object.total
  expect(total).toBe(3)
})

test('[ADPT-7] mistakes are named', async () => {
  const { config } = configOf(endpoint().play([]))
  const repertoire = await openSkills()
  expect(() => skillsAgent(config, { repertoire, sesions: 1 } as never)).toThrow('sessions')
  const agent = skillsAgent(config, { repertoire })
  await expect(agent.getToolsForExecution({})).rejects.toThrow('do not pass the gate')
})

test.each([
  ['a yes', 'approveToolCallGenerate', call('Read', {})],
  ['a no', 'declineToolCallGenerate', call('Read', {})],
  ['a yes to a skill', 'approveToolCallGenerate', activate('free')],
  ['a no to a skill', 'declineToolCallGenerate', activate('free')],
] as const)(
  '[ADPT-10, ABUSE-148] `requireToolApproval` of a run asks about later calls too, after %s',
  async (_, decide, first) => {
    const play = endpoint().play([first, call('Write', {}), { text: 'Done.' }])
    const { runs, agent } = await registered(play)
    const asked = await agent.generate('Hello', { requireToolApproval: true })
    const runId = asked.runId!
    const then = await agent[decide]({ runId, toolCallId: 'call_1_1' })
    expect([then.finishReason, runs.includes('Write')]).toEqual(['suspended', false])
    const done = await agent.approveToolCallGenerate({ runId, toolCallId: 'call_2_1' })
    expect([done.finishReason, runs.at(-1)]).toEqual(['stop', 'Write'])
  },
)
