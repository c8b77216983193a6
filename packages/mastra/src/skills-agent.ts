import type { ForkRequest, ForkResult } from '@repertoire/core'
import {
  adapterSession,
  type AdapterSession,
  beginTurnOrAsk,
  CARRIER,
  DEFAULT_SUB_AGENT_STEPS,
  OWNER_OPTIONS,
  standsFor,
  subAgentFor,
  unfinishedForkError,
  whenBegun,
  withOwnedSession,
} from '@repertoire/core/adapter'
import { callable, checkOptions, type OptionTable } from '@repertoire/core/options'
import { Agent, type AgentConfig, type ToolsInput } from '@mastra/core/agent'
import { RequestContext } from '@mastra/core/request-context'
import type { CoreTool } from '@mastra/core/tools'
import {
  type AnyModel,
  APPROVAL,
  beginStep,
  type Binding,
  BINDING,
  decisionOf,
  FORK_OPTIONS,
  Held,
  knownOf,
  type Model,
  RunContext,
  type RunOptions,
  stepOf,
  threadOf,
} from './binding.ts'
import { shownTo } from './model.ts'
import { giveUp, ownMessage, personText } from './prompt.ts'
import { pendingConsents } from './pending.ts'
import type { PendingConsent, SkillsAgent, SkillsAgentOptions } from './options.ts'
import { gatedTools } from './tools.ts'

const AGENT_OPTIONS: OptionTable<SkillsAgentOptions> = { onTurn: callable, ...FORK_OPTIONS, ...OWNER_OPTIONS }

/**
 * Makes an agent of Mastra's that uses skills: its model is shown them, and all its calls pass the session, also those
 * of workspaces, toolsets, memory and sub-agents. It owns its sessions. With `sessions`, the runs of a thread continue
 * its session, and those without a thread that of their run.
 *
 * Without a `consent` handler, Mastra's approval asks, also about a `/name`: `approveToolCall` or `declineToolCall`
 * continues the run.
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind
 */
export function skillsAgent<Id extends string, Tools extends ToolsInput = ToolsInput, Output = undefined>(
  config: AgentConfig<Id, Tools, Output>,
  options: SkillsAgentOptions,
): SkillsAgent<Id, Tools, Output> {
  checkOptions('skillsAgent', AGENT_OPTIONS, options)
  return new AgentWithSkills(config as never, options) as never
}

type Work<T> = (session: AdapterSession, signal: AbortSignal | undefined) => Promise<T>
type ConvertTools = (given: { readonly requestContext?: RequestContext }) => Promise<Record<string, CoreTool>>

const VOICE = '__repertoireVoice'

/** A voice that talks with a model runs tools itself. Mastra gives it none whose configuration is a function. */
function withQuietTools(config: AgentConfig): AgentConfig {
  const { voice, tools = {} } = config
  return voice === undefined || typeof tools === 'function' ? config : { ...config, tools: () => tools }
}

class AgentWithSkills extends Agent {
  readonly #config: AgentConfig
  readonly #options: SkillsAgentOptions

  constructor(config: AgentConfig, options: SkillsAgentOptions) {
    super(withQuietTools(config))
    this.#config = config
    this.#options = options
    // Every tool of a run comes from here, whoever has given it.
    const { convertTools } = this as unknown as { convertTools: ConvertTools }
    if (typeof convertTools !== 'function')
      throw new TypeError('skillsAgent: this version of @mastra/core is not supported.')
    const gate: ConvertTools = async (given) => {
      const binding = Held.in(given.requestContext)
      if (binding === undefined) {
        throw new TypeError(
          'skillsAgent: use `generate` or `stream`. Other ways of running the agent do not pass the gate.',
        )
      }
      const tools = await convertTools.call(this, given)
      binding.hostTools = Object.keys(tools)
      // Calls that were approved come before the first model call.
      await stepOf(binding, binding.hostTools)
      return gatedTools(binding, tools)
    }
    Object.defineProperty(this, 'convertTools', { value: gate })
  }

  override generate = ((messages: unknown, options?: RunOptions) =>
    this.#run(options, messages, (given, input) => super.generate(input as never, given as never))) as never

  override stream = ((messages: unknown, options?: RunOptions) =>
    this.#streamed((started) =>
      this.#run(options, messages, (given, input) => started(super.stream(input as never, given as never))),
    )) as never

  override resumeGenerate = ((data: unknown, options: RunOptions) =>
    this.#resume(options, data, (given, decided) => super.resumeGenerate(decided, given as never))) as never

  override resumeStream = ((data: unknown, options: RunOptions) =>
    this.#streamed((started) =>
      this.#resume(options, data, (given, decided) => started(super.resumeStream(decided, given as never))),
    )) as never

  /** Mastra runs stored versions of an agent in such a copy. */
  override __fork(): never {
    return this.#copy({ rawConfig: this.toRawConfig() }) as never
  }

  #copy(changes: object): AgentWithSkills {
    const mastra = this.getMastraInstance()
    return new AgentWithSkills({ ...this.#config, ...(mastra && { mastra }), ...changes }, this.#options)
  }

  override listTools: Agent['listTools'] = (given = {}) =>
    given.requestContext?.get(VOICE) === true ? ({} as never) : super.listTools(given)

  override getVoice: Agent['getVoice'] = ({ requestContext } = {}) => {
    const context = new RequestContext<any>([...(requestContext?.entries() ?? []), [VOICE, true]] as never)
    return super.getVoice({ requestContext: context })
  }

  async requests(runId: string): Promise<PendingConsent[]> {
    const { calls, thread } = await this.#waiting(runId)
    return this.#within({ runId }, thread, async (session) => {
      const { binding, options } = this.#bound(session, { runId })
      await this.getToolsForExecution({ requestContext: options.requestContext, runId })
      return pendingConsents(binding, calls)
    })
  }

  /** Returns the calls that a run waits for, and its thread. */
  async #waiting(runId: string) {
    const { runs } = await this.listSuspendedRuns()
    const { toolCalls: calls = [], threadId: thread } = runs.find((run) => run.runId === runId) ?? {}
    return { calls, thread }
  }

  /** Returns a stream once it has begun, and works on until it has ended. */
  #streamed(work: (started: (stream: Promise<unknown>) => Promise<unknown>) => Promise<unknown>): Promise<unknown> {
    return whenBegun(this.#options, (begun) =>
      work(async (stream) => {
        const output = (await stream) as { readonly consumeStream: () => Promise<void> }
        begun(output)
        // A stream that is not read would not end.
        await output.consumeStream()
      }),
    )
  }

  #within<T>({ runId, abortSignal }: RunOptions, thread: string | undefined, work: Work<T>): Promise<T> {
    const owner = { name: 'skillsAgent', ...this.#options }
    const id = owner.sessions === undefined ? undefined : (thread ?? runId)
    return withOwnedSession(owner, { id, signal: abortSignal }, ({ session, signal }) =>
      work(adapterSession(session), signal),
    )
  }

  async #run<T>(
    given: RunOptions | undefined,
    messages: unknown,
    start: (options: RunOptions, input: unknown) => Promise<T>,
  ): Promise<T> {
    const options = { runId: crypto.randomUUID(), ...(await this.#defaults(given)) } as RunOptions
    const caller = Held.in(options.requestContext)
    // A sub-agent of Mastra's works in the session of its caller: what restricts the caller restricts it.
    if (caller !== undefined)
      return start(this.#bound(caller.session, options, { unattended: caller.unattended }).options, messages)
    return this.#within(options, threadOf(options), async (session, signal) => {
      // What waits of earlier runs is judged by what has happened since.
      knownOf(session).steps.clear()
      const { binding, options: bound } = this.#bound(session, { ...options, ...(signal && { abortSignal: signal }) })
      return start(bound, await this.#begin(binding, messages, signal))
    })
  }

  async #resume<T>(
    asked: RunOptions,
    data: unknown,
    start: (options: RunOptions, data: unknown) => Promise<T>,
  ): Promise<T> {
    const options = await this.#defaults(asked)
    const { runId = '', toolCallId: named } = asked as { readonly runId?: string; readonly toolCallId?: string }
    const { calls, thread } = await this.#waiting(runId)
    // Mastra would give the decision to all of them.
    if (named === undefined && calls.length > 1) {
      const ids = calls.map(({ toolCallId }) => toolCallId).join(', ')
      throw new TypeError(`skillsAgent: several calls of this run wait. Name one with \`toolCallId\`: ${ids}.`)
    }
    const toolCallId = named ?? calls[0]?.toolCallId ?? ''
    const go: Work<T> = (session, signal) => {
      const asks = session.state.open.some(
        ({ callId, approved }) =>
          approved === undefined &&
          callId === (standsFor({ id: toolCallId, tool: '', input: {} }).turn?.id ?? toolCallId),
      )
      const decision = asks ? decisionOf(data) : undefined
      const given = { ...options, ...(signal && { abortSignal: signal }) }
      const { binding, options: bound } = this.#bound(session, given, { resumed: { toolCallId, decision } })
      for (const { requiresApproval, ...call } of calls) {
        binding.callIds.add(call.toolCallId ?? '')
        const type = requiresApproval ? 'tool-call-approval' : 'tool-call-suspended'
        if (call.toolCallId !== toolCallId) binding.beside.push({ type, runId, from: 'AGENT', payload: call })
      }
      // The session denies a call in the words of all frameworks, so Mastra carries it out in any case.
      return start(bound, decision === undefined ? data : { approved: true })
    }
    const caller = Held.in(options.requestContext)
    return caller === undefined ? this.#within(options, thread, go) : go(caller.session, options.abortSignal)
  }

  async #defaults(given: RunOptions | undefined): Promise<RunOptions> {
    const defaults = await this.getDefaultOptions({ requestContext: given?.requestContext })
    return { ...(defaults as RunOptions), ...given }
  }

  /** The options of a run whose calls pass a session. */
  #bound(
    session: AdapterSession,
    given: RunOptions,
    { unattended = false, resumed }: Partial<Pick<Binding, 'unattended' | 'resumed'>> = {},
  ): { binding: Binding; options: RunOptions } {
    const { requireToolApproval, prepareStep, requestContext, ...others } = given
    const context = new RunContext(requestContext)
    const binding: Binding = {
      session,
      unattended,
      runId: given.runId,
      resumed,
      context,
      fork: (request) => this.#fork(binding, given, request),
      ...knownOf(session),
      resolveModel: this.#options.resolveModel,
      hostTools: [],
      readied: new Map(),
      beside: [],
      texts: new Set(),
    }
    context.set(BINDING, new Held(binding))
    // That of a caller is not that of its agents.
    if (requireToolApproval === undefined) context.delete(APPROVAL)
    else context.set(APPROVAL, requireToolApproval)
    return {
      binding,
      options: {
        ...others,
        requestContext: context,
        // All calls of a message are judged when it is complete.
        eagerToolExecution: false,
        prepareStep: (step: never) => this.#step(binding, prepareStep, step),
      } as unknown as RunOptions,
    }
  }

  async #step(binding: Binding, prepareStep: RunOptions['prepareStep'], step: any): Promise<any> {
    const chosen: any = (await prepareStep?.(step)) ?? {}
    const tools: Record<string, CoreTool> = chosen.tools ?? step.tools ?? {}
    const activeTools: string[] | undefined = chosen.activeTools ?? step.activeTools
    const names = Object.keys(tools).filter((name) => name !== CARRIER && (activeTools?.includes(name) ?? true))
    const begun = await beginStep(binding, names, chosen.model ?? step.model)
    const used: AnyModel = begun.model ?? chosen.model ?? step.model
    binding.model = used
    const model = (await this.getModel({ requestContext: step.requestContext, modelConfig: used as never })) as Model
    const elsewhere = names.filter((name) => !binding.skillTools.has(name) && tools[name]?.execute === undefined)
    const gated = gatedTools(binding, tools)
    giveUp(step.messageList)
    return {
      ...chosen,
      model: shownTo(binding, model, { step: begun, unjudged: await begun.unjudged(elsewhere) }),
      tools: gated,
      // The host's choice is about its own tools; a skill can always be deactivated.
      ...(activeTools && { activeTools: [...new Set([...activeTools, ...binding.skillTools.keys(), CARRIER])] }),
    }
  }

  /** Begins the turn of a person's message, and returns the input with what the session adds to it. */
  async #begin(binding: Binding, messages: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const { session } = binding
    const message = personText(messages)
    if (message === undefined) return messages
    const { turn, asks } = await beginTurnOrAsk(session, message, { signal, fork: binding.fork })
    binding.asking = asks
    if (turn === undefined) return messages
    await this.#options.onTurn?.(turn)
    return turn.text === undefined ? messages : [...[messages].flat(), ownMessage(turn.text)]
  }

  /**
   * Runs a sub-agent of a skill: this agent, as far as its skill and the host do not say otherwise.
   * @param caller the options of the run that calls it
   */
  async #fork({ model: called }: Binding, caller: RunOptions, request: ForkRequest): Promise<ForkResult> {
    const { subagents, resolveModel } = this.#options
    const parentModel = called ?? (this.#config.model as AnyModel)
    const { agent, model } = subAgentFor(request, { subagents, resolveModel, parentModel })
    const { maxSteps = DEFAULT_SUB_AGENT_STEPS, instructions = request.system } = agent ?? {}
    const tools = agent?.tools ?? this.#config.tools
    const made = this.#copy({ instructions, model, tools, memory: undefined, defaultOptions: undefined })
    const { requestContext, toolsets, clientTools, requireToolApproval, modelSettings, providerOptions } = caller
    const own = { requestContext, toolsets, clientTools, requireToolApproval, modelSettings, providerOptions, maxSteps }
    const { session, signal: abortSignal } = request
    const { options } = made.#bound(adapterSession(session), { ...own, abortSignal }, { unattended: true })
    const { generate } = Agent.prototype as unknown as { generate: (...given: unknown[]) => Promise<any> }
    const { text, finishReason, steps, totalUsage } = await generate.call(made, request.message, options)
    abortSignal.throwIfAborted()
    if (finishReason === 'tool-calls' && steps.length >= maxSteps) throw unfinishedForkError(maxSteps)
    const { inputTokens, outputTokens } = totalUsage
    return { text, usage: { inputTokens, outputTokens } }
  }
}
