import type { FunctionTool, Repertoire, SessionOptions, TokenUsage } from '@repertoire/core'
import type { ScriptStep } from '../endpoint/script.ts'
import type { Workshop } from './workshop.ts'

/** A small task with skills, in a separate folder, judged by the files at its end. Plain data. */
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
  /** Other names for `Bash`, `Read` and `Write`, which the host says in its table of tools. Default: these. */
  readonly names?: Readonly<Partial<Record<'Bash' | 'Read' | 'Write', string>>>
  /** Tools in addition to `Bash`, `Read` and `Write`. */
  tools?(workshop: Workshop): readonly FunctionTool[]
  /** Returns why the task is not done; undefined if it is done. */
  judge(state: FinalState): Promise<string | undefined> | string | undefined
  /**
   * The script of a model that makes the mistake first, and continues only with what it was shown: each step reads the
   * last result,
   * and fails if that does not say how to continue.
   */
  readonly weak: readonly ScriptStep[]
  /**
   * The paths that lead nowhere and that `weak` asks for on purpose, as it writes them, each once. They are counted apart
   * from those that go wrong. Default: none.
   */
  readonly wrongPaths?: readonly string[]
}

/** The state after the model has finished. */
export interface FinalState {
  /** A file of the working folder, without white space at its ends; undefined if the file is missing. */
  readonly read: (path: string) => Promise<string | undefined>
  /** The names of the active skills, as the agent had them at its end. */
  readonly active: readonly string[]
  /** The mark that was passed to `skills`. */
  readonly mark: string
}

/** The limits of one run of a scenario. */
export interface ScenarioLimits {
  /** Calls of the model. */
  readonly steps: number
  /** Input and output of all calls together. Checked between calls: the last one may exceed it. */
  readonly tokens: number
  /** How long a run may take, in milliseconds. */
  readonly time: number
}

/** The task of an agent, and the callbacks that report its model calls. */
export interface ScenarioTask {
  readonly scenario: Scenario
  readonly prompt: string
  /** The host's own system prompt. */
  readonly instructions: string
  readonly repertoire: Repertoire
  /** Options to pass unchanged to `openSession`, or to the function that opens sessions. */
  readonly session: SessionOptions
  /** The host's own tools. They work only in the scenario's folder. */
  readonly tools: readonly FunctionTool[]
  readonly maxSteps: number
  readonly signal: AbortSignal
  /**
   * Counts a model call; to be called before each.
   * @param shown every text that the model is about to be shown
   * @throws {Error} if a limit is reached: the model must not be called again
   */
  beforeCall(shown: readonly string[]): void
  /** Counts the tokens of a model call; to be called after each. */
  afterCall(usage: TokenUsage): void
}

/** The result of an agent. */
export interface ScenarioEnd {
  /** The names of the active skills, before the session was ended. */
  readonly active: readonly string[]
  /** The scenario's `wrongPaths`, if the model was its script. Default: none, every path that leads nowhere is an error. */
  readonly intendedPaths?: readonly string[]
}

/**
 * Lets a model work on a task until it has answered: any adapter, any model. Rejects if the run fails, and soon after
 * the signal aborts.
 */
export type ScenarioAgent = (task: ScenarioTask) => Promise<ScenarioEnd>
