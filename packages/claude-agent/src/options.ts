import type { FunctionTool, Turn } from '@repertoire/core'
import { type ForkOptions as CoreForkOptions, forkOptions } from '@repertoire/core/adapter'
import {
  anyText,
  callable,
  foreign,
  listOf,
  type OptionKind,
  type OptionTable,
  recordOf,
  tableOf,
  withMethods,
} from '@repertoire/core/options'
import type { Options } from '@anthropic-ai/claude-agent-sdk'

/** A model that a skill names: a name of Claude Code's, or a model with the environment in which its process runs. */
export type SkillModel = string | Pick<Options, 'model' | 'env'>

/** An agent that runs skills with `context: fork`, in its own query. What is missing is as in the calling query. */
export interface SubAgent {
  /** The sub-agent's system prompt. Default: a short text of core's that explains what a sub-agent is. */
  readonly instructions?: string
  /** The host's own functions that it has. Default: those of the calling query. */
  readonly functions?: readonly FunctionTool[]
  /** A model that a skill names, and that is found, takes precedence. */
  readonly model?: SkillModel
  /** Its other options for `query`, such as `tools` and `maxTurns`. `maxTurns` is 20 by default. */
  readonly options?: Options
}

/** How skills with `context: fork` run. */
export type ForkOptions = CoreForkOptions<SubAgent, SkillModel>

/** What skills need beside the options of `query`. */
export interface SkillsOptions extends ForkOptions {
  /** The host's own options for `query`. */
  readonly options?: Options | undefined
  /**
   * The host's own functions, as tools of the MCP server `skills`. A skill's `allowed-tools` names them as they are
   * here; the model calls them `mcp__skills__NAME`. Claude Code runs calls of those with `risk: 'safe'` side by side.
   */
  readonly functions?: readonly FunctionTool[] | undefined
  /** Called with what a person's message did before the model was called, such as what became of a `/name`. */
  readonly onTurn?: ((turn: Turn) => void | Promise<void>) | undefined
}

const FUNCTIONS: OptionKind = listOf(
  withMethods('a function { name, description, inputSchema, execute }', 'execute'),
  'a list of functions',
)

const QUERY_OPTIONS: OptionKind = recordOf(
  foreign('an option of `query`', () => true),
  'options for `query`',
)

const MODEL = foreign('the name of a model, or { model, env }')

export const SKILLS_OPTIONS: OptionTable<SkillsOptions> = {
  options: QUERY_OPTIONS,
  functions: FUNCTIONS,
  onTurn: callable,
  ...(forkOptions(
    tableOf<SubAgent>({ instructions: anyText, functions: FUNCTIONS, model: MODEL, options: QUERY_OPTIONS }),
  ) as OptionTable<ForkOptions>),
}

/** Returns a model as options for `query`. */
export function modelOptions(model: SkillModel | undefined): Pick<Options, 'model' | 'env'> {
  return typeof model === 'string' ? { model } : (model ?? {})
}
