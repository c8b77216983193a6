import type { Repertoire, Session, SessionStore } from '@repertoire/core'
import {
  adapterSession,
  OWNER_OPTIONS,
  type OwnedSession,
  type OwnedSessionOptions,
  whenBegun,
  withOwnedSession,
} from '@repertoire/core/adapter'
import { anyText, checkOptions, foreign, type OptionKind, required } from '@repertoire/core/options'
import {
  type Agent,
  type AgentStreamParameters,
  type LanguageModel,
  type OutputInterface as Output,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
} from 'ai'
import { LIKE_THE_RUN } from './call-settings.ts'
import { join, SKILLS_OPTIONS, type SkillsOptions, type Version, VERSION_7 } from './with-skills.ts'

/** Settings of `ToolLoopAgent` that are passed on as they are, with its deprecated names. */
const PASSED = [
  'id',
  'allowSystemInMessages',
  'toolChoice',
  'stopWhen',
  'telemetry',
  'experimental_telemetry',
  'toolOrder',
  'toolCallConcurrency',
  'output',
  'runtimeContext',
  'toolsContext',
  'experimental_toolCallers',
  'experimental_toolApprovalSecret',
  'experimental_repairToolCall',
  'experimental_refineToolInput',
  'experimental_download',
  'providerOptions',
  'include',
  ...LIKE_THE_RUN,
  'maxRetries',
  'timeout',
  'headers',
  'onStart',
  'experimental_onStart',
  'onStepStart',
  'experimental_onStepStart',
  'onLanguageModelCallStart',
  'onLanguageModelCallEnd',
  'onToolExecutionStart',
  'onToolExecutionEnd',
  'onStepEnd',
  'onStepFinish',
  'onStepError',
  'onError',
  'onAbort',
  'onEnd',
  'onFinish',
  '_internal',
] as const

/** How the sessions of a `skillsAgent` are opened. The agent itself chooses their ids, and if they are kept. */
export type AgentSession = OwnedSessionOptions

/** The `options` of a call of an agent with `sessions`. */
export interface SkillsCall {
  /** The name of the task, such as the id of a chat. Absent: a session that ends with the call. */
  readonly session?: string | undefined
}

type Context = Record<string, unknown>

type Settings<TOOLS extends ToolSet, OUTPUT extends Output> = ToolLoopAgentSettings<never, TOOLS, Context, OUTPUT>

/** Options of `skillsAgent`: those here, those of `withSkills`, and the settings of a `ToolLoopAgent`. */
export type SkillsAgentOptions<TOOLS extends ToolSet = {}, OUTPUT extends Output = never> = Omit<
  SkillsOptions<TOOLS>,
  'abortSignal' | 'save'
> &
  Pick<Settings<TOOLS, OUTPUT>, (typeof PASSED)[number]> & {
    readonly model: LanguageModel
    readonly repertoire: Repertoire
    /** Keeps the sessions between calls. The same store on every machine: an approval may arrive at another one. */
    readonly sessions?: SessionStore | undefined
    /** How each session is opened, such as `{ agent: 'coder', consent }`. */
    readonly session?: AgentSession | undefined
  }

const { abortSignal: _abortSignal, save: _save, ...WITH_SKILLS } = SKILLS_OPTIONS

// AI SDK judges its own settings.
export const setting = foreign(
  'what a `ToolLoopAgent` takes there',
  (value) => value !== null && typeof value !== 'symbol' && !Number.isNaN(value),
)

export const AGENT_OPTIONS = {
  ...WITH_SKILLS,
  ...(Object.fromEntries(PASSED.map((name) => [name, setting])) as Record<(typeof PASSED)[number], OptionKind>),
  model: required(foreign('a model of the AI SDK')),
  ...OWNER_OPTIONS,
} satisfies Record<string, unknown>

/**
 * An agent of AI SDK whose calls use skills, for every function that takes one, such as `createAgentUIStreamResponse`.
 * It owns its sessions: each call opens one, and saves and closes it when the run has ended, also after an abort or an
 * error, or if nobody reads the stream.
 *
 * With `sessions`, `options: { session: id }` continues the session of that name. A call waits while another one works
 * on it. Without a `consent` handler the AI SDK's approvals ask, also about a `/name`; the next call with the same id
 * continues with the answers. Without an id, a call has a session to itself, which ends with it.
 * @throws {TypeError} an option has an unknown name or a wrong kind of value; a host tool has the name of a skill tool
 */
export function skillsAgent<TOOLS extends ToolSet = {}, OUTPUT extends Output = never>(
  options: SkillsAgentOptions<TOOLS, OUTPUT> & { readonly sessions: SessionStore },
): Agent<SkillsCall, TOOLS, Context, OUTPUT>
export function skillsAgent<TOOLS extends ToolSet = {}, OUTPUT extends Output = never>(
  options: SkillsAgentOptions<TOOLS, OUTPUT> & { readonly sessions?: undefined },
): Agent<never, TOOLS, Context, OUTPUT>
export function skillsAgent(given: AnyOptions): AnyAgent {
  checkOptions<object>('skillsAgent', AGENT_OPTIONS, given, 'skillsAgent({ model, tools, repertoire })')
  return owningAgent(given, VERSION_7)
}

/** An agent that owns its sessions. */
export function owningAgent(given: AnyOptions, version: Version): AnyAgent {
  const { repertoire, sessions, session: opening, ...settings } = given
  const owner = { name: 'skillsAgent', repertoire, sessions, session: opening }

  async function inSession<T>({ options, abortSignal }: Call, work: (opened: OwnedSession) => Promise<T>): Promise<T> {
    checkOptions<SkillsCall>('skillsAgent: `options`', { session: anyText }, options)
    return withOwnedSession(owner, { id: options?.session, signal: abortSignal }, work)
  }

  /**
   * Returns the agent for one call, and what it is called with.
   * @param ended awaited before the agent reports its end
   */
  function prepare(asked: Call, { session, signal, save }: OwnedSession, ended?: () => Promise<unknown>) {
    const { options: _, ...call } = asked
    const onEnd: OnEnd = async (event) => {
      await (settings.onEnd ?? settings.onFinish)?.(event)
      await ended?.()
    }
    const agent = loopAgent(settings, session, { save, abortSignal: signal, onEnd }, version)
    return { agent, call: { ...call, ...(signal && { abortSignal: signal }) } as Call }
  }

  return {
    version: 'agent-v1',
    id: settings.id,
    tools: settings.tools ?? {},
    generate: (asked) =>
      inSession(asked, async (opened) => {
        const { agent, call } = prepare(asked, opened)
        return agent.generate(call)
      }),
    stream: (asked) =>
      whenBegun<Awaited<ReturnType<AnyAgent['stream']>>>(owner, (begun) => {
        const ended: Promise<void> = inSession(asked, async (opened) => {
          const { agent, call } = prepare(asked, opened, () => Promise.allSettled([ended]))
          const result = await agent.stream(call)
          begun(result)
          // Asking for the steps also reads the stream to its end, if the host does not.
          await Promise.allSettled([result.steps])
        })
        return ended
      }),
  }
}

// The types of a host's tools and contexts are in the signature alone.
export type AnyOptions = SkillsAgentOptions<any, any>
export type AnyAgent = Agent<any, any, any, any>
type Call = AgentStreamParameters<any, any, any>
type OnEnd = NonNullable<ToolLoopAgentSettings<any, any, any, any>['onEnd']>

function loopAgent(
  options: Omit<AnyOptions, 'repertoire' | 'sessions' | 'session'>,
  session: Session,
  { onEnd, ...run }: Pick<SkillsOptions<ToolSet>, 'save' | 'abortSignal'> & { readonly onEnd: OnEnd },
  version: Version,
): ToolLoopAgent<any, any, any, any> {
  const { model, instructions, tools = {}, toolApproval, prepareStep, activeTools, onTurn, ...others } = options
  const { subagents, resolveModel, experimental_repairToolCall: repair, repairToolCall = repair, ...settings } = others
  const forks = { subagents, resolveModel }
  const own = { instructions, tools, toolApproval, prepareStep, activeTools, repairToolCall, onTurn, ...forks, ...run }
  const skills = version.formOf(join(adapterSession(session), own, { canApprove: true, model, ...version }))
  return new ToolLoopAgent<any, any, any, any>({ ...settings, model, instructions, ...skills, onEnd, onFinish: onEnd })
}
