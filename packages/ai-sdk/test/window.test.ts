import type { AuditEvent, RepertoireOptions } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { generateText, isStepCount, type ModelMessage, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { activate, call, openTask, useEndpoint, WAYS } from './task.ts'
import { withSkills } from '../src/index.ts'

const endpoint = useEndpoint()

const LONG = 'A line of a long file. '.repeat(90)
const window = { keepMessages: 4, keepFewestMessages: 2 }

const callOf = (toolCallId: string): ModelMessage => ({
  role: 'assistant',
  content: [
    { type: 'reasoning', text: 'I think.', providerOptions: { loopback: { signature: `s-${toolCallId}` } } },
    { type: 'tool-call', toolCallId, toolName: 'Read', input: { path: toolCallId } },
  ],
})

const resultOf = (toolCallId: string, value = LONG): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName: 'Read', output: { type: 'text', value } }],
})

const task: ModelMessage[] = [
  { role: 'user', content: 'Find the fault.' },
  ...['a', 'b', 'c', 'd'].flatMap((id) => [callOf(id), resultOf(id)]),
]

const Read = (result = 'short') =>
  tool({ description: 'Reads.', inputSchema: z.looseObject({}), execute: () => result })

function watched(more: Partial<RepertoireOptions> = {}) {
  const events: AuditEvent[] = []
  const audit = { write: (event: AuditEvent) => void events.push(event) }
  const types = (): readonly string[] =>
    events.flatMap(({ type }) => (type.startsWith('window.') ? [type.slice('window.'.length)] : []))
  return { types, settings: { audit, ...more, context: { window: 3_000, summaries: window, ...more.context } } }
}

describe.each(WAYS)('%s', (_, run) => {
  test('[WIN-7, WIN-8, WIN-9] asks the model for a summary, shows it at every step and in later runs, and leaves the messages as they are', async () => {
    const { settings, types } = watched()
    const script = [
      { text: 'Four files were read.' },
      call('Read', { path: 'e' }),
      { text: 'Found.' },
      { text: 'Nothing else.' },
    ]
    const { play, model, session, reopen } = await openTask(endpoint(), script, {}, settings)
    const before = structuredClone(task)
    const { text, responseMessages } = await run(model, withSkills(session, { tools: { Read: Read() } }), task)
    expect(text).toBe('Found.')
    expect(task).toEqual(before)
    const [summary, first, second] = play.requests
    expect([summary?.tools, summary?.messages.length]).toEqual([[], 1])
    expect(first?.messages[0]?.text).toContain('Four files were read.')
    expect(first?.messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool', 'assistant', 'tool'])
    expect(first?.messages[1]?.text).toBe('Find the fault.')
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages)
    expect(JSON.stringify(responseMessages)).not.toContain('Four files')

    const later = reopen({ saved: JSON.parse(JSON.stringify(session.save())) })
    const next: ModelMessage[] = [...task, ...responseMessages, { role: 'user', content: 'And what else?' }]
    await run(model, withSkills(later, { tools: { Read: Read() } }), next)
    const third = play.requests[3]
    expect(third?.messages.slice(0, 2)).toEqual(first?.messages.slice(0, 2))
    expect(third?.messages.at(-1)?.text).toBe('And what else?')
    expect(types()).toEqual(['summarized'])
    expect(play.failures).toEqual([])
  })
})

test('[WIN-7] asks for a summary once: the run goes on without one when the model fails', async () => {
  const { settings } = watched()
  const script = [{ status: 503, message: 'Overloaded.' }, { text: 'Found.' }]
  const { play, model, session } = await openTask(endpoint(), script, {}, settings)
  const skills = withSkills(session, { tools: { Read: Read() } })
  expect((await generateText({ model, messages: task, maxRetries: 0, ...skills })).text).toBe('Found.')
  expect(play.requests).toHaveLength(2)
})

test('[WIN-4, ACT-14] shows the instructions of an active skill once when their message was summarised', async () => {
  const { settings } = watched({ context: { summaries: { ...window, summarize: () => 'Two files were read.' } } })
  const script = [activate('careful'), ...['a', 'b', 'c', 'd'].map((path) => call('Read', { path })), { text: 'Done.' }]
  const { play, model, session } = await openTask(endpoint(), script, {}, settings)
  const skills = withSkills(session, { tools: { Read: Read(LONG) } })
  await generateText({ model, prompt: 'Begin.', stopWhen: isStepCount(9), maxRetries: 0, ...skills })
  const times = play.requests.map(({ raw }) => JSON.stringify(raw).split('LOOK FIRST.').length - 1)
  expect(times).toEqual([0, 1, 1, 1, 1, 1])
  const { system, messages } = play.requests.at(-1)!
  expect(system).toContain('LOOK FIRST.')
  expect(messages[0]?.text).toContain('Two files were read.')
})

/** A model that keeps what it is called with. */
function recording() {
  return new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: 'text', text: 'Done.' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    }),
  })
}

test('[WIN-6, WIN-9] sends what stays byte for byte, with reasoning and its signatures', async () => {
  const { settings } = watched({ context: { summaries: { ...window, summarize: () => 'Short.' } } })
  const { session } = await openTask(endpoint(), [], {}, settings)
  const plain = recording()
  const kept = recording()
  await generateText({ model: plain, messages: task })
  await generateText({ model: kept, messages: task, ...withSkills(session, { tools: { Read: Read() } }) })
  const spoken = (model: typeof plain) => model.doGenerateCalls[0]!.prompt.filter(({ role }) => role !== 'system')
  expect(spoken(kept)).toHaveLength(6)
  expect(spoken(kept).slice(-4)).toEqual(spoken(plain).slice(-4))
  expect(JSON.stringify(spoken(kept))).toContain('s-d')
  expect(JSON.stringify(spoken(kept))).not.toContain('s-a')
})

test.each([
  [
    'a compaction of Anthropic',
    { type: 'text', text: 'It began.', providerOptions: { anthropic: { type: 'compaction' } } },
    {},
  ],
  [
    'a compaction of OpenAI',
    { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { itemId: 'cmp_1' } } },
    {},
  ],
  ['a chain of responses', { type: 'text', text: 'I go on.' }, { openai: { previousResponseId: 'resp_1' } }],
] as const)(
  '[WIN-6, ACT-14] cuts nothing behind %s, and shows the instructions that it hides',
  async (_, part, providerOptions) => {
    const { settings, types } = watched()
    const { model, session } = await openTask(endpoint(), [activate('careful'), { text: 'Ready.' }], {}, settings)
    const skills = withSkills(session, { tools: { Read: Read() } })
    const { responseMessages } = await generateText({ model, prompt: 'Begin.', stopWhen: isStepCount(3), ...skills })
    const seen = recording()
    const isChained = Object.keys(providerOptions).length > 0
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Begin.' },
      ...(isChained ? [] : responseMessages),
      { role: 'assistant', content: [part] },
      ...task,
    ]
    await generateText({ model: seen, messages, providerOptions, ...skills })
    const [system, ...spoken] = seen.doGenerateCalls[0]!.prompt
    expect(spoken).toHaveLength(messages.length)
    expect(system?.content).toContain('LOOK FIRST.')
    expect(types()).toEqual(['left_alone'])
  },
)

test('[WIN-6] parts no call of a provider from the result that comes with a later answer', async () => {
  const { settings } = watched({
    context: { summaries: { keepMessages: 3, keepFewestMessages: 3, summarize: () => 'Short.' } },
  })
  const { session } = await openTask(endpoint(), [], {}, settings)
  const seen = recording()
  const server = { toolCallId: 'srv', toolName: 'code', providerExecuted: true } as const
  const messages: ModelMessage[] = [
    ...task,
    { role: 'assistant', content: [{ type: 'tool-call', input: {}, ...server }, ...(callOf('e').content as [])] },
    resultOf('e'),
    {
      role: 'assistant',
      content: [
        { type: 'tool-result', ...server, output: { type: 'text', value: '42' } },
        { type: 'text', text: 'So.' },
      ],
    },
    { role: 'user', content: 'And now?' },
  ]
  await generateText({ model: seen, messages, ...withSkills(session, { tools: { Read: Read() } }) })
  const sent = JSON.stringify(seen.doGenerateCalls[0]!.prompt)
  expect(adapterSession(session).state.summary).toBeDefined()
  expect(sent.split('"srv"')).toHaveLength(3)
})

test('[WIN-1] counts the text of a document as text, and no bytes of a picture', async () => {
  const { settings, types } = watched({ context: { summaries: { ...window, summarize: false }, window: 20_000 } })
  const { session } = await openTask(endpoint(), [], {}, settings)
  const skills = withSkills(session, { tools: { Read: Read() } })
  const bytes = 'QUJDREVGR0hJ'.repeat(20_000)
  const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } } as const
  const seen = { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: bytes } } as const
  const pictures: ModelMessage[] = [
    { role: 'user', content: [picture] },
    { role: 'assistant', content: [seen, { type: 'text', text: 'A cat.' }] },
    { role: 'user', content: 'And now?' },
  ]
  await generateText({ model: recording(), messages: pictures, ...skills })
  expect(types()).toEqual([])
  const text = { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: LONG.repeat(60) } } as const
  await generateText({ model: recording(), messages: [{ role: 'user', content: [text] }], ...skills })
  expect(types()).toEqual(['exceeded'])
})
