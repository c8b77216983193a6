import type { Session } from '@repertoire/core'
import {
  generateText,
  type LanguageModel,
  type ModelMessage,
  type StopCondition,
  streamText,
  ToolLoopAgent,
  type ToolSet,
} from 'ai'
import { type SkillsOptions, withSkills } from '../with-skills.ts'
import type { WayName } from './variants.ts'

/** Runs the agent loop once, with one of AI SDK's functions. Resolves with the text of the last step. */
export type Run = (options: RunOptions) => Promise<string>

export interface RunOptions {
  readonly messages: ModelMessage[]
  readonly abortSignal: AbortSignal | undefined
  onStepEnd(step: { readonly response: { readonly messages: readonly ModelMessage[] } }): void
}

/** One of AI SDK's functions that run an agent loop, for a session with the host's settings for skills. */
export type Way = (settings: RunSettings, session: Session, skills: Skills) => Run

/** The host's settings for skills. */
type Skills = SkillsOptions<ToolSet> & { readonly tools: ToolSet }

interface RunSettings {
  readonly model: LanguageModel
  readonly maxRetries: number
  readonly maxOutputTokens: number
  readonly stopWhen: StopCondition<any, any>
  readonly output?: any
}

// Settings, and an agent, for each run: `withSkills` takes the run's signal, which also stops what a message starts.
export const WAYS: Readonly<Record<WayName, Way>> = {
  generate:
    (settings, session, skills) =>
    async ({ abortSignal, ...options }) =>
      answerOf(
        settings,
        await generateText({ ...settings, ...options, ...withSkills(session, { ...skills, abortSignal }) }),
      ),

  stream:
    (settings, session, skills) =>
    ({ abortSignal, ...options }) =>
      textOf(settings, (onError) =>
        streamText({ ...settings, ...options, ...withSkills(session, { ...skills, abortSignal }), onError }),
      ),

  agentGenerate:
    (settings, session, skills) =>
    async ({ abortSignal, ...options }) => {
      const agent = new ToolLoopAgent({ ...settings, ...withSkills(session, { ...skills, abortSignal }) })
      return answerOf(settings, await agent.generate({ ...options, ...(abortSignal && { abortSignal }) }))
    },

  agentStream:
    (settings, session, skills) =>
    ({ abortSignal, ...options }) =>
      textOf(settings, (onError) => {
        const agent = new ToolLoopAgent({ ...settings, ...withSkills(session, { ...skills, abortSignal }), onError })
        return agent.stream({ ...options, ...(abortSignal && { abortSignal }) })
      }),
}

type OnError = (event: { readonly error: unknown }) => void

interface Streamed {
  readonly text: PromiseLike<string>
  readonly output: PromiseLike<unknown>
  consumeStream(): PromiseLike<void>
}

/** Reads a stream to its end. AI SDK reports its errors in parts of the stream, and returns what came before them. */
export async function textOf(
  settings: Pick<RunSettings, 'output'>,
  begin: (onError: OnError) => Streamed | PromiseLike<Streamed>,
): Promise<string> {
  const errors: unknown[] = []
  const result = await begin(({ error }) => void errors.push(error))
  await result.consumeStream()
  if (errors.length > 0) throw errors[0]
  return settings.output === undefined ? result.text : JSON.stringify(await result.output)
}

/** The text of an answer or, with a schema, its value. */
export function answerOf(
  settings: Pick<RunSettings, 'output'>,
  result: { readonly text: string; readonly output: unknown },
): string {
  return settings.output === undefined ? result.text : JSON.stringify(result.output)
}
