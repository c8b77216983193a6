import type { FunctionTool, Repertoire, SessionOptions, TokenUsage } from '@repertoire/core'
import type { ScriptStep } from '../endpoint/script.ts'
import type { Workshop } from './workshop.ts'

/** A small task that is done with skills, in a folder of its own, and judged by what is there at its end. Data. */
export interface Scenario {
  /** Stable, kebab-case. */
  readonly id: string
  /** What it is about, for a table. */
  readonly title: string
  /** What the person asks for. It says nothing of how skills are used. */
  readonly prompt: string
  /**
   * The skills' files: `<skill>/<path>` → content.
   * @param mark a text that nobody can guess, for scripts: where a model was shown it, it was shown a script
   */
  skills(mark: string): Readonly<Record<string, string>>
  /** Files of the working folder. Default: none. */
  readonly files?: Readonly<Record<string, string>>
  /** Tools beside `Bash`, `Read` and `Write`. */
  tools?(workshop: Workshop): readonly FunctionTool[]
  /** Why the task is not done; undefined where it is. */
  judge(state: FinalState): Promise<string | undefined> | string | undefined
  /**
   * A model that makes the mistake first, and goes on by nothing but what it was told: each step looks at the answer,
   * and fails where that does not lead on.
   */
  readonly weak: readonly ScriptStep[]
}

/** What there is when the model has ended. */
export interface FinalState {
  /** A file of the working folder, without white space at its ends; undefined where there is none. */
  readonly read: (path: string) => Promise<string | undefined>
  /** The names of the active skills, as the agent had them at its end. */
  readonly active: readonly string[]
  /** The one that `skills` was given. */
  readonly mark: string
}

/** What one run of a scenario may cost. */
export interface ScenarioLimits {
  /** Calls of the model. */
  readonly steps: number
  /** Input and output of all calls together. Looked at between calls: the last one may go beyond it. */
  readonly tokens: number
  /** In milliseconds. */
  readonly time: number
}

/** What a model is given, and what must be told of its calls. */
export interface ScenarioTask {
  readonly scenario: Scenario
  readonly prompt: string
  /** The host's own system prompt. */
  readonly instructions: string
  readonly repertoire: Repertoire
  /** To be handed to `openSession`, or to whatever opens sessions, as it is. */
  readonly session: SessionOptions
  /** The host's own tools. They work in the scenario's folder and nowhere else. */
  readonly tools: readonly FunctionTool[]
  readonly maxSteps: number
  readonly signal: AbortSignal
  /**
   * To be called before each call of the model.
   * @param shown every text that the model is about to be shown
   * @throws {Error} a limit is met: the model is not to be called again
   */
  beforeCall(shown: readonly string[]): void
  /** To be called behind each call of the model. */
  afterCall(usage: TokenUsage): void
}

/** What an agent had at its end. */
export interface ScenarioEnd {
  /** The names of the active skills, before the session was ended. */
  readonly active: readonly string[]
}

/**
 * Lets a model work on a task until it has answered: any adapter, any model. It rejects where the run fails, and soon
 * after the signal aborts.
 */
export type ScenarioAgent = (task: ScenarioTask) => Promise<ScenarioEnd>
