import { Command, MemorySaver } from '@langchain/langgraph'
import {
  contextEditingMiddleware,
  createAgent,
  createMiddleware,
  dynamicSystemPromptMiddleware,
  HumanMessage,
  humanInTheLoopMiddleware,
  modelCallLimitMiddleware,
  modelFallbackMiddleware,
  modelRetryMiddleware,
  piiMiddleware,
  summarizationMiddleware,
  todoListMiddleware,
  tool,
  toolCallLimitMiddleware,
  ToolMessage,
  toolRetryMiddleware,
} from 'langchain'
import { expect, test } from 'vitest'
import { needsApproval, skillsMiddleware } from '../src/index.ts'
import { useEndpoint } from './endpoint.ts'
import { calls, failing, type Feature, none, noop, one, testFeatures, texts } from './side-by-side.ts'
import { activate, call, hostTools, modelOf, openSkills, refusalOf, type Run, say, user } from './setup.ts'

const endpoint = useEndpoint()
const write = call('Write', { file_path: 'a' })
const ask = (decisions: ('approve' | 'edit' | 'reject')[]) =>
  humanInTheLoopMiddleware({ interruptOn: { Write: { allowedDecisions: decisions, when: needsApproval } } })
const decided = (name: string, decision: object): Feature => [
  `a person's decision: ${name}`,
  () => [write, say],
  async ({ make, runs }) => {
    const agent = make({ checkpointer: new MemorySaver() }, [], [ask(['approve', 'edit', 'reject'])])
    const { __interrupt__: asked } = (await agent.invoke(user('Go'), one)) as never as {
      __interrupt__: [{ value: unknown }]
    }
    const ended = await agent.invoke(new Command({ resume: { decisions: [decision] } }), one)
    return [asked[0].value, runs, texts(ended)]
  },
]

testFeatures(endpoint, [
  decided('approve', { type: 'approve' }),
  decided('edit', { type: 'edit', editedAction: { name: 'Write', args: { file_path: 'b' } } }),
  decided('edit to another tool', { type: 'edit', editedAction: { name: 'Read', args: { file_path: 'c' } } }),
  decided('reject', { type: 'reject', message: 'Not now.' }),
  [
    'decisions on two of three calls',
    () => [{ calls: ['Write', 'Read', 'Write'].map((name) => ({ tool: name, input: { file_path: 'a' } })) }, say],
    async ({ make, runs }) => {
      const agent = make({ checkpointer: new MemorySaver() }, [], [ask(['approve', 'reject'])])
      await agent.invoke(user('Go'), one)
      const ended = await agent.invoke(
        new Command({ resume: { decisions: [{ type: 'approve' }, { type: 'approve' }] } }),
        one,
      )
      return [runs.length, texts(ended).length]
    },
  ],
  [
    'a dynamic model',
    () => [calls('Note'), say],
    async ({ make, play }) => {
      const used: string[] = []
      const other = modelOf({ ...play, model: 'other' })
      const dynamic = createMiddleware({
        name: 'dynamic',
        wrapModelCall: (request, handler) => (used.push('dynamic'), handler({ ...request, model: other })),
      })
      await make({ tools: [noop] }, [dynamic]).invoke(user('Go'))
      return [used, play.requests.map(({ raw }) => (raw as { model?: string }).model)]
    },
  ],
  [
    'dynamic tools',
    () => [calls('Extra'), say],
    async ({ make }) => {
      const extra = tool(() => 'Extra.', { name: 'Extra', description: 'Extra.', schema: none })
      const dynamic = createMiddleware({
        name: 'dynamic',
        wrapModelCall: (request, handler) => handler({ ...request, tools: [...request.tools, extra] }),
        wrapToolCall: (request, handler) =>
          handler(request.toolCall.name === 'Extra' ? { ...request, tool: extra } : request),
      })
      return texts(await make({ tools: [noop] }, [dynamic]).invoke(user('Go')))
    },
  ],
  [
    'a dynamic system prompt',
    () => [say],
    async ({ make, play }) => {
      await make({ systemPrompt: 'A.' }, [dynamicSystemPromptMiddleware(() => 'Dynamic.')]).invoke(user('Go'))
      return JSON.stringify(play.requests[0]).includes('Dynamic.')
    },
  ],
  [
    'a summary of the conversation',
    () => [calls('Note'), calls('Note'), { text: 'In short.' }, say, say],
    async ({ make, play }) => {
      const summary = summarizationMiddleware({ model: modelOf(play), trigger: { messages: 4 }, keep: { messages: 2 } })
      const { messages } = await make({ tools: [noop], checkpointer: new MemorySaver() }, [summary]).invoke(
        user('Go'),
        one,
      )
      return texts({ messages })
    },
  ],
  [
    'errors of tools that a middleware words',
    () => [calls('Fragile'), say],
    async ({ make }) => {
      const wording = createMiddleware({
        name: 'wording',
        async wrapToolCall(request, handler) {
          try {
            return await handler(request)
          } catch {
            return new ToolMessage({ content: 'Worded.', tool_call_id: request.toolCall.id! })
          }
        },
      })
      return texts(await make({ tools: [failing(1)] }, [], [wording]).invoke(user('Go')))
    },
  ],
  [
    'tools that are tried again',
    () => [calls('Fragile'), say],
    async ({ make }) =>
      texts(
        await make({ tools: [failing(2)] }, [], [toolRetryMiddleware({ maxRetries: 3, initialDelayMs: 1 })]).invoke(
          user('Go'),
        ),
      ),
  ],
  [
    'model calls that are tried again',
    () => [{ status: 500, message: 'Once.' }, say],
    async ({ make }) =>
      texts(await make({}, [modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 })]).invoke(user('Go'))),
  ],
  [
    'model calls that are tried again behind',
    () => [{ status: 500, message: 'Once.' }, say],
    async ({ make }) =>
      texts(await make({}, [], [modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 })]).invoke(user('Go'))),
  ],
  [
    'a fallback model',
    () => [{ status: 500, message: 'Once.' }, say],
    async ({ make, play }) => texts(await make({}, [modelFallbackMiddleware(modelOf(play))]).invoke(user('Go'))),
  ],
  [
    'a list of things to do',
    () => [call('write_todos', { todos: [{ content: 'a', status: 'pending' }] }), say],
    async ({ make }) => {
      const result = (await make({ tools: [] }, [todoListMiddleware()]).invoke(user('Go'))) as never as {
        todos: unknown
        messages: never
      }
      return [result.todos, texts(result)]
    },
  ],
  [
    'limits of calls',
    () => [calls('Note'), calls('Note'), calls('Note'), say],
    async ({ make }) =>
      texts(await make({ tools: [noop] }, [toolCallLimitMiddleware({ runLimit: 1 })]).invoke(user('Go'))),
  ],
  [
    'limits of calls behind',
    () => [calls('Note'), calls('Note'), calls('Note'), say],
    async ({ make }) =>
      texts(await make({ tools: [noop] }, [], [toolCallLimitMiddleware({ runLimit: 1 })]).invoke(user('Go'))),
  ],
  [
    'limits of model calls',
    () => [calls('Note'), calls('Note'), say],
    async ({ make }) =>
      texts(await make({ tools: [noop] }, [modelCallLimitMiddleware({ runLimit: 2 })]).invoke(user('Go'))),
  ],
  [
    'cleared results',
    () => [calls('Note'), calls('Note'), say],
    async ({ make }) => texts(await make({ tools: [noop] }, [contextEditingMiddleware()]).invoke(user('Go'))),
  ],
  [
    'personal data',
    () => [say],
    async ({ make }) =>
      texts(await make({}, [piiMiddleware('email', { strategy: 'redact' })]).invoke(user('I am a@b.example.com'))),
  ],
  [
    'a jump',
    () => [say],
    async ({ make }) => {
      const jumping = createMiddleware({
        name: 'jumping',
        beforeModel: { canJumpTo: ['end'], hook: () => ({ jumpTo: 'end', messages: [new HumanMessage('Over.')] }) },
      })
      return texts(await make({}, [], [jumping]).invoke(user('Go')))
    },
  ],
])

test('[ADPT-10, ABUSE-150] a call that a person has edited is judged as edited', async () => {
  const play = endpoint.play([activate('editing'), call('Write', { file_path: 'docs/a' }), say])
  const runs: Run[] = []
  const agent = createAgent({
    model: modelOf(play),
    tools: hostTools(runs),
    checkpointer: new MemorySaver(),
    middleware: [skillsMiddleware(await openSkills(), { consent: () => true }), ask(['edit'])],
  })
  await agent.invoke(user('Go'), one)
  const editedAction = { name: 'Write', args: { file_path: 'secrets' } }
  await agent.invoke(new Command({ resume: { decisions: [{ type: 'edit', editedAction }] } }), one)
  expect(runs).toEqual([])
  expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_NOT_ALLOWED')
})
