import { generateText, type isStepCount, type LanguageModel, type ModelMessage, streamText, ToolLoopAgent } from 'ai'
import type { withSkills } from '../with-skills.ts'

/** Runs the agent loop once, with one of AI SDK's functions. Resolves with the text of the last step. */
export type Run = (options: RunOptions) => Promise<string>

interface RunOptions {
  readonly messages: ModelMessage[]
  readonly abortSignal: AbortSignal | undefined
  onStepEnd(step: { readonly response: { readonly messages: readonly ModelMessage[] } }): void
}

/** The host's settings combined with the skills, for one run, whose signal also stops what a message starts. */
type Skills = (abortSignal: AbortSignal | undefined) => ReturnType<typeof withSkills>

/** One of AI SDK's functions that run an agent loop. */
export type Way = (settings: RunSettings, skills: Skills) => Run

interface RunSettings {
  readonly model: LanguageModel
  readonly maxRetries: number
  readonly maxOutputTokens: number
  readonly stopWhen: ReturnType<typeof isStepCount>
}

export function generate(settings: RunSettings, skills: Skills): Run {
  return async ({ abortSignal, ...options }) =>
    (await generateText({ ...settings, ...options, ...skills(abortSignal) })).text
}

export function stream(settings: RunSettings, skills: Skills): Run {
  return ({ abortSignal, ...options }) =>
    textOf((onError) => streamText({ ...settings, ...options, ...skills(abortSignal), onError }))
}

// An agent for each run, since `withSkills` takes the run's signal.
export function agentGenerate(settings: RunSettings, skills: Skills): Run {
  return async ({ abortSignal, ...options }) => {
    const agent = new ToolLoopAgent({ ...settings, ...skills(abortSignal) })
    return (await agent.generate({ ...options, ...(abortSignal && { abortSignal }) })).text
  }
}

export function agentStream(settings: RunSettings, skills: Skills): Run {
  return ({ abortSignal, ...options }) =>
    textOf((onError) => {
      const agent = new ToolLoopAgent({ ...settings, ...skills(abortSignal), onError })
      return agent.stream({ ...options, ...(abortSignal && { abortSignal }) })
    })
}

type OnError = (event: { readonly error: unknown }) => void

interface Streamed {
  readonly text: PromiseLike<string>
  consumeStream(): PromiseLike<void>
}

/** Reads a stream to its end. AI SDK reports its errors in parts of the stream, and returns what came before them. */
export async function textOf(begin: (onError: OnError) => Streamed | PromiseLike<Streamed>): Promise<string> {
  const errors: unknown[] = []
  const result = await begin(({ error }) => void errors.push(error))
  await result.consumeStream()
  if (errors.length > 0) throw errors[0]
  return result.text
}
