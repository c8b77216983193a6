import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { MemorySaver } from '@langchain/langgraph'
import type { ScriptStep } from '@repertoire/conformance'
import type { AuditEvent, RepertoireOptions } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { ClearToolUsesEdit, contextEditingMiddleware, createAgent, summarizationMiddleware, tool } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { useEndpoint } from './endpoint.ts'
import { activate, call, modelOf, openSkills, say, thread, user } from './setup.ts'
import { skillsMiddleware } from '../src/index.ts'
import { fittedCall } from '../src/window.ts'

const endpoint = useEndpoint()

const LONG = 'A line of a long file. '.repeat(90)
const window = { keepMessages: 4, keepFewestMessages: 2 }
const one = thread('one')

const read = (result: string) =>
  tool(() => result, { name: 'Read', description: 'Reads.', schema: z.object({ path: z.string() }) })

/** A task in which four files were read. */
const task = (): BaseMessage[] => [
  new HumanMessage('Find the fault.'),
  ...['a', 'b', 'c', 'd'].flatMap((id) => [
    new AIMessage({ content: '', tool_calls: [{ type: 'tool_call', id, name: 'Read', args: { path: id } }] }),
    new ToolMessage({ content: LONG, name: 'Read', tool_call_id: id }),
  ]),
]

async function setUp(
  script: readonly ScriptStep[],
  {
    result = 'short',
    middleware = [],
    ...settings
  }: Partial<RepertoireOptions> & { result?: string; middleware?: any[] } = {},
  more: object = {},
) {
  const events: AuditEvent[] = []
  const play = endpoint.play(script)
  const checkpointer = new MemorySaver()
  const agentOf = async () =>
    createAgent({
      model: modelOf(play),
      tools: [read(result)],
      checkpointer,
      middleware: [
        skillsMiddleware(
          await openSkills({
            audit: { write: (event) => void events.push(event) },
            ...settings,
            context: { window: 3_000, summaries: window, ...settings.context },
          }),
          { consent: () => true },
        ),
        ...middleware,
      ],
      ...more,
    } as never) as any
  const types = (): readonly string[] =>
    events.flatMap(({ type }) => (type.startsWith('window.') ? [type.slice('window.'.length)] : []))
  return { play, agentOf, agent: await agentOf(), types, checkpointer }
}

const textsOf = (request: { readonly messages: readonly { readonly text: string }[] } | undefined) =>
  request?.messages.map(({ text }) => text)

describe('a conversation that is too long', () => {
  test('[WIN-7, WIN-8, WIN-9] is sent with a summary by the model, at every step and in another process, and stays as it is in the graph', async () => {
    const script = [{ text: 'Four files were read.' }, call('Read', { path: 'e' }), { text: 'Found.' }, say]
    const { play, agent, agentOf, types } = await setUp(script)
    const { messages } = await agent.invoke({ messages: task() }, one)
    expect(messages).toHaveLength(12)
    expect(messages.slice(0, 9).map(({ text }: BaseMessage) => text)).toEqual(task().map(({ text }) => text))
    const [summary, first, second] = play.requests
    expect([summary?.tools, summary?.messages.length]).toEqual([[], 1])
    expect(textsOf(first)?.[0]).toContain('Four files were read.')
    expect(textsOf(first)?.[1]).toBe('Find the fault.')
    expect(first?.messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool', 'assistant', 'tool'])
    expect(second?.messages.slice(0, 6)).toEqual(first?.messages)

    await (await agentOf()).invoke(user('And what else?'), one)
    expect(textsOf(play.requests[3])?.slice(0, 2)).toEqual(textsOf(first)?.slice(0, 2))
    expect(types()).toEqual(['summarized'])
    expect(play.failures).toEqual([])
  })

  test('[WIN-9] keeps its summary also where the model answers without a call', async () => {
    const { play, agent, types } = await setUp([{ text: 'Four files were read.' }, { text: 'Found.' }, say])
    await agent.invoke({ messages: task() }, one)
    await agent.invoke(user('And what else?'), one)
    expect(textsOf(play.requests[2])?.[0]).toContain('Four files were read.')
    expect(types()).toEqual(['summarized'])
  })

  test('[WIN-8] shows nothing of its summary in the stream of the run', async () => {
    const { agent } = await setUp([{ text: 'Four files were read.' }, { text: 'Found.' }])
    let streamed = ''
    const stream = await agent.stream({ messages: task() }, { ...one, streamMode: 'messages' })
    for await (const [message] of stream) streamed += message.text
    expect(streamed).toContain('Found.')
    expect(streamed).not.toContain('Four files')
  })

  test('[WIN-4, ACT-14] shows the instructions of an active skill once when their message was summarised', async () => {
    const calls = ['a', 'b', 'c', 'd'].map((path) => call('Read', { path }))
    const { play, agent } = await setUp([activate('editing'), ...calls, say], {
      result: LONG,
      context: { summaries: { ...window, summarize: () => 'Two files were read.' } },
    })
    await agent.invoke(user('Begin.'), one)
    const times = play.requests.map(({ raw }) => JSON.stringify(raw).split('Edit with care.').length - 1)
    expect(times).toEqual([0, 1, 1, 1, 1, 1])
    const { system, messages } = play.requests.at(-1)!
    expect(system).toContain('Edit with care.')
    expect(messages[0]?.text).toContain('Two files were read.')
  })
})

test.each([
  ['OpenAI', { type: 'input_image' as const, image_url: '' }],
  ['Gemini', { type: 'media' as const, mimeType: 'image/png', data: '' }],
  ['another kind of Gemini', { inlineData: { mimeType: 'image/png', data: '' } }],
])('[WIN-1] counts no bytes of a picture in a block of %s', async (_, block) => {
  const problems: string[] = []
  const repertoire = await openSkills({ context: { window: 20_000, summaries: { ...window, summarize: false } } })
  const session = repertoire.openSession({ onProblem: ({ code }) => problems.push(code) })
  const bytes = 'QUJDREVGR0hJ'.repeat(20_000)
  const filled = JSON.parse(JSON.stringify(block).replace('""', JSON.stringify(bytes))) as { type: string }
  const messages = [new HumanMessage({ content: [filled] })]
  const step = await adapterSession(session).step({ tools: [] })
  const sent = await fittedCall(step, modelOf(endpoint.play([])), [], {
    messages,
    systemMessage: new SystemMessage(''),
    runtime: {},
  })
  expect(sent.messages).toEqual(messages)
  expect(problems).toEqual([])
})

describe('beside others who make conversations shorter', () => {
  test('[WIN-6, ACT-14] shows what LangChain’s own summaries drop of an active skill, once', async () => {
    const own = endpoint.play([{ text: 'It began, and files were read.' }, { text: 'More was read.' }])
    const middleware = [
      summarizationMiddleware({ model: modelOf(own), trigger: { messages: 6 }, keep: { messages: 2 } }),
    ]
    const calls = ['a', 'b', 'c'].map((path) => call('Read', { path }))
    const { play, agent, types } = await setUp([activate('editing'), ...calls, say], {
      middleware,
      context: { summaries: { ...window, summarize: () => 'Ours.' }, window: 2_600 },

      result: LONG,
    })
    const { messages } = await agent.invoke(user('Begin.'), one)
    expect(messages.at(-1).text).toBe('Done.')
    const times = play.requests.map(({ raw }) => JSON.stringify(raw).split('Edit with care.').length - 1)
    expect(times).toEqual([0, 1, 1, 1, 1])
    expect(textsOf(play.requests.at(-1))?.join('\n')).toContain('It began, and files were read.')
    expect([play.failures, own.failures]).toEqual([[], []])
    expect(types()).not.toContain('exceeded')
  })

  test('[WIN-6, ACT-14] shows what a middleware before it clears of an active skill, in every request', async () => {
    const clear = new ClearToolUsesEdit({ trigger: { messages: 4 }, keep: { messages: 1 } })
    const script = [activate('editing'), ...['a', 'b', 'c'].map((path) => call('Read', { path })), say]
    const play = endpoint.play(script)
    const agent = createAgent({
      model: modelOf(play),
      tools: [read('short')],
      middleware: [
        contextEditingMiddleware({ edits: [clear] }),
        skillsMiddleware(await openSkills(), { consent: () => true }),
      ],
    })
    await agent.invoke(user('Begin.'))
    const times = play.requests.map(({ raw }) => JSON.stringify(raw).split('Edit with care.').length - 1)
    expect(times).toEqual([0, 1, 1, 1, 1])
    expect(JSON.stringify(play.requests.at(-1)?.raw)).toContain('[cleared]')
    expect(play.failures).toEqual([])
  })

  test.each([
    ['a compaction of Anthropic', { content: [{ type: 'compaction', content: 'It began.' }] }],
    [
      'a compaction of OpenAI',
      { content: 'I go on.', response_metadata: { output: [{ type: 'compaction', id: 'cmp_1' }] } },
    ],
  ])('[WIN-6, ACT-14] cuts nothing behind %s, and shows the instructions that it hides', async (_, fields) => {
    const { play, agent, types } = await setUp([activate('editing'), say, say])
    await agent.invoke(user('Begin.'), one)
    const { values } = await agent.graph.getState(one)
    // Chat completions have no such block: what is looked at is the prompt beside it.
    const before = values.messages.length
    const compacted = new AIMessage({ ...fields, content: typeof fields.content === 'string' ? fields.content : '' })
    if (typeof fields.content !== 'string') compacted.content = fields.content as never
    await agent.invoke({ messages: [compacted, ...task()] }, one)
    const last = play.requests.at(-1)!
    expect(last.system).toContain('Edit with care.')
    expect(last.messages.length).toBeGreaterThanOrEqual(before + task().length)
    expect(types()).toEqual(['left_alone'])
  })
})
