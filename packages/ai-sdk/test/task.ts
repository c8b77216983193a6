import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  type ModelEndpoint,
  openModelEndpoint,
  type Play,
  type ScriptStep,
  type WireRequest,
} from '@repertoire/conformance'
import {
  memorySource,
  openRepertoire,
  type RepertoireOptions,
  type Session,
  type SessionOptions,
} from '@repertoire/core'
import {
  type ContentPart,
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  tool,
  ToolLoopAgent,
  type ToolSet,
} from 'ai'
import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'
import type { SkillsSettings } from '../src/index.ts'

export { activate, call, lastRefusal as refusalOf, lastResult as resultOf } from '@repertoire/conformance'

/** The tools that a session adds. */
export const SKILL_TOOLS = ['activate_skill', 'deactivate_skill', 'read_skill_resource']

/** A skill that allows little. */
export const CAREFUL = skill('careful', 'Looks before it leaps.', 'allowed-tools: Read Bash(git:*)', 'LOOK FIRST.')
/** A skill that restricts nothing. */
const FREE = skill('free', 'Does as it likes.', '', 'DO AS YOU LIKE.')

function skill(name: string, description: string, fields: string, body: string) {
  return { [name]: { 'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n${fields}\n---\n${body}\n` } }
}

/** A model endpoint for the tests of a file. */
export function useEndpoint(): () => ModelEndpoint {
  let endpoint: ModelEndpoint
  beforeAll(async () => {
    endpoint = await openModelEndpoint()
  })
  afterAll(() => endpoint.close())
  return () => endpoint
}

export interface Task {
  readonly play: Play
  readonly model: LanguageModel
  readonly session: Session
  /** Another session over the same skills, as a fresh process opens it. */
  readonly reopen: (options?: SessionOptions) => Session
}

/** A session over two skills, and a model that plays a script. `consent: 'suspend'` leaves consent to AI SDK. */
export async function openTask(
  endpoint: ModelEndpoint,
  script: readonly ScriptStep[],
  {
    consent = () => true,
    ...options
  }: Omit<SessionOptions, 'consent'> & { consent?: SessionOptions['consent'] | 'suspend' } = {},
  settings: Partial<RepertoireOptions> = {},
): Promise<Task> {
  const play = endpoint.play(script)
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills: { ...CAREFUL, ...FREE } })],
    ...settings,
  })
  const open = (more: SessionOptions) => repertoire.openSession(more)
  return {
    play,
    model: modelOf(play),
    session: open({ ...options, ...(consent !== 'suspend' && { consent }) }),
    reopen: (more = {}) => open(more),
  }
}

export function modelOf({ baseURL, apiKey, model }: Play): LanguageModel {
  return createOpenAICompatible({ name: 'loopback', baseURL, apiKey, includeUsage: true })(model)
}

/** Tools that note their runs. */
export function notingTools(): { runs: string[]; tools: Record<'Bash' | 'Read' | 'Write', ToolSet[string]> } {
  const runs: string[] = []
  const noting = (name: string): ToolSet[string] =>
    tool({
      description: `The tool ${name}.`,
      inputSchema: z.looseObject({}),
      execute: (input) => {
        runs.push(`${name} ${JSON.stringify(input)}`)
        return `${name} ran`
      },
    })
  return { runs, tools: { Bash: noting('Bash'), Read: noting('Read'), Write: noting('Write') } }
}

interface Answer {
  readonly text: string
  readonly responseMessages: ModelMessage[]
  readonly content: ContentPart<ToolSet>[]
}

type Skills = SkillsSettings<any>

/** Everything but model and skills that a way of use takes. */
type Extra = Readonly<Record<string, unknown>> & { readonly abortSignal?: AbortSignal }

export type Way = (
  model: LanguageModel,
  skills: Skills,
  messages: ModelMessage[] | string,
  extra?: Extra,
) => Promise<Answer>

/** Each way of using AI SDK, as one function. */
export const WAYS: readonly (readonly [string, Way])[] = [
  [
    'generateText',
    (model, skills, messages, extra) => generateText({ ...base(model), ...asked(messages), ...skills, ...extra }),
  ],
  [
    'streamText',
    (model, skills, messages, extra) =>
      read((onError) => streamText({ ...base(model), ...asked(messages), ...skills, ...extra, onError })),
  ],
  [
    'ToolLoopAgent.generate',
    (model, skills, messages, { abortSignal, ...extra } = {}) =>
      new ToolLoopAgent({ ...base(model), ...skills, ...extra }).generate({
        ...asked(messages),
        ...(abortSignal && { abortSignal }),
      }),
  ],
  [
    'ToolLoopAgent.stream',
    (model, skills, messages, { abortSignal, ...extra } = {}) =>
      read((onError) =>
        new ToolLoopAgent({ ...base(model), ...skills, ...extra, onError }).stream({
          ...asked(messages),
          ...(abortSignal && { abortSignal }),
        }),
      ),
  ],
]

function base(model: LanguageModel) {
  return { model, maxRetries: 0, stopWhen: isStepCount(12) }
}

function asked(messages: ModelMessage[] | string) {
  return { prompt: typeof messages === 'string' ? messages : messages }
}

interface Readable {
  readonly text: PromiseLike<string>
  readonly responseMessages: PromiseLike<ModelMessage[]>
  readonly content: PromiseLike<ContentPart<any>[]>
  consumeStream(): PromiseLike<void>
}

async function read(
  begin: (onError: (event: { readonly error: unknown }) => void) => Readable | Promise<Readable>,
): Promise<Answer> {
  const errors: unknown[] = []
  const result = await begin(({ error }) => void errors.push(error))
  await result.consumeStream()
  if (errors.length > 0) throw errors[0]
  return { text: await result.text, responseMessages: await result.responseMessages, content: await result.content }
}

export function offered(request: WireRequest | undefined): string[] {
  return (request?.tools ?? []).map(({ name }) => name)
}
