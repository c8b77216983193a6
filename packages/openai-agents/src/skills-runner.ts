import type { ConsentAnswer, ConsentRequest, Turn } from '@repertoire/core'
import {
  adapterSession,
  beginTurnOrAsk,
  checkAnswers,
  OWNER_OPTIONS,
  type OwnerOptions,
  recordDecision,
  standsFor,
  whenBegun,
  withOwnedSession,
} from '@repertoire/core/adapter'
import { callable, checkOptions, foreign, type OptionTable } from '@repertoire/core/options'
import {
  type Agent,
  type AgentInputItem,
  type IndividualRunOptions,
  type NonStreamRunOptions,
  type RunContext,
  Runner,
  RunState,
  type RunToolApprovalItem,
  type StreamedRunResult,
} from '@openai/agents'
import { bindingOf, skilled, stepOf, withHostsAgent } from './agents.ts'
import { type AnyAgent, bind, type Binding, FORK_OPTIONS, type ForkOptions } from './binding.ts'
import { forkRunner } from './fork.ts'
import { frameworkCall, itemsOf, ownMessage, personText } from './items.ts'

/** Options of a `skillsRunner`. */
export interface SkillsRunnerOptions extends ForkOptions, OwnerOptions {
  /** Runs the agents, with its settings and its model provider. Default: `new Runner()`. */
  readonly runner?: Runner | undefined
  /** Called with what a person's message did before the model was called. */
  readonly onTurn?: ((turn: Turn) => void | Promise<void>) | undefined
}

/** A consent request, with the interruption of the SDK that waits for its answer. */
export interface PendingConsent {
  readonly interruption: RunToolApprovalItem
  readonly request: ConsentRequest
}

type Input = string | AgentInputItem[] | RunState<any, any>

/** Runs agents of the SDK that use the skills of one task. */
export interface TaskRunner {
  /**
   * Runs an agent as `run` of the SDK does. Its model is shown the skills, and all its calls pass the session, also
   * those of agents that it hands over to. A person's message at the end begins a turn.
   */
  readonly run: Runner['run']
  /**
   * Returns the state of a run that waits, from its text: `RunState.fromString` for agents with skills, and with a
   * context `RunState.fromStringWithContext`.
   */
  restore<TAgent extends Agent<any, any>>(
    agent: TAgent,
    state: string,
    context?: RunContext<any>,
    options?: Parameters<typeof RunState.fromStringWithContext>[3],
  ): Promise<RunState<any, TAgent>>
  /** Returns the consent requests that a state's run waits for, without interruptions of the host's own tools. */
  requests(state: RunState<any, any>): Promise<PendingConsent[]>
  /**
   * Approves or rejects what waits for consent by the answers; what has no answer is rejected. `approve` and `reject`
   * of the state do the same, without a look at the requests. The next run with the state records it.
   */
  answer(state: RunState<any, any>, answers: readonly ConsentAnswer[]): Promise<void>
}

/** Runs agents of the SDK that use skills. */
export interface SkillsRunner extends TaskRunner {
  /**
   * Returns the runner of one task, such as a chat with this id, whose session is kept in `sessions`. Without it, a run
   * belongs to the task that has the id of the SDK's `session`, if it has one; or else its session ends with it.
   */
  task(id: string): TaskRunner
}

const RUNNER_OPTIONS: OptionTable<SkillsRunnerOptions> = {
  runner: foreign('a `Runner` of the SDK', (value) => value instanceof Runner),
  onTurn: callable,
  ...FORK_OPTIONS,
  ...OWNER_OPTIONS,
}

/**
 * Runs agents of the SDK that use skills. It owns their sessions: each run opens one, and saves and closes it when it
 * has ended, also after an abort or an error, or if the stream is not read. With `sessions`, the runs of a task
 * continue its session, and wait while another one works on it.
 *
 * Without a `consent` handler, the SDK's interruptions ask, also about a `/name`; the next run of the task
 * continues with the state.
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind
 */
export function skillsRunner(given: SkillsRunnerOptions): SkillsRunner {
  checkOptions('skillsRunner', RUNNER_OPTIONS, given)
  const { runner = new Runner(), onTurn, subagents, resolveModel, ...owning } = given
  const owner = { name: 'skillsRunner', ...owning }

  /** Opens the session of a task, and works in it. A run that waited goes on in it. */
  function within<T>(
    id: string | undefined,
    { state, signal: until }: { readonly state?: RunState<any, any> | undefined; readonly signal?: AbortSignal },
    work: (binding: Binding, signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    return withOwnedSession(owner, { id, signal: until }, async ({ session: opened, signal }) => {
      const session = adapterSession(opened)
      const known = bindingOf(state?.currentAgent)
      // A run that waited is judged by what has happened since.
      const binding =
        known === undefined
          ? bind({ session, runner, unattended: false, fork: forkRunner, subagents, resolveModel })
          : Object.assign(known, { session, steps: new WeakMap() } satisfies Partial<Binding>)
      return work(binding, signal)
    })
  }

  async function run(
    task: string | undefined,
    agent: AnyAgent,
    input: Input,
    options: IndividualRunOptions<any, any>,
  ): Promise<unknown> {
    const state = input instanceof RunState ? input : undefined
    if (state !== undefined && bindingOf(state.currentAgent) === undefined) {
      throw new TypeError('skillsRunner: this state is of a run without skills. Get it from `restore(agent, text)`.')
    }
    const id = owning.sessions === undefined ? task : (task ?? (await options.session?.getSessionId()))
    const start = async (binding: Binding, signal: AbortSignal | undefined): Promise<unknown> => {
      const settings = { ...options, ...(signal && { signal }) } as NonStreamRunOptions<any, any>
      const made = skilled(binding, agent)
      return withHostsAgent(await runner.run(made, await begin(binding, agent, input, settings), settings))
    }
    if (options.stream !== true) return within(id, { state, signal: options.signal }, start)
    return whenBegun(owner, (begun) =>
      within(id, { state, signal: options.signal }, async (...opened) => {
        const result = (await start(...opened)) as StreamedRunResult<any, any>
        begun(result)
        await Promise.allSettled([result.completed])
      }),
    )
  }

  /** Begins the turn of a person's message, and returns the input with what the session adds to it. */
  async function begin(
    binding: Binding,
    agent: AnyAgent,
    input: Input,
    { signal, context }: NonStreamRunOptions<any, any>,
  ): Promise<Input> {
    const { session } = binding
    const state = input instanceof RunState ? input : undefined
    if (state !== undefined) await recordAnswers(binding, state)
    const items = state === undefined ? itemsOf(input as AgentInputItem[]) : state.pendingInput
    const message = personText(items)
    binding.asking = undefined
    if (message === undefined) return input
    const how = { signal, fork: forkRunner(binding, agent, context) }
    // Behind a state that waits, a message waits for its turn and cannot be asked about.
    const { turn, asks } =
      state === undefined
        ? await beginTurnOrAsk(session, message, how)
        : { turn: await session.beginTurn(message, how), asks: undefined }
    binding.asking = asks
    if (turn === undefined) return input
    await onTurn?.(turn)
    if (turn.text === undefined) return input
    if (state === undefined) return [...items, ownMessage(turn.text)]
    state.addInput([ownMessage(turn.text)])
    return state
  }

  const task = (id: string | undefined): TaskRunner => ({
    run: (agent: AnyAgent, input: Input, options: IndividualRunOptions<any, any> = {}) =>
      run(id, agent, input, options) as Promise<any>,
    restore: (agent, text, context, settings) =>
      within(id, {}, (binding) => {
        const first = skilled(binding, agent) as typeof agent
        if (context === undefined) return RunState.fromString(first, text)
        return RunState.fromStringWithContext(first, text, context, settings)
      }),
    requests: (state) => within(id, { state }, (binding) => requestsOf(binding, state)),
    answer: (state, answers) =>
      within(id, { state }, async (binding) => {
        const pending = await requestsOf(binding, state)
        checkAnswers('answer', pending, answers)
        for (const { interruption, request } of pending) {
          const { approved, reason } = answers.find(({ requestId }) => requestId === request.id) ?? {}
          if (approved === true) state.approve(interruption)
          else state.reject(interruption, reason === undefined ? {} : { message: reason })
        }
      }),
  })
  return { ...task(undefined), task }
}

async function requestsOf(binding: Binding, state: RunState<any, any>): Promise<PendingConsent[]> {
  const { _context: context } = state
  const pending: PendingConsent[] = []
  for (const interruption of state.getInterruptions()) {
    const { rawItem } = interruption
    const step = rawItem.type === 'function_call' ? await stepOf(binding, interruption.agent, context) : undefined
    const request = step && (await step.preview(frameworkCall(rawItem as never), { asks: true })).waits
    if (request !== undefined) pending.push({ interruption, request })
  }
  return pending
}

/** Records what `state.approve` and `state.reject` decided, as answers to the requests that the calls wait for. */
async function recordAnswers(binding: Binding, state: RunState<any, any>): Promise<void> {
  const { session } = binding
  const { _context: context, _originalInput: begunWith } = state
  for (const interruption of state.getInterruptions()) {
    const { rawItem } = interruption
    if (rawItem.type !== 'function_call') continue
    const call = frameworkCall(rawItem)
    const { meant, turn } = standsFor(call)
    // No model was called when this was asked.
    if (turn !== undefined) binding.unsent = itemsOf(begunWith)
    const toolName = interruption.name ?? ''
    const approved = context.isToolApproved({ toolName, callId: call.id })
    if (approved === undefined) continue
    const reason = approved ? undefined : context.getRejectionMessage(toolName, call.id)
    const decision = { approved, reason }
    const step = await stepOf(binding, interruption.agent, context)
    if (!(await recordDecision(session, step, call, decision))) continue
    // The call that represents a person's `/name` is carried out in any case: its turn begins.
    const message = turn === undefined ? step.deniedText(meant, reason) : undefined
    if (approved || turn !== undefined) state.approve(interruption)
    else if (message !== undefined) state.reject(interruption, { message })
  }
}
