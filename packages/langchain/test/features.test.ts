import { Command, InMemoryStore, interrupt, MemorySaver } from '@langchain/langgraph'
import {
  createAgent,
  createMiddleware,
  providerStrategy,
  SystemMessage,
  tool,
  ToolMessage,
  type ToolRuntime,
  toolStrategy,
} from 'langchain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { skillsMiddleware } from '../src/index.ts'
import { useEndpoint } from './endpoint.ts'
import {
  answer,
  type Answered,
  calls,
  failing,
  type Feature,
  none,
  noop,
  one,
  testFeatures,
  texts,
} from './side-by-side.ts'
import { activate, call, modelOf, openSkills, say, thread, user } from './setup.ts'

const endpoint = useEndpoint()
const streamed = (mode: string): Feature => [
  `the stream mode ${mode}`,
  () => [call('Say', {}), { text: 'One two three.' }],
  async ({ make }) => {
    const speak = tool((_, { writer }: ToolRuntime) => (writer?.({ half: true }), 'Said.'), {
      name: 'Say',
      description: 'Says.',
      schema: none,
    })
    const agent = make({ tools: [speak], checkpointer: new MemorySaver() })
    const kinds: unknown[] = []
    for await (const chunk of await agent.stream(user('Go'), { ...one, streamMode: mode as 'custom' }))
      kinds.push(chunk)
    if (mode === 'custom') return kinds
    if (mode === 'messages')
      return (kinds as [{ text: string; type: string }][]).map(([{ text, type }]) => [type, text])
    if (mode === 'values') return texts(kinds.at(-1) as never)
    return kinds.length > 0
  },
]

testFeatures(endpoint, [
  [
    'a structured answer by a tool',
    () => [calls('Note'), call('answer', { mark: 7 })],
    async ({ make }) => {
      const { structuredResponse, messages } = await make({
        tools: [noop],
        responseFormat: toolStrategy(answer),
      }).invoke(user('Go'))
      return [structuredResponse, texts({ messages })]
    },
  ],
  [
    'a structured answer by a schema of zod',
    () => [
      calls('Note'),
      ({ tools }) => call(tools.find(({ name }) => name.startsWith('extract-'))?.name ?? '', { mark: 7 }),
    ],
    async ({ make }) => {
      const { structuredResponse } = await make({
        tools: [noop],
        responseFormat: toolStrategy(z.object({ mark: z.number() })),
      }).invoke(user('Go'))
      return structuredResponse
    },
  ],
  [
    'a structured answer of the provider',
    () => [calls('Note'), { text: '{"mark":7}' }],
    async ({ make }) => {
      const { structuredResponse } = await make({
        tools: [noop],
        responseFormat: providerStrategy(answer),
      }).invoke(user('Go'))
      return structuredResponse
    },
  ],
  [
    'a malformed structured answer',
    () => [call('answer', { mark: 'x' }), call('answer', { mark: 7 })],
    async ({ make }) => {
      const { structuredResponse, messages } = await make({
        tools: [noop],
        responseFormat: toolStrategy(answer, { handleError: true }),
      }).invoke(user('Go'))
      return [structuredResponse, texts({ messages })]
    },
  ],
  [
    'a tool that returns directly',
    () => [calls('Direct')],
    async ({ make }) => {
      const direct = tool(() => 'At once.', {
        name: 'Direct',
        description: 'Returns.',
        schema: none,
        returnDirect: true,
      })
      return texts(await make({ tools: [direct] }).invoke(user('Go')))
    },
  ],
  ...['values', 'updates', 'messages', 'custom', 'debug', 'tasks', 'checkpoints'].map(streamed),
  [
    'events',
    () => [calls('Note'), say],
    async ({ make }) => {
      const names = new Set<string>()
      for await (const { event } of make({ tools: [noop] }).streamEvents(user('Go'), {
        version: 'v2',
      }) as never as AsyncIterable<{ event: string }>)
        names.add(event)
      return [...names].toSorted()
    },
  ],
  [
    'the context of a run',
    () => [calls('Who'), say],
    async ({ make }) => {
      const who = tool((_, { context }: ToolRuntime) => JSON.stringify(context), {
        name: 'Who',
        description: 'Who.',
        schema: none,
      })
      const seen: unknown[] = []
      const spy = createMiddleware({
        name: 'spy',
        contextSchema: z.object({ user: z.string() }),
        beforeModel: (_, { context }) => void seen.push(context),
      })
      const agent = make({ tools: [who], contextSchema: z.object({ user: z.string() }) }, [spy])
      return [texts(await agent.invoke(user('Go'), { context: { user: 'Ann' } } as never)), seen]
    },
  ],
  [
    'a store',
    () => [calls('Keep'), say],
    async ({ make }) => {
      const store = new InMemoryStore()
      const keep = tool(
        async (_, runtime: ToolRuntime) => {
          await (runtime.store as never as InMemoryStore).put(['a'], 'b', { c: 1 })
          return 'Kept.'
        },
        { name: 'Keep', description: 'Keeps.', schema: none },
      )
      await make({ tools: [keep], store }).invoke(user('Go'))
      return (await store.get(['a'], 'b'))?.value
    },
  ],
  [
    'a state of the host',
    () => [calls('Count'), say],
    async ({ make }) => {
      const count = tool(
        (_, { state, toolCallId: tool_call_id }: ToolRuntime) =>
          new Command({
            update: {
              count: (state as { count: number }).count + 1,
              messages: [new ToolMessage({ content: 'Counted.', tool_call_id })],
            },
          }),
        { name: 'Count', description: 'Counts.', schema: none },
      )
      const { count: left } = (await make({ tools: [count], stateSchema: z.object({ count: z.number() }) }).invoke({
        ...user('Go'),
        count: 1,
      })) as never as { count: number }
      return left
    },
  ],
  [
    'a command that ends the run',
    () => [calls('Stop')],
    async ({ make }) => {
      const stop = tool(
        (_, { toolCallId: tool_call_id }: ToolRuntime) =>
          new Command({ goto: '__end__', update: { messages: [new ToolMessage({ content: 'Over.', tool_call_id })] } }),
        { name: 'Stop', description: 'Stops.', schema: none },
      )
      return texts(
        (await make({ tools: [stop] })
          .invoke(user('Go'))
          .catch((error: Error) => ({ messages: [{ type: 'error', text: error.message.slice(0, 40) }] }))) as never,
      )
    },
  ],
  [
    'a system prompt of blocks',
    () => [say],
    async ({ make, play }) => {
      await make({ systemPrompt: new SystemMessage({ content: [{ type: 'text', text: 'Blocks.' }] }) }).invoke(
        user('Go'),
      )
      return JSON.stringify(play.requests[0]).includes('Blocks.')
    },
  ],
  // Here the text of the error alone is the result, as in every other adapter.
  [
    'a tool that throws',
    () => [calls('Fragile'), say],
    async ({ make }) => {
      const { messages } = await make({ tools: [failing(1)] }).invoke(user('Go'))
      return (messages as Answered).map(({ type, text }) => [type, type === 'tool' ? text.includes('Broken.') : text])
    },
  ],
  [
    'parallel calls',
    () => [calls('Note', 'Note', 'Note'), say],
    async ({ make }) => texts(await make({ tools: [noop] }).invoke(user('Go'))),
  ],
  [
    'parallel calls of the version 1',
    () => [calls('Note', 'Note', 'Note'), say],
    async ({ make }) => texts(await make({ tools: [noop], version: 'v1' }).invoke(user('Go'))),
  ],
  [
    'an agent as a tool',
    () => [call('Helper', {}), calls('Note'), { text: 'Helped.' }, say],
    async ({ make, play }) => {
      const helper = createAgent({ model: modelOf(play), tools: [noop] })
      const help = tool(async () => (await helper.invoke(user('Help'))).messages.at(-1)?.text ?? '', {
        name: 'Helper',
        description: 'Helps.',
        schema: none,
      })
      return texts(await make({ tools: [help], checkpointer: new MemorySaver() }).invoke(user('Go'), one))
    },
  ],
  [
    'a question inside a tool',
    () => [calls('Ask', 'Note'), say],
    async ({ make }) => {
      const asking = tool(() => `It is ${String(interrupt('Which?'))}, ${String(interrupt('Sure?'))}.`, {
        name: 'Ask',
        description: 'Asks.',
        schema: none,
      })
      const agent = make({ tools: [asking, noop], checkpointer: new MemorySaver() })
      await agent.invoke(user('Go'), one)
      await agent.invoke(new Command({ resume: 'this' }), one)
      return texts(await agent.invoke(new Command({ resume: 'yes' }), one))
    },
  ],
  [
    'a question inside an agent that is a tool',
    () => [calls('Helper'), calls('Ask'), { text: 'Helped.' }, say],
    async ({ make, play }) => {
      const asking = tool(() => `It is ${String(interrupt('Which?'))}.`, {
        name: 'Ask',
        description: 'Asks.',
        schema: none,
      })
      const helper = createAgent({ model: modelOf(play), tools: [asking] })
      const help = tool(async () => (await helper.invoke(user('Help'))).messages.at(-2)?.text ?? '', {
        name: 'Helper',
        description: 'Helps.',
        schema: none,
      })
      const agent = make({ tools: [help], checkpointer: new MemorySaver() })
      await agent.invoke(user('Go'), one)
      return texts(await agent.invoke(new Command({ resume: 'this' }), one))
    },
  ],
  [
    'a result with blocks and an artifact',
    () => [calls('Chart'), say],
    async ({ make }) => {
      const chart = tool(() => [[{ type: 'text', text: 'A chart.' }], { rows: 3 }], {
        name: 'Chart',
        description: 'Charts.',
        schema: none,
        responseFormat: 'content_and_artifact',
      })
      const { messages } = await make({ tools: [chart] }).invoke(user('Go'))
      return (messages as ToolMessage[]).map(({ content, artifact }) => [content, artifact])
    },
  ],
  [
    'a result that is an object',
    () => [calls('Data'), say],
    async ({ make }) => {
      const data = tool(() => ({ rows: [1, null] }), { name: 'Data', description: 'Data.', schema: none })
      return texts(await make({ tools: [data] }).invoke(user('Go')))
    },
  ],
  [
    'input that a schema refuses',
    () => [call('Strict', { a: 'x' }), say],
    async ({ make }) => {
      const strict = tool(() => 'Fine.', {
        name: 'Strict',
        description: 'Strict.',
        schema: z.object({ a: z.number() }),
      })
      const ended = texts(await make({ tools: [strict] }).invoke(user('Go')))
      // LangChain shows the model the places in its own files, too.
      return ended.map((text) => text.replaceAll(/^ +at .*$\n/gm, ''))
    },
  ],
  [
    'input that a schema completes',
    () => [call('Strict', {}), say],
    async ({ make }) => {
      const strict = tool(({ a }) => `Fine: ${a}.`, {
        name: 'Strict',
        description: 'Strict.',
        schema: z.object({ a: z.number().default(3) }),
      })
      return texts(await make({ tools: [strict] }).invoke(user('Go')))
    },
  ],
  [
    'a call of a tool that is not there',
    () => [calls('Nothing'), say],
    async ({ make }) => (await make({ tools: [noop] }).invoke(user('Go'))).messages.length,
  ],
  [
    'runs side by side',
    () => [say, say],
    async ({ make }) => {
      const agent = make({ checkpointer: new MemorySaver() })
      const both = await Promise.all(['a', 'b'].map((id) => agent.invoke(user(id), thread(id))))
      return both.map(texts)
    },
  ],
  [
    'a batch',
    () => [say, say],
    async ({ make }) => {
      const agent = make()
      const many = Reflect.get(agent.graph, 'batch') as (inputs: object[]) => Promise<{ messages: never }[]>
      return (await many.call(agent.graph, [user('a'), user('b')])).map(texts)
    },
  ],
  [
    'the history of a thread',
    () => [calls('Note'), say, say],
    async ({ make }) => {
      const agent = make({ tools: [noop], checkpointer: new MemorySaver() })
      await agent.invoke(user('Go'), one)
      const found: string[][] = []
      for await (const { values } of agent.graph.getStateHistory(one) as never as AsyncIterable<{
        values: { messages?: never }
      }>)
        found.push(texts({ messages: values.messages ?? [] }))
      const { values } = await agent.graph.getState(one)
      return [found[0], texts(values)]
    },
  ],
  [
    'a message of a role and a text',
    () => [say],
    async ({ make }) => texts(await make().invoke({ messages: [['human', 'Go'] as never] })),
  ],
  [
    'a text as the only message',
    () => [say],
    async ({ make }) => texts(await make().invoke({ messages: 'Go' as never })),
  ],
  [
    'a conversation that begins with the model',
    () => [say],
    async ({ make }) =>
      texts(
        await make().invoke({
          messages: [
            { role: 'assistant', content: 'Hi.' },
            { role: 'user', content: 'Go' },
          ],
        }),
      ),
  ],
])

test('[ADPT-10, GATE-1] a refused call of a tool that returns directly does not end the run', async () => {
  const play = endpoint.play([activate('editing'), calls('Direct'), say])
  const direct = tool(() => 'At once.', { name: 'Direct', description: 'Returns.', schema: none, returnDirect: true })
  const middleware = [skillsMiddleware(await openSkills(), { consent: () => true })]
  const { messages } = await createAgent({ model: modelOf(play), tools: [direct], middleware }).invoke(user('Go'))
  expect(messages.at(-1)?.text).toBe('Done.')
})
