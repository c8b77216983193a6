import type { FunctionTool, Repertoire, SessionOptions, TokenUsage } from '@repertoire/core'
import type { ScriptStep } from '../endpoint/script.ts'
import type { Workshop } from './workshop.ts'

/** A small task with skills, in a separate folder, judged by the files at its end. Data. */
export interface Scenario {
  /** Stable, kebab-case. */
  readonly id: string
  /** Its subject, for a table. */
  readonly title: string
  /** The person's request. It does not mention how skills are used. */
  readonly prompt: string
  /**
   * The skills' files: `<skill>/<path>` → content.
   * @param mark a random text in scripts: a model that was shown it was shown a script
   */
  skills(mark: string): Readonly<Record<string, string>>
  /** Files of the working folder. Default: none. */
  readonly files?: Readonly<Record<string, string>>
  /** Tools in addition to `Bash`, `Read` and `Write`. */
  tools?(workshop: Workshop): readonly FunctionTool[]
  /** Why the task is not done; undefined if it is. */
  judge(state: FinalState): Promise<string | undefined> | string | undefined
  /**
   * A model that makes the mistake first, and continues only with what it was shown: each step reads the last result,
   * and fails if that does not say how to continue.
   */
  readonly weak: readonly ScriptStep[]
}

/** The state after the model has finished. */
export interface FinalState {
  /** A file of the working folder, without white space at its ends; undefined if there is none. */
  readonly read: (path: string) => Promise<string | undefined>
  /** The names of the active skills, as the agent had them at its end. */
  readonly active: readonly string[]
  /** The one that `skills` was given. */
  readonly mark: string
}

/** The limits of one run of a scenario. */
export interface ScenarioLimits {
  /** Calls of the model. */
  readonly steps: number
  /** Input and output of all calls together. Looked at between calls: the last one may go beyond it. */
  readonly tokens: number
  /** In milliseconds. */
  readonly time: number
}

/** What a model gets, and what must be reported of its calls. */
export interface ScenarioTask {
  readonly scenario: Scenario
  readonly prompt: string
  /** The host's own system prompt. */
  readonly instructions: string
  readonly repertoire: Repertoire
  /** To be handed to `openSession`, or to whatever opens sessions, as it is. */
  readonly session: SessionOptions
  /** The host's own tools. They work only in the scenario's folder. */
  readonly tools: readonly FunctionTool[]
  readonly maxSteps: number
  readonly signal: AbortSignal
  /**
   * To be called before each call of the model.
   * @param shown every text that the model is about to be shown
   * @throws {Error} a limit is met: the model is not to be called again
   */
  beforeCall(shown: readonly string[]): void
  /** Must be called after each model call. */
  afterCall(usage: TokenUsage): void
}

/** The result of an agent. */
export interface ScenarioEnd {
  /** The names of the active skills, before the session was ended. */
  readonly active: readonly string[]
}

/**
 * Lets a model work on a task until it has answered: any adapter, any model. It rejects where the run fails, and soon
 * after the signal aborts.
 */
export type ScenarioAgent = (task: ScenarioTask) => Promise<ScenarioEnd>
