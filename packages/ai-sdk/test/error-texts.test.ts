import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Play, ProtocolName, ScriptStep } from '@repertoire/conformance'
import { memorySource, openRepertoire, type Session } from '@repertoire/core'
import { type LanguageModel, tool, type ToolSet, wrapLanguageModel } from 'ai'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { withSkills } from '../src/index.ts'
import { activate, call, CAREFUL, useEndpoint, WAYS } from './task.ts'

const endpoint = useEndpoint()

type Provider = (play: Play) => LanguageModel

const chat: Provider = ({ baseURL, apiKey, model }) => createOpenAI({ baseURL, apiKey }).chat(model)
const responses: Provider = ({ baseURL, apiKey, model }) => createOpenAI({ baseURL, apiKey })(model)
const named =
  (name: string): Provider =>
  ({ baseURL, apiKey, model }) =>
    createOpenAI({ name, baseURL, apiKey })(model)
const wrapped: Provider = (play) =>
  wrapLanguageModel({ model: responses(play) as never, middleware: { specificationVersion: 'v4' } })
const renamed: Provider = (play) =>
  wrapLanguageModel({ model: chat(play) as never, middleware: { specificationVersion: 'v4' }, providerId: 'mine' })
const compatible: Provider = ({ baseURL, apiKey, model }) =>
  createOpenAICompatible({ name: 'loopback', baseURL, apiKey })(model)
const anthropic: Provider = ({ baseURL, apiKey, model }) => createAnthropic({ baseURL: `${baseURL}/v1`, apiKey })(model)
const google: Provider = ({ baseURL, apiKey, model }) => createGoogle({ baseURL: `${baseURL}/v1beta`, apiKey })(model)
/** A model that is given as a string. */
const byName: Provider = ({ baseURL, apiKey, model }) => {
  globalThis.AI_SDK_DEFAULT_PROVIDER = createOpenAI({ baseURL, apiKey })
  return model
}
afterEach(() => {
  globalThis.AI_SDK_DEFAULT_PROVIDER = undefined as never
})

const PROVIDERS: readonly (readonly [name: string, protocol: ProtocolName, provider: Provider])[] = [
  ['@ai-sdk/openai, chat', 'openai', chat],
  ['@ai-sdk/openai, Responses', 'openai-responses', responses],
  ['the same under the name of Azure', 'openai-responses', named('azure')],
  ['the same under the name of Anthropic', 'openai-responses', named('anthropic')],
  ['the same wrapped', 'openai-responses', wrapped],
  ['the same wrapped and renamed', 'openai', renamed],
  ['the same as a string', 'openai-responses', byName],
  ['@ai-sdk/openai-compatible', 'openai', compatible],
  ['@ai-sdk/anthropic', 'anthropic', anthropic],
  ['@ai-sdk/google', 'gemini', google],
]

const tools = {
  Bash: tool({ inputSchema: z.object({ command: z.string() }), execute: () => 'ran' }),
  Upload: tool({
    inputSchema: z.object({}),
    execute: (): string => {
      throw new RangeError('The disk is "full".')
    },
  }),
} satisfies ToolSet

/** Anthropic's package warns about a limit that it assumes for an unknown model. */
const LIMIT = { maxOutputTokens: 100 }

/** The model is refused, sees a host's tool throw, is denied by a person, and calls a tool that does not exist. */
const script: readonly ScriptStep[] = [
  activate('careful'),
  call('Bash', { command: 'rm a' }, 'refused'),
  call('deactivate_skill', {}, 'left'),
  call('Upload', {}, 'thrown'),
  call('no_such_tool', {}, 'unknown'),
  call('Bash', { command: 'rm b' }, 'denied'),
  { text: 'Done.' },
]

const hostSettings = {
  tools,
  toolApproval: ({ toolCall }: { readonly toolCall: { readonly input: unknown } }) =>
    JSON.stringify(toolCall.input).includes('rm b')
      ? ({ type: 'denied', reason: 'Keep it.' } as const)
      : ('not-applicable' as const),
}

function skillsOf(session: Session) {
  return withSkills(session, hostSettings)
}

async function open(): Promise<Session> {
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: CAREFUL })] })
  return repertoire.openSession({ consent: () => true })
}

function shownAsWorded(play: Play): void {
  const { messages } = play.requests.at(-1)!
  const textOf = (id: string): string => messages.find(({ callId }) => callId === id)?.text ?? ''
  expect(JSON.parse(textOf('refused'))).toMatchObject({ error: { code: 'TOOL_NOT_ALLOWED' } })
  expect(JSON.parse(textOf('unknown'))).toMatchObject({ error: { code: 'TOOL_UNKNOWN' } })
  expect(textOf('thrown')).toBe('The disk is "full".')
  expect(textOf('denied')).toBe('Keep it.')
}

describe.each(PROVIDERS)('%s', (_, protocol, provider) => {
  test.each(WAYS.slice(0, 2))(
    '[ADPT-1, CONF-9] %s shows every refusal and failure as core words it, encoded once',
    async (__, way) => {
      const play = endpoint().play(script, { protocol })
      const session = await open()
      await way(provider(play), skillsOf(session), 'Hello', LIMIT)
      expect(play.failures).toEqual([])
      shownAsWorded(play)
      await session.end()
    },
  )
})

test('[ADPT-1, CONF-9] a model that `prepareStep` chooses is shown every refusal and failure as core words it', async () => {
  const unused = endpoint().play([])
  const play = endpoint().play(script, { protocol: 'openai-responses' })
  const session = await open()
  const skills = withSkills(session, { ...hostSettings, prepareStep: () => ({ model: responses(play) }) })
  await WAYS[0]![1](compatible(unused), skills, 'Hello', LIMIT)
  expect(play.failures).toEqual([])
  shownAsWorded(play)
  await session.end()
})

test("[ADPT-1, CONF-9] Anthropic and Gemini are still told that a result is an error's", async () => {
  const claude = endpoint().play(script, { protocol: 'anthropic' })
  const gemini = endpoint().play(script, { protocol: 'gemini' })
  for (const model of [anthropic(claude), google(gemini)]) {
    const session = await open()
    await WAYS[0]![1](model, skillsOf(session), 'Hello', LIMIT)
    await session.end()
  }
  const { messages } = claude.requests.at(-1)!.raw as { messages: { content: unknown }[] }
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  const marked = blocks.filter(({ is_error: isError }) => isError === true).map(({ tool_use_id: id }) => id as string)
  expect(marked).toEqual(['refused', 'thrown', 'unknown'])
  const { contents } = gemini.requests.at(-1)!.raw as { contents: { parts: any[] }[] }
  const failed = contents
    .flatMap(({ parts }) => parts)
    .filter((part) => part.functionResponse?.response.error !== undefined)
  expect(failed).toHaveLength(4)
})

/** What a provider's model is given and answers. */
type Model = Exclude<LanguageModel, string> & { readonly specificationVersion: 'v4' }
type Prompt = Parameters<Model['doGenerate']>[0]['prompt']

/** A model of any provider, which calls a tool that throws, and then keeps the prompt that it is given. */
function ofProvider(provider: string): { readonly model: Model; readonly prompts: Prompt[] } {
  const prompts: Prompt[] = []
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const model: Model = {
    specificationVersion: 'v4',
    provider,
    modelId: 'any',
    supportedUrls: {},
    doGenerate({ prompt }) {
      prompts.push(prompt)
      return Promise.resolve(
        prompts.length === 1
          ? {
              content: [{ type: 'tool-call', toolCallId: 'thrown', toolName: 'Upload', input: '{}' }],
              finishReason: { unified: 'tool-calls', raw: undefined },
              usage,
              warnings: [],
            }
          : {
              content: [{ type: 'text', text: 'Done.' }],
              finishReason: { unified: 'stop', raw: undefined },
              usage,
              warnings: [],
            },
      )
    },
    doStream: () => Promise.reject(new Error('It does not stream.')),
  }
  return { model, prompts }
}

test('[ADPT-1, CONF-9] a provider that is not known to send the text of errors unchanged is given plain text', async () => {
  const names = fc.oneof(
    fc.constantFrom('gateway', 'azure.chat', 'openai.responses', 'anthropic', 'xai.chat', 'anthropic.messages.x'),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      const { model, prompts } = ofProvider(name)
      const session = await open()
      await WAYS[0]![1](model, skillsOf(session), 'Hello', LIMIT)
      const output = prompts[1]!.flatMap(({ role, content }) =>
        role === 'tool' ? content.map((part) => part.type === 'tool-result' && part.output) : [],
      )
      expect(output).toEqual([{ type: 'text', value: 'The disk is "full".' }])
      await session.end()
    }),
    { numRuns: 25 },
  )
})
