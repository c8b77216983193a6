import type { generateText, LanguageModelMiddleware } from 'ai'

/** The options that AI SDK passes to a model. */
export type CallOptions = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']

/** Settings of a model call that a sub-agent takes over from the run. */
export const LIKE_THE_RUN = [
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

/** The settings of `generateText` for a sub-agent. */
export type SubAgentSettings = Pick<
  Parameters<typeof generateText>[0],
  | (typeof LIKE_THE_RUN)[number]
  | 'headers'
  | 'providerOptions'
  | 'maxRetries'
  | 'timeout'
  | 'stopWhen'
  | 'telemetry'
  | 'toolCallConcurrency'
>

/** Ids of a conversation that the provider stores: neither a sub-agent nor a summary may continue it. */
export const CONVERSATION = ['previousResponseId', 'conversation']

/** The settings of a call as options of `generateText` for another conversation. */
export function settingsOf(call: CallOptions): SubAgentSettings {
  const { headers, providerOptions = {} } = call
  const apart = Object.entries(providerOptions).map(([provider, given]) => [
    provider,
    Object.fromEntries(Object.entries(given).filter(([name]) => !CONVERSATION.includes(name))),
  ])
  const said = LIKE_THE_RUN.map((name) => [name, call[name]])
  return { ...Object.fromEntries(said), headers, providerOptions: Object.fromEntries(apart) }
}
