import { type ModelEndpoint, openModelEndpoint } from '@repertoire/conformance'
import { activate, call, lastResult } from '@repertoire/conformance'
import { memorySessions, memorySource, openRepertoire } from '@repertoire/core'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { createStep, createWorkflow } from '@mastra/core/workflows'
import { createTool } from '@mastra/core/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { skillsAgent } from '../src/index.ts'

const CAREFUL = '---\nname: careful\ndescription: Is careful.\nallowed-tools: Read\n---\nLOOK FIRST.\n'
let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

const openSkills = () =>
  openRepertoire({ sources: [memorySource({ layer: 'project', skills: { careful: { 'SKILL.md': CAREFUL } } })] })

function configOf({ baseURL, apiKey, model }: { baseURL: string; apiKey: string; model: string }, runs: string[]) {
  const tools = Object.fromEntries(
    ['Read', 'Write'].map((id) => [
      id,
      createTool({
        id,
        description: `The tool ${id}.`,
        inputSchema: z.looseObject({}),
        execute: async () => {
          runs.push(id)
          return `${id} ran`
        },
      }),
    ]),
  )
  const url = { providerId: 'loopback', modelId: model, url: baseURL, apiKey }
  return { id: 'assistant', name: 'Assistant', instructions: 'Be brief.', model: url, tools }
}

test('[ADPT-7] a stream shows the text as it comes, and a restriction holds in the next run of a thread', async () => {
  const play = endpoint.play([activate('careful'), { text: 'One.' }, call('Write', {}), { text: 'Two.' }])
  const runs: string[] = []
  const repertoire = await openSkills()
  const options = { repertoire, sessions: memorySessions(), session: { consent: () => true } }
  const agent = skillsAgent(configOf(play, runs), options)
  for (const text of ['One.', 'Two.']) {
    const output = await agent.stream('Hello', { memory: { thread: 'a', resource: 'person' } })
    let shown = ''
    for await (const part of output.textStream) shown += part
    expect(shown).toBe(text)
  }
  expect(runs).toEqual([])
  expect(lastResult(play, 'call_3_1')).toContain('TOOL_NOT_ALLOWED')
})

test('[ADPT-7] Mastra’s own approval carries consent, yes and no', async () => {
  for (const approve of [true, false]) {
    const play = endpoint.play([activate('careful'), call('Write', {}), { text: 'Done.' }])
    const runs: string[] = []
    const repertoire = await openSkills()
    const agent = skillsAgent(configOf(play, runs), { repertoire, sessions: memorySessions() })
    void new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false })
    const asked = await agent.generate('Hello')
    expect(asked.finishReason).toBe('suspended')
    const [pending] = await agent.requests(asked.runId!)
    expect(pending?.request.skill).toBe('careful')
    const given = { runId: asked.runId!, toolCallId: pending!.toolCallId }
    const done = approve ? await agent.approveToolCallGenerate(given) : await agent.declineToolCallGenerate(given)
    expect(done.text).toBe('Done.')
    expect(runs).toEqual(approve ? [] : ['Write'])
  }
})

test('[ADPT-7] two conversations at once have a session each', async () => {
  const play = endpoint.play([activate('careful'), call('Write', {}), { text: 'Done.' }])
  const free = endpoint.play([call('Write', {}), { text: 'Done.' }])
  const runs: string[] = []
  const repertoire = await openSkills()
  await Promise.all(
    [play, free].map((each) =>
      skillsAgent(configOf(each, runs), { repertoire, session: { consent: () => true } }).generate('Hello'),
    ),
  )
  expect(runs).toEqual(['Write'])
})

test('[ADPT-7] an agent with skills is a step of a workflow', async () => {
  const play = endpoint.play([activate('careful'), call('Write', {}), { text: 'Done.' }])
  const runs: string[] = []
  const repertoire = await openSkills()
  const agent = skillsAgent(configOf(play, runs), { repertoire, session: { consent: () => true } })
  const prompt = z.object({ prompt: z.string() })
  const workflow = createWorkflow({ id: 'w', inputSchema: prompt, outputSchema: z.object({ text: z.string() }) })
    .then(createStep(agent))
    .commit()
  const result = await (await workflow.createRun()).start({ inputData: { prompt: 'Hello' } })
  expect(result).toMatchObject({ status: 'success', result: { text: 'Done.' } })
  expect(runs).toEqual([])
})

test('[ADPT-7] mistakes are named', async () => {
  const play = endpoint.play([])
  const repertoire = await openSkills()
  expect(() => skillsAgent(configOf(play, []), { repertoire, sesions: 1 } as never)).toThrow('sessions')
  const agent = skillsAgent(configOf(play, []), { repertoire })
  await expect(agent.getToolsForExecution({})).rejects.toThrow('do not pass the gate')
})
