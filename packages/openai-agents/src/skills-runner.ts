import type { ConsentAnswer, ConsentRequest, Repertoire, Session, SessionStore, Turn } from '@repertoire/core'
import { adapterSession, checkAnswers, invocationConsentRequest, OWNED_SESSION_OPTIONS, type OwnedSessionOptions, reportNotSaved, sessionStoreKind, withOwnedSession } from '@repertoire/core/adapter' // prettier-ignore
import { anyText, callable, checkOptions, foreign, type OptionTable, repertoireKind, required, sessionKind, tableOf } from '@repertoire/core/options' // prettier-ignore
import { type Agent, type AgentInputItem, type NonStreamRunOptions, type protocol, Runner, type RunResult, RunState, type RunToolApprovalItem, type StreamedRunResult, type StreamRunOptions } from '@openai/agents' // prettier-ignore
import { bindingOf, skilled } from './agents.ts'
import { type AnyAgent, bind, type Binding, FORK_OPTIONS, type ForkOptions } from './binding.ts'
import { forkRunner } from './fork.ts'
import { INVOCATION, itemsOf, ownMessage, personText } from './items.ts'
import { asked } from './tools.ts'

/** How skills are used in the runs of a `skillsRunner`. */
interface RunnerOptions extends ForkOptions {
  /** Runs the agents, with its settings and its model provider. Default: `new Runner()`. */
  readonly runner?: Runner | undefined
  /** Called with what a person's message did before the model was called. */
  readonly onTurn?: ((turn: Turn) => void | Promise<void>) | undefined
}

/** How the sessions of a `skillsRunner` are opened. The runner itself chooses their ids, and where they are kept. */
export type RunnerSession = OwnedSessionOptions

/** Options of a `skillsRunner` that owns its sessions. */
export interface SkillsRunnerOptions extends RunnerOptions {
  readonly repertoire: Repertoire
  /** Keeps the sessions between runs. The same store on every machine: an approval may arrive at another one. */
  readonly sessions?: SessionStore | undefined
  /** How each session is opened, such as `{ agent: 'coder', consent }`. */
  readonly session?: RunnerSession | undefined
}

/** Options of a `skillsRunner` that works in a session of the host's. */
export interface SessionRunnerOptions extends RunnerOptions {
  /** The task's session. The runner never saves or ends it. */
  readonly session: Session
}

/** Names the task of a run. */
export interface TaskOptions {
  /**
   * The name of the task, such as the id of a chat, for a runner with `sessions`. Default of a run: the id of the SDK's
   * `session`, if it has one; or else a session that ends with the run.
   */
  readonly task?: string | undefined
}

/** A run that waits, or its state. */
export type Waiting = RunState<any, any> | { readonly state: RunState<any, any> }

/** A consent request, with the interruption of the SDK that waits for its answer. */
export interface PendingConsent {
  readonly interruption: RunToolApprovalItem
  readonly request: ConsentRequest
}

type Input<TContext, TAgent extends AnyAgent> = string | AgentInputItem[] | RunState<TContext, TAgent>

/** Runs agents of the SDK that use skills. */
export interface SkillsRunner {
  /**
   * Runs an agent as `run` of the SDK does, with the same options and `task`. Its model is shown the skills, and all its
   * calls pass the session, also those of agents that it hands over to. A person's message at the end begins a turn.
   */
  run<TAgent extends Agent<any, any>, TContext = undefined>(agent: TAgent, input: Input<TContext, TAgent>, options: StreamRunOptions<TContext, TAgent> & TaskOptions): Promise<StreamedRunResult<TContext, TAgent>> // prettier-ignore
  run<TAgent extends Agent<any, any>, TContext = undefined>(agent: TAgent, input: Input<TContext, TAgent>, options?: NonStreamRunOptions<TContext, TAgent> & TaskOptions): Promise<RunResult<TContext, TAgent>> // prettier-ignore
  /** Returns the state of a run that waits, from its text: `RunState.fromString` for agents with skills. */
  restore<TAgent extends Agent<any, any>>(agent: TAgent, state: string, options?: TaskOptions): Promise<RunState<any, TAgent>> // prettier-ignore
  /** Returns the consent requests that a run waits for. Interruptions of the host's own tools alone are not among them. */
  requests(waiting: Waiting, options?: TaskOptions): Promise<PendingConsent[]>
  /**
   * Answers the consent requests that a run waits for; what has no answer is denied. `approve` and `reject` of the state
   * do so too, for the request that the session has opened last for the call.
   */
  answer(waiting: Waiting, answers: readonly ConsentAnswer[], options?: TaskOptions): Promise<void>
}

const COMMON: OptionTable<RunnerOptions> = {
  runner: foreign('a `Runner` of the SDK', (value) => value instanceof Runner),
  onTurn: callable,
  ...FORK_OPTIONS,
}

export const RUNNER_OPTIONS: OptionTable<SkillsRunnerOptions> = {
  ...COMMON,
  repertoire: required(repertoireKind),
  sessions: sessionStoreKind,
  session: tableOf(OWNED_SESSION_OPTIONS),
}

const SESSION_OPTIONS: OptionTable<SessionRunnerOptions> = { ...COMMON, session: required(sessionKind) }

type AnyOptions = (NonStreamRunOptions<any, any> | StreamRunOptions<any, any>) & TaskOptions

/**
 * Runs agents of the SDK that use skills. With `repertoire` it owns their sessions: each run opens one, and saves and
 * closes it when it has ended, also after an abort or an error, or if nobody reads the stream. With `sessions`, a run with
 * a `task` continues the session of that name, and waits while another run works on it.
 *
 * Without a `consent` handler, the SDK's interruptions ask, also about a `/name`; the next run with the same name and the
 * state continues with the answers.
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind
 */
export function skillsRunner(given: SkillsRunnerOptions | SessionRunnerOptions): SkillsRunner {
  if ('repertoire' in given || !('session' in given)) checkOptions('skillsRunner', RUNNER_OPTIONS, given)
  else checkOptions('skillsRunner', SESSION_OPTIONS, given)
  const {
    session: own,
    runner = new Runner(),
    onTurn,
    subagents,
    resolveModel,
    ...owning
  } = given as SkillsRunnerOptions
  const owner = { name: 'skillsRunner', ...owning, session: own }

  /** Opens the session of a task, and works in it. A run that waited goes on in it. */
  function within<T>(
    { task: id, signal }: TaskOptions & { readonly signal?: AbortSignal | undefined },
    state: RunState<any, any> | undefined,
    work: (binding: Binding, signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    const bound = (opened: Session, until: AbortSignal | undefined): Promise<T> => {
      const session = adapterSession(opened)
      const known = bindingOf(state?.currentAgent)
      if (known !== undefined) known.session = session
      return work(
        known ?? bind({ session, runner, unattended: false, fork: forkRunner, subagents, resolveModel }),
        until,
      )
    }
    if (!('repertoire' in given)) return bound(given.session, signal)
    return withOwnedSession(owner, { id, signal }, (opened) => bound(opened.session, opened.signal))
  }

  async function run(agent: AnyAgent, input: Input<any, any>, { task, ...options }: AnyOptions = {}): Promise<any> {
    checkOptions<TaskOptions>('skillsRunner: the options of a run', { task: anyText }, { task })
    const state = input instanceof RunState ? input : undefined
    if (state !== undefined && bindingOf(state.currentAgent) === undefined) {
      throw new TypeError('skillsRunner: this state is of a run without skills. Get it from `restore(agent, text)`.')
    }
    const named = owning.sessions === undefined ? task : (task ?? (await options.session?.getSessionId()))
    const start = async (binding: Binding, signal: AbortSignal | undefined): Promise<RunResult<any, any>> => {
      const settings = { ...options, ...(signal && { signal }) } as NonStreamRunOptions<any, any>
      const begun = await begin(binding, agent, input, settings)
      return runner.run(skilled(binding, agent), begun, settings)
    }
    if (options.stream !== true) return within({ task: named, signal: options.signal }, state, start)
    const begun = Promise.withResolvers<unknown>()
    let hasBegun = false
    within({ task: named, signal: options.signal }, state, async (...opened) => {
      const result = (await start(...opened)) as unknown as StreamedRunResult<any, any>
      hasBegun = true
      begun.resolve(result)
      await Promise.allSettled([result.completed])
    }).catch((cause: unknown) => {
      if (hasBegun) reportNotSaved(own ?? {}, cause)
      else begun.reject(cause)
    })
    return begun.promise
  }

  /** Begins the turn of a person's message, and returns the input with what the session adds to it. */
  async function begin(
    binding: Binding,
    agent: AnyAgent,
    input: Input<any, any>,
    { signal, context }: AnyOptions,
  ): Promise<Input<any, any>> {
    // prettier-ignore
    const { session } = binding
    const state = input instanceof RunState ? input : undefined
    if (state !== undefined) await recordAnswers(binding, state)
    const items = state === undefined ? itemsOf(input as AgentInputItem[]) : state.pendingInput
    const message = personText(items)
    binding.asking = undefined
    if (message === undefined) return input
    // Who writes on instead of answering has said no.
    for (const { id, approved } of session.state.open) {
      if (state === undefined && approved === undefined) session.answer({ requestId: id, approved: false })
    }
    const id = crypto.randomUUID()
    if (state === undefined && (await invocationConsentRequest(session, message, id, { signal })) !== undefined) {
      const { skill: name, args } = session.invocation(message, id) ?? {}
      binding.asking = { callId: INVOCATION + id, arguments: JSON.stringify({ name, arguments: args, message }) }
      return input
    }
    const turn = await session.beginTurn(message, { id, signal, fork: forkRunner(binding, agent, context) })
    await onTurn?.(turn)
    if (turn.text === undefined) return input
    if (state === undefined) return [...items, ownMessage(turn.text)]
    state.addInput([ownMessage(turn.text)])
    return state
  }

  return {
    run,
    restore: (agent, text, options = {}) =>
      within(options, undefined, (binding) => RunState.fromString(skilled(binding, agent) as typeof agent, text)),
    requests: (waiting, options = {}) =>
      within(options, stateOf(waiting), (each) => requestsOf(each, stateOf(waiting))),
    answer: (waiting, answers, options = {}) =>
      within(options, stateOf(waiting), async (binding) => {
        const pending = await requestsOf(binding, stateOf(waiting))
        checkAnswers('answer', pending, answers)
        for (const { interruption, request } of pending) {
          const { approved, reason } = answers.find(({ requestId }) => requestId === request.id) ?? {}
          const answer = { approved: approved === true, ...(typeof reason === 'string' && { reason }) }
          record(binding, stateOf(waiting), interruption, { requestId: request.id, ...answer })
        }
      }),
  }
}

function stateOf(waiting: Waiting): RunState<any, any> {
  return waiting instanceof RunState ? waiting : waiting.state
}

/** What an interruption waits for; undefined: for nothing of the session's. */
function askedBy(binding: Binding, { rawItem }: RunToolApprovalItem): ReturnType<typeof asked> {
  return rawItem.type === 'function_call' ? asked(binding, rawItem.callId, rawItem.name, rawItem.arguments) : undefined
}

async function requestsOf(binding: Binding, state: RunState<any, any>): Promise<PendingConsent[]> {
  const pending: PendingConsent[] = []
  for (const interruption of state.getInterruptions()) {
    const waits = askedBy(binding, interruption)
    const request = waits && (await binding.session.openConsent(waits))
    if (request !== undefined) pending.push({ interruption, request })
  }
  return pending
}

/** Records what was decided by `state.approve` and `state.reject` as answers to the requests that the calls wait for. */
async function recordAnswers(binding: Binding, state: RunState<any, any>): Promise<void> {
  const { session } = binding
  const { _context: context } = state
  for (const interruption of state.getInterruptions()) {
    const waits = askedBy(binding, interruption)
    const { callId, name: toolName } = interruption.rawItem as protocol.FunctionCallItem
    const approved = context.isToolApproved({ toolName, callId })
    const waiting = session.state.open.filter((each) => each.callId === waits?.id && each.approved === undefined)
    if (waits === undefined || approved === undefined || waiting.length === 0) continue
    const reason = approved ? undefined : context.getRejectionMessage(toolName, callId)
    // If the folder has changed since, the session opens another request, and the answer was not to that.
    const now = await session.openConsent(waits)
    const requestId = now?.id ?? waiting.at(-1)!.id
    const isThis = waiting.some(({ id }) => id === requestId)
    record(binding, state, interruption, { requestId, approved: approved && isThis, ...(reason !== undefined && { reason }) }) // prettier-ignore
  }
}

function record(
  binding: Binding,
  state: RunState<any, any>,
  interruption: RunToolApprovalItem,
  answer: ConsentAnswer,
): void {
  // prettier-ignore
  const waits = askedBy(binding, interruption)
  binding.session.answer(answer)
  // The call that stands for a person's `/name` is carried out in any case: its turn begins.
  if (answer.approved || waits === undefined || !('tool' in waits)) return state.approve(interruption)
  const message = binding.session.deniedText(waits, answer.reason) ?? answer.reason
  state.reject(interruption, message === undefined ? {} : { message })
}
