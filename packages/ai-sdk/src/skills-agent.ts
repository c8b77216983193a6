import type { Outcome, Repertoire, Session, SessionStore, Turn } from '@repertoire/core'
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
  type ModelMessage,
  type OutputInterface as Output,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
} from 'ai'
import { LIKE_THE_RUN } from './call-settings.ts'
import { type ConsentParts, createConsentParts } from './consent-parts.ts'
import { askingAgent, invocationEnds, withoutInvocations } from './invocation-approval.ts'
import { invocationRequest } from './turn.ts'
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

/** How the sessions of a `skillsAgent` are opened. The agent itself chooses their ids, and where they are kept. */
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
 * With `sessions`, `options: { session: id }` continues the session of that name. A call waits while another one works on
 * it. Without a `consent` handler the AI SDK's approvals ask, also about a `/name`; the next call with the same id
 * continues with the answers. Without an id, a call has a session to itself, which ends with it.
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind; a host tool has the name of a skill tool
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
  async function prepare(call: Call, { session, signal, save }: OwnedSession, ended?: () => Promise<unknown>) {
    const { prompt, messages: listed, options: _, ...rest } = call
    const whole = listed ?? (typeof prompt === 'string' ? [{ role: 'user' as const, content: prompt }] : prompt)
    const { messages, answered } = withoutInvocations(whole ?? [])
    for (const { answer } of answered) session.answer(answer)
    const request = save && (await invocationRequest(session, messages))
    const consent = createConsentParts()
    let invoked: Outcome | undefined
    const onTurn = async (turn: Turn): Promise<void> => {
      invoked = turn.invoked?.outcome
      await settings.onTurn?.(turn)
    }
    const onEnd: OnEnd = async (event) => {
      await (settings.onEnd ?? settings.onFinish)?.(event)
      await ended?.()
    }
    const agent =
      request?.skill === undefined || answered.some(({ answer }) => answer.requestId === request.id)
        ? loopAgent({ ...settings, onTurn }, session, { messages, save, abortSignal: signal, onEnd, consent, version })
        : askingAgent(settings.model, request, onEnd)
    const transforms = [consent.transform, invocationEnds(answered, () => invoked)]
    return { agent, call: { ...rest, messages, ...(signal && { abortSignal: signal }) } as Call, transforms }
  }

  return {
    version: 'agent-v1',
    id: settings.id,
    tools: settings.tools ?? {},
    generate: (call: Call) =>
      inSession(call, async (opened) => {
        const run = await prepare(call, opened)
        return run.agent.generate(run.call)
      }),
    stream: (call: Call) =>
      whenBegun<Awaited<ReturnType<AnyAgent['stream']>>>(owner, (begun) => {
        const ended: Promise<void> = inSession(call, async (opened) => {
          const run = await prepare(call, opened, () => Promise.allSettled([ended]))
          const experimental_transform = [...run.transforms, ...[call.experimental_transform ?? []].flat()]
          const result = await run.agent.stream({ ...run.call, experimental_transform })
          begun(result)
          // Asking for the steps also reads the stream to its end, if nobody else does.
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
  {
    messages,
    onEnd,
    consent,
    version,
    ...run
  }: Pick<SkillsOptions<ToolSet>, 'save' | 'abortSignal'> & {
    readonly messages: readonly ModelMessage[]
    readonly onEnd: OnEnd
    readonly consent: ConsentParts
    readonly version: Version
  },
): ToolLoopAgent<any, any, any, any> {
  const { model, instructions, tools = {}, toolApproval, prepareStep, activeTools, onTurn, ...others } = options
  const { subagents, resolveModel, experimental_repairToolCall: repair, repairToolCall = repair, ...settings } = others
  // A call that a person has approved runs before this process has called a model, and a sub-agent needs one.
  const agents = Object.entries({ default: {}, ...subagents }).map(([kind, agent]) => [kind, { model, ...agent }])
  const forks = { subagents: messages.at(-1)?.role === 'tool' ? Object.fromEntries(agents) : subagents, resolveModel }
  const own = { instructions, tools, toolApproval, prepareStep, activeTools, repairToolCall, onTurn, ...forks, ...run }
  const joining = { ...version, canApprove: true, onDecided: consent.decided }
  const skills = version.formOf(join(adapterSession(session), own, joining))
  return new ToolLoopAgent<any, any, any, any>({ ...settings, model, instructions, ...skills, onEnd, onFinish: onEnd })
}
