import type { generateText, LanguageModelMiddleware } from 'ai'

/** The options that AI SDK passes to a model. */
export type CallOptions = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']

/** The options of `generateText`. */
type Settings = Parameters<typeof generateText>[0]

/** Settings of a model call that both versions of AI SDK have. */
export const IN_BOTH_VERSIONS = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'seed',
] as const

/** Settings that a sub-agent takes over from the run. */
export const LIKE_THE_RUN = [...IN_BOTH_VERSIONS, 'reasoning'] as const

/** The settings of a run that reach its model with every call, and can be read there. */
export type RunSettings = Pick<Settings, (typeof LIKE_THE_RUN)[number] | 'headers' | 'providerOptions'>

/** The settings of `generateText` for a sub-agent. */
export type SubAgentSettings = RunSettings &
  Pick<Settings, 'maxRetries' | 'timeout' | 'stopWhen' | 'telemetry' | 'toolCallConcurrency'>

/** The settings of a call as options of `generateText` for another conversation. */
export function settingsOf(call: CallOptions): RunSettings {
  const { headers, providerOptions } = call
  const said = LIKE_THE_RUN.flatMap((name) => (call[name] === undefined ? [] : [[name, call[name]] as const]))
  return {
    ...(Object.fromEntries(said) as RunSettings),
    headers,
    ...(providerOptions !== undefined && { providerOptions: apart(providerOptions) }),
  }
}

/** Ids of a conversation that the provider stores: neither a sub-agent nor a summary may continue it. */
export const CONVERSATION = ['previousResponseId', 'conversation']

function apart(options: NonNullable<CallOptions['providerOptions']>): NonNullable<CallOptions['providerOptions']> {
  return Object.fromEntries(
    Object.entries(options).map(([provider, given]) => [
      provider,
      Object.fromEntries(Object.entries(given).filter(([name]) => !CONVERSATION.includes(name))),
    ]),
  )
}
