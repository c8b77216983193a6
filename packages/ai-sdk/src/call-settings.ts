import type { generateText, LanguageModel, LanguageModelMiddleware } from 'ai'

/** What AI SDK gives a model for a call. */
export type CallOptions = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']

/** `generateText`'s own. */
type Settings = NonNullable<Parameters<typeof generateText<any, any, any>>[0]>

const LIKE_THE_RUN = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'seed',
  'reasoning',
] as const

/** What a run says to its model with every call, and what can be seen of it there. */
export type RunSettings = Pick<Settings, (typeof LIKE_THE_RUN)[number] | 'headers' | 'providerOptions'>

/** How `generateText` is called for a sub-agent, as it is told itself. */
export type SubAgentSettings = RunSettings &
  Pick<Settings, 'maxRetries' | 'timeout' | 'stopWhen' | 'telemetry' | 'toolCallConcurrency'>

/** A model call of a session, for the sub-agents that its answer asks for. */
export interface ModelCall {
  readonly model: LanguageModel
  readonly settings: RunSettings
}

/** The settings of a call as `generateText` takes them for a conversation of its own. */
export function settingsOf(call: CallOptions): RunSettings {
  const { headers, providerOptions } = call
  const said = LIKE_THE_RUN.flatMap((name) => (call[name] === undefined ? [] : [[name, call[name]] as const]))
  return {
    ...(Object.fromEntries(said) as RunSettings),
    ...(headers !== undefined && { headers: ownHeaders(headers) }),
    ...(providerOptions !== undefined && { providerOptions: apart(providerOptions) }),
  }
}

/** AI SDK adds what it calls itself at the end of the user agent, and would do so again. */
function ownHeaders(headers: NonNullable<CallOptions['headers']>): Record<string, string | undefined> {
  const { 'user-agent': agent = '', ...others } = headers
  const own = agent.replace(/(?:^|\s+)ai\/\S+$/, '')
  return own === '' ? others : { ...others, 'user-agent': own }
}

/** Names of a conversation that the provider keeps: that of the run above is not the sub-agent's. */
const CONVERSATION = ['previousResponseId', 'conversation']

function apart(options: NonNullable<CallOptions['providerOptions']>): NonNullable<CallOptions['providerOptions']> {
  return Object.fromEntries(
    Object.entries(options).map(([provider, given]) => [
      provider,
      Object.fromEntries(Object.entries(given).filter(([name]) => !CONVERSATION.includes(name))),
    ]),
  )
}
