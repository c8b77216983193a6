import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { TaskEndpoint, TaskSetup, Variant } from '@repertoire/conformance'
import type { LanguageModel } from 'ai'

export type WayName = 'generate' | 'stream' | 'agentGenerate' | 'agentStream'

/** A way of use with a vendor's model. */
export interface AiSdkVariant extends Variant {
  readonly model: (endpoint: TaskEndpoint) => LanguageModel
  /** Which function runs the agent. `skillsAgent` owns its sessions, which a store keeps. */
  readonly way: WayName | 'skillsAgent'
}

const compatible: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) =>
  createOpenAICompatible({ name: 'conformance', baseURL, apiKey, includeUsage: true, supportsStructuredOutputs: true })(
    model,
  )

const openAIChat: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) => createOpenAI({ baseURL, apiKey }).chat(model)

const openAIResponses: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) => createOpenAI({ baseURL, apiKey })(model)

// AI SDK's own base URLs include the version.
const anthropic: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) =>
  createAnthropic({ baseURL: `${baseURL}/v1`, apiKey })(model)

const google: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) =>
  createGoogleGenerativeAI({ baseURL: `${baseURL}/v1beta`, apiKey })(model)

/** AI SDK parses what a provider sends with a parser that throws for it. Anthropic streams it as text in JSON. */
const PROTOTYPES =
  'The AI SDK rejects a whole answer with a call whose arguments have a key such as `__proto__`: nothing runs, but the run fails, and the model is not told.'
const NULLS =
  "Gemini's protocol cannot express arguments that are null: such a call has no arguments, and runs with {}."

const NO_REASONING =
  "OpenAI's own chat completions show no reasoning: `@ai-sdk/openai` does not read `reasoning_content`, and sends none back. Use Responses, or `@ai-sdk/openai-compatible` for a server that sends it."

const OPENAI_CHAT = {
  'history-reasoning': NO_REASONING,
  'history-reasoning-answers': NO_REASONING,
  'forks-history/history': NO_REASONING,
  'window-reasoning': NO_REASONING,
}
const AGENT = {
  'cleanup-ended-fork': 'A store gives a session to one run at a time: the end of a task waits for its run.',
  'options-lease':
    '`skillsAgent` keeps its sessions in a store, without the options `checkpoint` and `until`: it aborts the run when the lease of a session is lost.',
}
const COUNTED = 'The signature of reasoning is counted with it, and takes more of the window than the words.'
const ANTHROPIC = { 'errors-odd-arguments': PROTOTYPES, 'window-reasoning': COUNTED }
const GEMINI_STREAM = {
  'errors-arguments': 'A text that is JSON is parsed as arguments, and the call is carried out with them.',
}
const GEMINI = { 'errors-odd-arguments': `${PROTOTYPES} ${NULLS}` }

const DENIED =
  'The SDK writes the result of a denied call, which is then not on record as denied. Its question and answer are.'

const BEFORE =
  'The SDK reads answers from the last message alone. A call that was approved before another message is not carried out, and the model is told so.'
const BESIDE = 'The SDK carries out the calls that ask nothing while another call of the message waits.'
const UNSAID = 'Nothing is said of an invocation that a person wrote on instead of answering.'

/** What differs in every variant. */
export const KNOWN: Readonly<Record<string, string>> = {
  'consent-suspends/auditEvents': DENIED,
  'options-asked/auditEvents': DENIED,
  'consent-instead/turnTexts': UNSAID,
  'consent-instead/history': UNSAID,
  'cleanup-left-waiting/toolRuns': BESIDE,
  'cleanup-left-waiting/auditEvents': BESIDE,
  'consent-instead-of-one/toolRuns': BEFORE,
  'consent-instead-of-one/results': BEFORE,
  'errors-odd-arguments/history': 'Arguments with a key such as `__proto__` are sent back empty.',
}

export const VARIANTS: readonly [AiSdkVariant, ...AiSdkVariant[]] = [
  { name: 'generateText', model: compatible, way: 'generate' },
  { name: 'streamText', model: compatible, way: 'stream' },
  { name: 'ToolLoopAgent.generate', model: compatible, way: 'agentGenerate' },
  { name: 'ToolLoopAgent.stream', model: compatible, way: 'agentStream' },
  { name: 'skillsAgent.stream', model: compatible, way: 'skillsAgent', known: AGENT },
  { name: 'generateText, OpenAI chat', model: openAIChat, way: 'generate', known: OPENAI_CHAT },
  { name: 'streamText, OpenAI chat', model: openAIChat, way: 'stream', known: OPENAI_CHAT },
  { name: 'generateText, OpenAI Responses', protocol: 'openai-responses', model: openAIResponses, way: 'generate' },
  { name: 'streamText, OpenAI Responses', protocol: 'openai-responses', model: openAIResponses, way: 'stream' },
  { name: 'generateText, Anthropic', protocol: 'anthropic', model: anthropic, way: 'generate', known: ANTHROPIC },
  {
    name: 'streamText, Anthropic',
    protocol: 'anthropic',
    model: anthropic,
    way: 'stream',
    known: { 'window-reasoning': COUNTED },
  },
  { name: 'generateText, Gemini', protocol: 'gemini', model: google, way: 'generate', known: GEMINI },
  {
    name: 'streamText, Gemini',
    protocol: 'gemini',
    model: google,
    way: 'stream',
    known: { ...GEMINI, ...GEMINI_STREAM },
  },
]

export function variantOf({ variant }: TaskSetup): AiSdkVariant {
  return VARIANTS.find(({ name }) => name === variant) ?? VARIANTS[0]
}

export function modelOf(task: TaskSetup, endpoint: TaskEndpoint): LanguageModel {
  return variantOf(task).model(endpoint)
}
