import type { ConsentHandler, ConsentAnswer, FunctionTool, RepertoireOptions, SkillSource } from '@repertoire/core'
import type { AdapterSessionOptions } from '@repertoire/core/adapter'
import type { Capabilities, HandoffAgent, TaskAgent, TaskApproval, Turn } from './driver.ts'
import type { EncodedMessage } from './endpoint/dialect.ts'
import type { ScriptStep } from './endpoint/script.ts'
import type { WireRequest } from './endpoint/wire.ts'

/** The areas of behaviour that checks cover. */
export type CheckArea =
  | 'listing'
  | 'activation'
  | 'resources'
  | 'scripts'
  | 'execution'
  | 'gate'
  | 'consent'
  | 'stack'
  | 'isolation'
  | 'errors'
  | 'cleanup'
  | 'turns'
  | 'history'
  | 'forks'
  | 'handoffs'
  | 'audit'
  | 'navigation'
  | 'window'

/** One requirement on an adapter. A check is data, so that reports, test runners and people can read it. */
export interface Check {
  /** Stable, kebab-case, `<area>-<what>`. */
  readonly id: string
  readonly area: CheckArea
  readonly level: 'MUST' | 'SHOULD'
  /** A sentence of the contract, requirement id first: `[GATE-1] refuses a tool that was hidden from the model`. */
  readonly title: string
  /** The capabilities without which the check is not applicable. */
  readonly needs?: readonly (keyof Capabilities)[]
  /** Resolves if the adapter behaves; rejects with what was seen and what was expected. */
  run(bench: Bench): Promise<void>
}

/** What a check uses: it opens trials, each a conversation of the adapter with a scripted model. */
export interface Bench {
  /** The name of the variant, for example streamed or not streamed. Checks are the same in all variants. */
  readonly variant: string
  /** Whether a session goes on after a run: the capability `continuation`. */
  readonly continues: boolean
  /** Returns the tool that hands over to another agent, as the driver names it. Only for checks that need `handoff`. */
  handoffTool(agent: string): string
  open(options: TrialOptions): Promise<Trial>
}

/** How a trial is set up. */
export interface TrialOptions {
  /** What the model does, one step for each model call. A request after the last step fails the check. */
  readonly script: readonly ScriptStep[]
  /** Where skills come from; default: the fixture skills. */
  readonly sources?: readonly SkillSource[] | undefined
  /** A trial whose repertoire this one shares, as conversations on a server do. Default: a repertoire for this trial. */
  readonly beside?: Trial | undefined
  /** Further options of the repertoire. Not with `beside`. */
  readonly repertoire?: Omit<RepertoireOptions, 'sources'> | undefined
  /**
   * Answers consent requests. `'suspend'`: no handler, so that the framework's own approval is used. Default: a handler
   * that approves.
   */
  readonly consent?: ConsentHandler | 'suspend' | undefined
  /** Further session options. */
  readonly session?: Omit<AdapterSessionOptions, 'consent'> | undefined
  /**
   * The host's tools. Default: the bench's `Bash`, `Read`, `Write` and `WebFetch`, which record their runs and answer in a
   * fixed way.
   */
  readonly tools?: readonly FunctionTool[] | undefined
  readonly instructions?: string | undefined
  readonly maxSteps?: number | undefined
  /** Further models by their name in a skill's `model`, with the script of each. Default: none. */
  readonly models?: Readonly<Record<string, readonly ScriptStep[]>> | undefined
  /** The host's sub-agents for skills with `context: fork`, by their kind, or `default`. Default: none. */
  readonly subagents?: Readonly<Record<string, TaskAgent>> | undefined
  /** Agents that can take the conversation over, by name. Default: none. Only with `handoff`. */
  readonly handoffs?: Readonly<Record<string, HandoffAgent>> | undefined
  /**
   * The host's tools that need a person's approval, and the person who answers. Default: none. Only with `approval`.
   */
  readonly approval?: TaskApproval | undefined
  /** Continues from the result of another trial's `save`, with everything else created as in a fresh process. */
  readonly saved?: unknown
}

/** A host tool that really ran. */
export interface ToolRun {
  readonly tool: string
  readonly input: unknown
  readonly callId: string
}

/** One conversation with the adapter under test. */
export interface Trial {
  send(text: string, options?: { readonly signal?: AbortSignal }): Promise<Turn>
  answer(answers: readonly ConsentAnswer[], options?: { readonly signal?: AbortSignal }): Promise<Turn>
  save(): Promise<unknown>
  /** Removes every message from the conversation. Only for checks that need `compaction`. */
  forget(): Promise<void>
  /**
   * Returns the names of the active skills, the top of the stack last. For an adapter without `continuation`, the
   * skills that the end of the last run deactivated.
   */
  active(): Promise<readonly string[]>
  end(): Promise<void>
  /**
   * Makes the repertoire scan its sources again, as a host does after its skills have changed. The agent is not
   * notified.
   */
  reload(): Promise<void>
  /** The model's name, as it was passed to the adapter. */
  readonly model: string
  /** The requests to the model endpoint so far, oldest first. */
  readonly requests: readonly WireRequest[]
  /** What the model sent so far, oldest first, as the variant's protocol carries it. */
  readonly answers: readonly EncodedMessage[]
  /** The requests to one of the further models so far, oldest first. */
  requestsTo(model: string): readonly WireRequest[]
  /** The host tools that ran so far, in starting order. */
  readonly runs: readonly ToolRun[]
  /**
   * Returns the text that the model was shown as the result of a call. Throws if no request contained a result, or one
   * contained several.
   */
  resultOf(callId: string): string
}
