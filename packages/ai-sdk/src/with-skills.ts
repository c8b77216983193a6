import type { Session, Turn } from '@repertoire/core'
import { adapterSession, type AdapterSession } from '@repertoire/core/adapter'
import {
  anyText,
  callable,
  checkOptions,
  either,
  foreign,
  listOf,
  type OptionTable,
  recordOf,
  required,
  sessionKind,
  signal,
} from '@repertoire/core/options'
import type {
  ActiveTools,
  Instructions,
  LanguageModel,
  PrepareStepFunction,
  ToolApprovalConfiguration,
  ToolApprovalStatus,
  ToolCallRepairFunction,
  ToolSet,
} from 'ai'
import { approvalOf, type ApprovalQuestion, type HostApproval } from './approval.ts'
import { FORK_OPTIONS, type ParentStep, type ForkOptions, forkRunner } from './fork.ts'
import { repairOf } from './repair.ts'
import { createSaves } from './saves.ts'
import { stepOf, type StepOptions } from './step.ts'
import { createSteps } from './steps.ts'
import { createSkillTools, gated, type HostTool } from './tools.ts'
import { createTurns } from './turn.ts'

/** The host's own settings that interact with skills. All others are passed to AI SDK as usual. */
export interface SkillsOptions<TOOLS extends ToolSet> extends ForkOptions {
  /** The host's own system prompt. */
  readonly instructions?: Instructions | undefined
  /** The host's own tools. */
  readonly tools?: TOOLS | undefined
  // `any` in these two: the host's own settings alone decide the type of its `runtimeContext`.
  /** Whether calls of the host's own tools need approval. Not used for the skill tools. */
  readonly toolApproval?: ToolApprovalConfiguration<NoInfer<TOOLS>, any> | undefined
  /** Receives the host's own `instructions`; its `activeTools` are names of the host's own tools. */
  readonly prepareStep?: PrepareStepFunction<NoInfer<TOOLS>, any> | undefined
  /** Names of the host's own tools that are offered, if `prepareStep` does not say. The skill tools always are. */
  readonly activeTools?: ActiveTools<NoInfer<TOOLS>> | undefined
  /** Called for calls that core cannot match with a tool either. */
  readonly repairToolCall?: ToolCallRepairFunction<NoInfer<TOOLS>> | undefined
  /**
   * The run's signal. Passed here, so that it also stops what a person's message starts, such as the sub-agent of
   * `/name`: AI SDK does not pass it to `prepareStep`. For a `ToolLoopAgent`, pass it again with each call.
   */
  readonly abortSignal?: AbortSignal | undefined
  /**
   * Saves the session, for example `() => sessions.set(id, session.save())`. Called when the session has changed: at
   * the beginning of a step, after a call of a skill tool, and after a consent request. So nothing is lost when a run
   * fails, is aborted, or its stream is not read. Saves run one after the other. A save that fails is tried again at
   * the next step, which fails if that fails too.
   */
  readonly save?: (() => void | Promise<void>) | undefined
  /**
   * Called with what a person's message did before the model was called. `turn.invoked?.outcome` says whether the skill
   * of a `/name` was activated: show it, since AI SDK has no tool part for it.
   */
  readonly onTurn?: ((turn: Turn) => void | Promise<void>) | undefined
}

// A tool in the place of tools has a function or a text as one of its properties.
const toolKind = foreign(
  'a tool, as in { tools: { read: tool({ … }) } }',
  (value) => typeof value === 'object' && value !== null,
)

export const SKILLS_OPTIONS: OptionTable<SkillsOptions<ToolSet>> = {
  instructions: either(anyText, foreign('a system prompt')),
  tools: recordOf(toolKind, "an object with the host's tools by name, such as { read: tool({ … }) }"),
  toolApproval: foreign('a function, or an object with an approval for each tool'),
  prepareStep: callable,
  activeTools: listOf(anyText),
  repairToolCall: callable,
  abortSignal: signal,
  save: callable,
  onTurn: callable,
  ...FORK_OPTIONS,
}

/** Refuses names that `SkillsOptions` does not have, and one tool as `tools`: neither compiles. */
type OnlyOptions<OPTIONS> = { readonly [Name in Exclude<keyof OPTIONS, keyof SkillsOptions<{}>>]: never } & {
  readonly tools?: ToolSet | undefined
}

/** Settings for `generateText`, `streamText` and `ToolLoopAgent`, to be spread into the others. */
export interface SkillsSettings<TOOLS extends ToolSet> {
  readonly instructions?: Instructions
  readonly abortSignal?: AbortSignal
  /**
   * The host's tools behind the gate. The skill tools are among them as dynamic tools, which do not appear in the type;
   * a step may add more, so AI SDK must be given this object and not a copy.
   */
  readonly tools: TOOLS
  readonly toolApproval: (question: ApprovalQuestion) => Promise<ToolApprovalStatus>
  // Not AI SDK's type of a result, which would decide the type of the host's `runtimeContext`.
  readonly prepareStep: (options: StepOptions) => Promise<object>
  readonly repairToolCall: ToolCallRepairFunction<ToolSet>
}

/**
 * Combines a session's skills with a host's own settings: the model is shown the skills, and all its calls pass the
 * session. Spread the returned object last, and do not set any of these settings elsewhere.
 *
 * One session is one task; a task may take several calls of `generateText` or of an agent.
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind, such as tools in the place of
 * `{ tools }`; a host tool has the name of a skill tool
 */
export function withSkills<TOOLS extends ToolSet>(
  session: Session,
  options: SkillsOptions<TOOLS> & { readonly tools: TOOLS },
): SkillsSettings<TOOLS>
export function withSkills<OPTIONS extends object>(
  session: Session,
  options?: OPTIONS & Omit<SkillsOptions<{}>, 'activeTools'> & OnlyOptions<OPTIONS>,
): SkillsSettings<{}>
export function withSkills<TOOLS extends ToolSet>(
  session: Session,
  options: SkillsOptions<TOOLS> = {},
): SkillsSettings<TOOLS> {
  checkOptions('withSkills', { session: required(sessionKind) }, { session })
  checkOptions('withSkills', SKILLS_OPTIONS, options, 'withSkills(session, { tools })')
  return join(adapterSession(session), options, { canApprove: true, ...VERSION_7 })
}

/** What differs between the versions of AI SDK. */
export interface Version {
  /** Returns a tool as AI SDK takes it: version 6 has approvals in the tools. */
  readonly toolOf: (tool: HostTool, named: NamedTool) => HostTool
  /** Returns settings as AI SDK takes them: version 6 has other names. */
  readonly formOf: (settings: SkillsSettings<ToolSet>) => object
}

export const VERSION_7: Version = { toolOf: (tool) => tool, formOf: (settings) => settings }

/** How a session's skills are joined with a host's settings. */
interface Joining extends Version {
  /** Whether a person can approve calls of the host's own tools; false for a sub-agent. */
  readonly canApprove: boolean
  /** The model of sub-agents before the first step: a call that a person has approved runs before it. */
  readonly model?: LanguageModel
}

/** A tool of a session, for one that decides about its calls. */
export interface NamedTool {
  readonly name: string
  readonly session: AdapterSession
  /** Whether a call needs approval. */
  readonly decide: SkillsSettings<ToolSet>['toolApproval']
  /** All tools behind the gate. */
  readonly tools: () => ToolSet
}

/** Does what `withSkills` does, with options that were checked. */
export function join<TOOLS extends ToolSet>(
  session: AdapterSession,
  options: SkillsOptions<TOOLS>,
  { canApprove, model, toolOf, formOf }: Joining,
): SkillsSettings<TOOLS> {
  const { instructions, tools, repairToolCall, subagents, resolveModel, abortSignal, onTurn } = options
  const toolApproval = options.toolApproval as HostApproval | undefined
  const hostTools: ToolSet = { ...tools }
  const steps = createSteps(session, Object.keys(hostTools), resolveModel)
  const made = (name: string, tool: HostTool): HostTool =>
    toolOf(tool, { name, session, decide: (question) => decide(question), tools: () => skillTools.tools })
  const gatedTools: ToolSet = Object.fromEntries(
    Object.entries(hostTools).map(([name, tool]) => [name, made(name, gated(steps, name, tool))]),
  )
  const fork = forkRunner({
    subagents,
    resolveModel,
    tools: hostTools,
    toolApproval,
    parentStep: () => parentSteps.get(session),
    join(child, settings) {
      const own = adapterSession(child)
      return formOf(join(own, settings as SkillsOptions<ToolSet>, { canApprove: false, toolOf, formOf }))
    },
  })
  if (model !== undefined) parentSteps.set(session, { model, contexts: {} })
  const saves = createSaves(session, options.save)
  const turns = createTurns(session, { fork, signal: abortSignal, onTurn })
  const skillTools = createSkillTools(steps, gatedTools, { fork, turns, saves, made })
  // AI SDK takes the tools before anything can be awaited.
  skillTools.show(session.view({ tools: Object.keys(hostTools), resolveModel }))
  const parts = {
    ...options,
    toolApproval,
    session,
    steps,
    hostTools,
    gatedTools,
    skillTools,
    canApprove,
    turns: canApprove ? turns : undefined,
    saves,
    onStep: (step: ParentStep) => void parentSteps.set(session, { ...parentSteps.get(session), ...step }),
  }
  const decide = approvalOf(parts)
  return {
    ...(instructions !== undefined && { instructions }),
    ...(abortSignal !== undefined && { abortSignal }),
    tools: skillTools.tools as TOOLS,
    toolApproval: decide,
    prepareStep: stepOf(parts),
    repairToolCall: repairOf(steps, skillTools, repairToolCall as ToolCallRepairFunction<ToolSet> | undefined),
  }
}

/** The last step of a session: an answer to a consent request continues with its model before a step begins. */
const parentSteps = new WeakMap<AdapterSession, ParentStep>()
