import { generateText, type ModelMessage, streamText, ToolLoopAgent } from 'ai'
import type { WayName } from './variants.ts'

/** Runs the agent loop once, with one of AI SDK's functions. Resolves with the text of the last step. */
export type Run = (options: RunOptions) => Promise<string>

export interface RunOptions {
  readonly messages: ModelMessage[]
  readonly abortSignal: AbortSignal | undefined
  readonly onStepEnd: (step: { readonly response: { readonly messages: readonly ModelMessage[] } }) => void
}

// The settings are those of either version.
type Settings = any
type Way = (settings: Settings, messages: ModelMessage[], abortSignal: AbortSignal | undefined) => Promise<string>

/** Each of AI SDK's functions that run an agent loop. */
export const WAYS: Readonly<Record<WayName, Way>> = {
  generate: async (settings, messages) => answerOf(settings, await generateText({ ...settings, messages })),

  stream: (settings, messages, signal) =>
    textOf(settings, signal, (onError) => streamText({ ...settings, messages, onError })),

  async agentGenerate(settings, messages, abortSignal) {
    return answerOf(settings, await agentOf(settings).generate({ messages, abortSignal }))
  },

  agentStream: (settings, messages, abortSignal) =>
    textOf(settings, abortSignal, (onError) => agentOf({ ...settings, onError }).stream({ messages, abortSignal })),
}

/** Version 6 has the system prompt of an agent under another name than its functions. */
function agentOf(settings: Settings): ToolLoopAgent<never, any, any, any> {
  return new ToolLoopAgent({ instructions: settings.system, ...settings })
}

type OnError = (event: { readonly error: unknown }) => void

interface Streamed {
  readonly text: PromiseLike<string>
  readonly output: PromiseLike<unknown>
  consumeStream(): PromiseLike<void>
}

/** Reads a stream to its end. AI SDK reports its errors in parts of the stream, and returns what came before them. */
export async function textOf(
  settings: { readonly output?: unknown },
  signal: AbortSignal | undefined,
  begin: (onError: OnError) => Streamed | PromiseLike<Streamed>,
): Promise<string> {
  const errors: unknown[] = []
  const result = await begin(({ error }) => void errors.push(error))
  await result.consumeStream()
  if (errors.length > 0) throw errors[0]
  // An aborted stream ends in version 6 as if the model had said no more.
  signal?.throwIfAborted()
  return settings.output === undefined ? result.text : JSON.stringify(await result.output)
}

/** The text of an answer or, with a schema, its value. */
function answerOf(
  settings: { readonly output?: unknown },
  result: { readonly text: string; readonly output: unknown },
): string {
  return settings.output === undefined ? result.text : JSON.stringify(result.output)
}
