import { memorySource, openRepertoire } from '@repertoire/core'
import {
  dynamicTool,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModelMiddleware,
  type ModelMessage,
  Output,
  streamText,
  tool,
  type ToolSet,
} from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type SkillsOptions, withSkills } from '../src/index.ts'

type Content = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>['content']
type Log = unknown[]

const call = (toolName: string, input: object = {}, more: object = {}): Content[number] => ({
  type: 'tool-call',
  toolCallId: `call_${toolName}`,
  toolName,
  input: JSON.stringify(input),
  ...more,
})
const text = (words: string): Content[number] => ({ type: 'text', text: words })
const LOOK: Content[] = [[text('I look. '), call('Look', { q: 'a' })], [text('Done.')]]

interface Feature {
  /** The settings that `withSkills` takes. */
  readonly own?: (log: Log) => SkillsOptions<ToolSet>
  /** All others. */
  readonly others?: (log: Log) => object
  /** What the model answers, one after the other. Default: a call of `Look`, and a text. */
  readonly script?: readonly Content[]
  readonly messages?: ModelMessage[]
  /** The answer to an approval request. */
  readonly approved?: boolean
}

const look = (log: Log, more: object = {}): ToolSet => ({
  Look: tool({
    description: 'Looks.',
    inputSchema: z.object({ q: z.string().optional() }),
    execute: (input, options) => {
      log.push(['run', input, Object.keys(options).toSorted(), options.context, options.messages.length])
      return { found: input.q }
    },
    ...more,
  }),
})

/** What the AI SDK's own pages list, none of which may differ beside skills. */
const FEATURES: Readonly<Record<string, Feature>> = {
  'callbacks of a tool': {
    own: (log) => ({
      tools: look(log, {
        onInputStart: () => void log.push('start'),
        onInputDelta: ({ inputTextDelta }: { inputTextDelta: string }) => void log.push(inputTextDelta),
        onInputAvailable: ({ input }: { input: unknown }) => void log.push(['available', input]),
      }),
    }),
  },
  'an approval by the tool': { own: (log) => ({ tools: look(log, { needsApproval: true }) }), approved: true },
  'a denied approval': { own: (log) => ({ tools: look(log, { needsApproval: true }) }), approved: false },
  'an approval by a function': {
    own: (log) => ({
      tools: look(log),
      toolApproval: ({ toolCall }: { toolCall: object }) => (log.push(toolCall) ? 'user-approval' : undefined),
    }),
    approved: true,
  },
  'a tool of the client': {
    own: () => ({ tools: { Ask: tool({ description: 'Asks.', inputSchema: z.object({}) }) } }),
    script: [[call('Ask')]],
  },
  'a dynamic tool': {
    own: (log) => ({
      tools: {
        Look: dynamicTool({
          inputSchema: jsonSchema({ type: 'object' }),
          execute: (input) => log.push(['run', input]),
        }),
      },
    }),
  },
  'a tool of the provider': {
    own: () => ({
      tools: {
        Web: {
          type: 'provider',
          id: 'mock.web',
          args: { most: 1 },
          isProviderExecuted: true,
          inputSchema: jsonSchema({ type: 'object' }),
        },
      },
    }),
    script: [
      [
        call('Web', {}, { providerExecuted: true }),
        { type: 'tool-result', toolCallId: 'call_Web', toolName: 'Web', result: { hits: 2 } },
        text('Found.'),
      ],
    ],
  },
  'parts of a streaming tool, and what the model sees of its result': {
    own: (log) => ({
      tools: look(log, {
        async *execute() {
          yield 1
          yield 2
        },
        toModelOutput: ({ output }: { output: unknown }) => ({ type: 'text', value: `It was ${String(output)}.` }),
      }),
    }),
  },
  'contexts, and an input that the host refines': {
    own: (log) => ({ tools: look(log, { contextSchema: z.object({ key: z.string() }) }) }),
    others: () => ({
      toolsContext: { Look: { key: 'k' } },
      runtimeContext: { user: 'u' },
      experimental_refineToolInput: { Look: () => ({ q: 'refined' }) },
    }),
  },
  'an own preparation of each step': {
    own: (log) => ({
      tools: look(log),
      prepareStep: ({ stepNumber, messages }: { stepNumber: number; messages: ModelMessage[] }) => {
        log.push(['step', stepNumber, messages.length])
        return stepNumber === 1 ? { toolChoice: 'none', temperature: 0.5, messages: messages.slice(-2) } : undefined
      },
    }),
  },
  'the choice and order of tools, and an end by a condition': {
    own: (log) => ({ tools: { ...look(log), Late: look(log)['Look']! } }),
    others: () => ({
      toolChoice: { type: 'tool', toolName: 'Look' },
      toolOrder: ['Late', 'Look'],
      stopWhen: ({ steps }: { steps: unknown[] }) => steps.length === 1,
    }),
  },
  'structured output': {
    own: (log) => ({ tools: look(log) }),
    others: () => ({ output: Output.object({ schema: z.object({ n: z.number() }) }) }),
    script: [LOOK[0]!, [text('{"n":1}')]],
  },
  'the settings of a model call': {
    own: (log) => ({ tools: look(log) }),
    others: () => ({
      temperature: 0.1,
      maxOutputTokens: 7,
      seed: 3,
      stopSequences: ['s'],
      headers: { 'x-a': 'b' },
      providerOptions: { mock: { a: 1 } },
    }),
  },
  'a history with files, and metadata of providers': {
    own: (log) => ({ tools: look(log) }),
    script: [[text('Seen.')]],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'See', providerOptions: { mock: { cache: 1 } } }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'old', toolName: 'Gone', input: { a: 1 } }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'old', toolName: 'Gone', output: { type: 'json', value: { b: 2 } } },
        ],
      },
      { role: 'user', content: [{ type: 'file', mediaType: 'application/pdf', data: 'AQI=', filename: 'a.pdf' }] },
    ],
  },
  'callbacks of the run, and telemetry': {
    own: (log) => ({ tools: look(log) }),
    others: (log) => ({
      ...Object.fromEntries(
        ['onStart', 'onStepStart', 'onToolExecutionStart', 'onToolExecutionEnd', 'onStepEnd', 'onEnd'].map((name) => [
          name,
          ({ finishReason, toolCall }: { finishReason?: string; toolCall?: { toolName: string } }) =>
            void log.push([name, finishReason, toolCall?.toolName]),
        ]),
      ),
      telemetry: {
        integrations: {
          onLanguageModelCallStart: ({ modelId, provider }: Record<string, unknown>) =>
            void log.push(['telemetry', modelId, provider]),
        },
      },
    }),
  },
}

type Params = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']

/** A model that plays a script, and logs what it is sent of the host. */
function playing(script: readonly Content[], log: Log): MockLanguageModelV4 {
  let step = 0
  const next = ({ prompt, tools, abortSignal, ...params }: Params): Content => {
    const own = tools?.filter(({ name }) => !name.includes('skill'))
    log.push(['request', prompt.filter(({ role }) => role !== 'system'), own, params, abortSignal !== undefined])
    return script[Math.min(step++, script.length - 1)]!
  }
  const usage = { inputTokens: { total: 3 }, outputTokens: { total: 5 } } as never
  const end = (content: Content) => {
    const calls = content.some((part) => part.type === 'tool-call' && part.providerExecuted !== true)
    return { finishReason: { unified: calls ? ('tool-calls' as const) : ('stop' as const), raw: undefined }, usage }
  }
  return new MockLanguageModelV4({
    async doGenerate(params) {
      const content = next(params)
      return { content, warnings: [], ...end(content) }
    },
    async doStream(params) {
      const content = next(params)
      const chunks = content.flatMap((part, id): any[] => {
        if (part.type === 'text') {
          const delta = { type: 'text-delta', id: `${id}`, delta: part.text }
          return [{ type: 'text-start', id: `${id}` }, delta, { type: 'text-end', id: `${id}` }]
        }
        if (part.type !== 'tool-call' || part.providerExecuted === true) return [part]
        const { toolCallId, toolName, input } = part
        return [
          { type: 'tool-input-start', id: toolCallId, toolName },
          { type: 'tool-input-delta', id: toolCallId, delta: input },
          { type: 'tool-input-end', id: toolCallId },
          part,
        ]
      })
      return { stream: simulateReadableStream({ chunks: [...chunks, { type: 'finish', ...end(content) }] }) }
    },
  })
}

const WAYS = {
  generateText: (settings: any) => generateText(settings),
  async streamText(settings: any, log: Log) {
    const result = streamText({ ...settings, onError: () => {} })
    const types: string[] = []
    for await (const { type } of result.stream) types.push(type)
    log.push(['parts', types])
    return result
  },
}

/** Everything that the host, its tools and its model see of a run. */
async function seen(feature: Feature, way: keyof typeof WAYS, hasSkills: boolean): Promise<unknown> {
  const log: Log = []
  const own = feature.own?.(log) ?? {}
  const skill = '---\nname: careful\ndescription: Is careful.\n---\nLOOK FIRST.\n'
  const repertoire = await openRepertoire({ sources: [memorySource({ skills: { careful: { 'SKILL.md': skill } } })] })
  const settings = {
    model: playing(feature.script ?? LOOK, log),
    stopWhen: isStepCount(4),
    ...feature.others?.(log),
    ...(hasSkills ? withSkills(repertoire.openSession(), own) : own),
  }
  const run = async (messages: ModelMessage[]): Promise<ModelMessage[]> => {
    const result = await WAYS[way]({ ...settings, messages }, log)
    const { content, finishReason, totalUsage } = result
    log.push(['result', await content, await finishReason, await totalUsage])
    if ('output' in settings) log.push(await result.output)
    return [...messages, ...(await result.responseMessages)]
  }
  const messages = await run(feature.messages ?? [{ role: 'user', content: 'Hello' }])
  if (feature.approved !== undefined) {
    const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : (content as any[])))
    const { approvalId } = parts.find(({ type }) => type === 'tool-approval-request')
    const { approved } = feature
    await run([...messages, { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved }] }])
  }
  return JSON.parse(
    JSON.stringify(log)
      .replaceAll(/aitxt-\w+/g, 'id')
      .replaceAll(/"approvalId":"\w+"/g, '"approvalId":"a"'),
  )
}

test.each(
  Object.keys(FEATURES).flatMap((name) => Object.keys(WAYS).map((way) => [name, way as keyof typeof WAYS] as const)),
)('[ADPT-1, ADPT-10] beside skills, all is as without them: %s, with %s', async (name, way) => {
  const without = await seen(FEATURES[name]!, way, false)
  expect(without).toEqual(
    expect.arrayContaining([expect.arrayContaining(['request']), expect.arrayContaining(['result'])]),
  )
  expect(await seen(FEATURES[name]!, way, true)).toEqual(without)
})
