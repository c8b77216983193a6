import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Play, ScriptStep } from '@repertoire/conformance'
import { memorySource } from '@repertoire/core'
import { hasToolCall, isStepCount, type LanguageModel, type ModelMessage, tool, type ToolSet } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { activate, call, notingTools, openTask, refusalOf, resultOf, useEndpoint, WAYS } from './task.ts'
import { type SubAgent, withSkills } from '../src/index.ts'

const endpoint = useEndpoint()

const manifest = (name: string, fields: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\ncontext: fork\n${fields}---\nDo it.\n`,
})
const sources = [
  memorySource({
    layer: 'project',
    skills: { scout: manifest('scout', ''), expert: manifest('expert', 'agent: reviewer\nmodel: big\n') },
  }),
]

/** A request as a provider's endpoint receives it. */
interface Received {
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

/** A model that notes what is sent for it, headers too. */
function noting({ baseURL, apiKey, model }: Play): { readonly model: LanguageModel; readonly received: Received[] } {
  const received: Received[] = []
  const provider = createOpenAICompatible({
    name: 'loopback',
    baseURL,
    apiKey,
    includeUsage: true,
    fetch: (input, init) => {
      received.push({ headers: new Headers(init?.headers), body: JSON.parse(init?.body as string) as Received['body'] })
      return fetch(input, init)
    },
  })
  return { model: provider(model), received }
}

async function open(script: readonly ScriptStep[]) {
  const task = await openTask(endpoint(), script, {}, { sources })
  return { ...task, ...noting(task.play) }
}

const done: ScriptStep = { text: 'Done.' }

const SETTINGS = {
  maxOutputTokens: 77,
  temperature: 0.25,
  topP: 0.5,
  presencePenalty: 0.1,
  frequencyPenalty: 0.2,
  stopSequences: ['END'],
  seed: 7,
  headers: { 'x-tenant': 'acme', 'user-agent': 'mine/1' },
  providerOptions: { loopback: { store: false, previousResponseId: 'resp_1', conversation: 'conv_1' } },
}

const ON_THE_WIRE = {
  max_tokens: 77,
  temperature: 0.25,
  top_p: 0.5,
  presence_penalty: 0.1,
  frequency_penalty: 0.2,
  stop: ['END'],
  seed: 7,
  store: false,
}

describe.each(WAYS)('a sub-agent of %s', (_, run) => {
  test('[ACT-10] is called as the run calls the same model', async () => {
    const { model, session, received } = await open([activate('scout'), done, done])
    await run(model, withSkills(session, { tools: notingTools().tools }), 'Go', SETTINGS)
    const [above, below] = received
    expect(above?.body).toMatchObject({ ...ON_THE_WIRE, previousResponseId: 'resp_1', conversation: 'conv_1' })
    expect(below?.body).toMatchObject(ON_THE_WIRE)
    expect(below?.headers.get('x-tenant')).toBe('acme')
    expect(below?.headers.get('user-agent')).toMatch(/^mine\/1 /)
    // A conversation that the provider keeps is the run's alone.
    expect(Object.keys(below!.body)).not.toContain('previousResponseId')
    expect(Object.keys(below!.body)).not.toContain('conversation')
  })

  test('[ACT-10] is called as the step does that the host prepared', async () => {
    const { model, session, received } = await open([activate('scout'), done, done])
    const prepareStep = ({ stepNumber }: { stepNumber: number }) => (stepNumber === 0 ? { temperature: 0.75 } : {})
    await run(model, withSkills(session, { prepareStep }), 'Go', SETTINGS)
    expect(received.map(({ body }) => body['temperature'])).toEqual([0.75, 0.75, 0.25])
    expect(received.map(({ body }) => body['seed'])).toEqual([7, 7, 7])
  })

  test('[ACT-10] on another model is sent no headers and settings that were not given for it', async () => {
    const big = noting(endpoint().play([done]))
    const { model, session, received } = await open([activate('expert'), done])
    await run(model, withSkills(session, { resolveModel: () => big.model }), 'Go', SETTINGS)
    expect(received).toHaveLength(2)
    const [below] = big.received
    expect(below?.headers.get('x-tenant')).toBeNull()
    expect(below?.headers.get('user-agent')).not.toContain('mine/1')
    for (const name of Object.keys(ON_THE_WIRE)) expect(below!.body[name]).toBeUndefined()
  })
})

describe('the settings of a kind of sub-agent', () => {
  const runWith = async (
    script: readonly ScriptStep[],
    agent: SubAgent,
    {
      tools = {},
      settings = {},
    }: { readonly tools?: ToolSet; readonly settings?: Readonly<Record<string, unknown>> } = {},
  ) => {
    const task = await open(script)
    const skills = withSkills(task.session, { tools, subagents: { default: agent, reviewer: agent } })
    const [, generate] = WAYS[0]!
    const result = await generate(task.model, skills, 'Go', settings)
    return { ...task, result }
  }

  test('[ACT-10] go before those of the run, one by one', async () => {
    const { received } = await runWith(
      [activate('expert'), done, done],
      { settings: { temperature: 1, headers: { 'x-tenant': 'other' } } },
      { settings: SETTINGS },
    )
    expect(received[1]?.body).toMatchObject({ ...ON_THE_WIRE, temperature: 1 })
    expect(received[1]?.headers.get('x-tenant')).toBe('other')
    expect(received[2]?.body).toMatchObject(ON_THE_WIRE)
  })

  test('[ACT-10] say how often a failed request is repeated', async () => {
    const failing: ScriptStep = { status: 500, message: 'Out of order.' }
    const { play, received } = await runWith([activate('scout'), failing, done], { settings: { maxRetries: 0 } })
    expect(received).toHaveLength(3)
    expect(refusalOf(play, 'call_1_1')).toMatchObject({ code: 'FORK_FAILED' })
  })

  test('[ACT-10] say what ends it: it is then done, and has not failed', async () => {
    const script = [activate('scout'), { text: 'Found.', ...call('Report', {}) }, done]
    const Report = tool({ inputSchema: z.looseObject({}), execute: () => 'reported' })
    const stopWhen = hasToolCall('Report')
    const { play } = await runWith(script, { settings: { stopWhen } }, { tools: { Report } })
    expect(resultOf(play, 'call_1_1')).toBe('<skill_result name="scout">\nFound.\n</skill_result>')
  })

  test('[ACT-10] take no limit away: one that is not done after its steps has failed', async () => {
    const script = [activate('scout'), call('Read', {}), call('Read', {}), done]
    const agent = { maxSteps: 2, settings: { stopWhen: isStepCount(9) } }
    const { play } = await runWith(script, agent, { tools: notingTools().tools })
    expect(refusalOf(play, 'call_1_1').reason).toContain('the agent had not finished after 2 model calls')
  })
})

test('[ACT-10, ACT-12] of a later run hold for what a person invokes in it, as its last model call had them', async () => {
  const { model, session, received } = await open([done, done, done])
  const [, generate] = WAYS[0]!
  const skills = withSkills(session)
  await generate(model, skills, 'Hello', SETTINGS)
  const messages: ModelMessage[] = [{ role: 'user', content: '/scout now' }]
  await generate(model, skills, messages, {})
  expect(received.map(({ body }) => body['temperature'])).toEqual([0.25, 0.25, undefined])
})

test('[ACT-10] hands the sandbox of the host’s tools on to sub-agents', async () => {
  const { play, model, session } = await open([activate('scout'), call('Where', {}), done, done])
  const Where = tool({
    inputSchema: z.looseObject({}),
    execute: (_, { experimental_sandbox: sandbox }) => String(sandbox?.description),
  })
  const [, generate] = WAYS[0]!
  const sandbox = { description: 'a box of sand' }
  await generate(model, withSkills(session, { tools: { Where } }), 'Go', { experimental_sandbox: sandbox })
  expect(resultOf({ ...play, requests: play.requests.slice(0, 3) }, 'call_2_1')).toBe('a box of sand')
})
