import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { BaseMessage } from '@langchain/core/messages'
import { Command, getConfig, isParentCommand } from '@langchain/langgraph'
import {
  type Outcome,
  type ForkRunner,
  type Repertoire,
  type SavedSession,
  showName,
  type ToolCall,
} from '@repertoire/core'
import {
  adapterSession,
  openAdapterSession,
  type AdapterSession,
  failureText,
  messageCall,
  messageText,
  type SealedChanges,
  type SessionChange,
  unattendedCallError,
} from '@repertoire/core/adapter'
import { AIMessage, type AgentMiddleware, createMiddleware, initChatModel, type Runtime, ToolMessage } from 'langchain'
import { messageOf, messagesOf } from './call-message.ts'
import { giveOwnId, giveUniqueIds, separateCalls } from './call-ids.ts'
import {
  type ChannelName,
  channelOf,
  DEFAULT_NAME,
  type LastModelCall,
  runIn,
  type SkillsState,
  skillsState,
  valueIn,
} from './channels.ts'
import { forkRunner, type ForkOptions } from './fork.ts'
import { checkMiddlewareOptions, checkRunOptions, type RunOptions, type SkillsMiddlewareOptions } from './options.ts'
import { ask, isFrameworks, recordedBefore, suspends, waitsForPerson } from './interrupts.ts'
import { noteApprovals, wasRefused } from './approvals.ts'
import { createParentAgents } from './parent-agents.ts'
import { asTurn, isPersons, keepEveryCall, toolName, usageOf, wholeMessages } from './messages.ts'
import { asOffered } from './offered-tool.ts'
import { hasCheckpointer, RunSession } from './run-session.ts'
import { modelName, rememberStep, stepOf } from './steps.ts'
import { fittedCall } from './window.ts'
import { noteCalls } from './written-calls.ts'

/** The middleware of `skillsMiddleware`. */
export type SkillsMiddleware = AgentMiddleware<SkillsState, undefined, unknown, readonly []>

/**
 * Agent skills for `createAgent`. The session of a thread is kept in the graph's state, in a private channel, so that
 * it follows the thread: into a checkpointer, into another process, into a fork.
 *
 * Without a `consent` handler, an activation suspends the run with LangGraph's `interrupt`: its value is a
 * `ConsentRequest`, and it is resumed with a `ConsentAnswer`. Without a checkpointer nobody can be asked, so the
 * activation is denied.
 *
 * A skill with `context: fork` runs in a separate agent. Middleware of this agent, such as one that asks a person about
 * tools, does not run there: add it to the sub-agents in `subagents`.
 *
 * @param options those of `openSession` and of the middleware; a function of the run's runtime if they differ between runs,
 * for example by tenant. The function is called when a session is opened, and cannot set `name`
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind
 */
export function skillsMiddleware<Context = unknown>(
  repertoire: Repertoire,
  options: SkillsMiddlewareOptions | ((runtime: Runtime<Context>) => RunOptions) = {},
): SkillsMiddleware {
  checkMiddlewareOptions(repertoire, options)
  const { name = DEFAULT_NAME, ...given }: SkillsMiddlewareOptions = typeof options === 'function' ? {} : options
  const optionsOf = (runtime: Runtime): RunOptions => {
    if (typeof options !== 'function') return given
    const ofRun = options(runtime as Runtime<Context>)
    checkRunOptions(ofRun)
    return ofRun
  }
  const channel = channelOf(name)
  const forks = new WeakMap<AdapterSession, ForkOptions>()
  return middlewareOf({
    name,
    forksOf: (session) => forks.get(session) ?? {},
    state: skillsState(repertoire, channel),
    channel,
    seal: (id, changes) => repertoire.sealChanges(id, changes),
    begin: (opened) => new RunSession(opened, repertoire),
    open: (state, runtime, newId) => {
      const { subagents, resolveModel, ...opening } = optionsOf(runtime)
      const saved: SavedSession | undefined = valueIn(state, channel)
      const id = saved === undefined ? (opening.id ?? newId) : opening.id
      const session = openAdapterSession(repertoire, { ...opening, id, saved })
      forks.set(session, { subagents, resolveModel })
      return session
    },
  })
}

interface MiddlewareParts {
  readonly name: string
  readonly forksOf: (session: AdapterSession) => ForkOptions
  /** Absent: the session is not in a channel, and lives as long as the agent. */
  readonly state?: SkillsState
  readonly channel: ChannelName
  readonly seal: (session: string, changes: readonly SessionChange[]) => SealedChanges
  /** @param id of a session that is not in a channel yet */
  readonly open: (state: object, runtime: Runtime, id?: string) => AdapterSession
  /** Keeps a new session in memory for a run without a checkpointer. Absent: its owner is not the run. */
  readonly begin?: (session: AdapterSession) => RunSession
}

function middlewareOf(parts: MiddlewareParts): SkillsMiddleware {
  const { name, forksOf, state: stateSchema, channel, seal, begin } = parts
  const parentAgents = createParentAgents()
  const isRoot = stateSchema !== undefined
  const open = (state: object, runtime: Runtime, id?: string): AdapterSession =>
    runIn(state, channel)?.follow(runtime).session ?? parts.open(state, runtime, id)
  const keeps = (state: object): boolean => isRoot && runIn(state, channel) === undefined
  const forkOf = (session: AdapterSession): ForkRunner => {
    const forks = forksOf(session)
    return forkRunner({
      ...forks,
      parentAgent: () => parentAgents.of(session.id),
      join(child) {
        const own = adapterSession(child)
        return middlewareOf({ name, forksOf: () => forks, channel, seal, open: () => own }) as AgentMiddleware
      },
    })
  }

  return createMiddleware({
    name,
    stateSchema,

    async beforeAgent(state, runtime) {
      const message = (state as { readonly messages: readonly BaseMessage[] }).messages.at(-1)
      const whole = withWholeContext(runtime)
      const run = hasCheckpointer() ? undefined : begin?.(parts.open(state, whole)).follow(runtime)
      if (!isPersons(message)) return run && { [channel]: run }
      const id = message.id ?? crypto.randomUUID()
      // A node that waits for an answer runs again with it, and must find its consent request.
      const opened = run?.session ?? open(state, whole, `${threadOf(runtime)}/${id}`)
      const written = messageText(message.content)
      const { signal } = runtime
      const { waits } = await opened.preview(messageCall(id, written), {
        signal,
        asks: true,
        recorded: recordedBefore(),
      })
      if (waits !== undefined) ask(opened, waits)
      const { text } = await opened.beginTurn(written, { id, signal, fork: forkOf(opened) })
      const changes = opened.takeChanges()
      // A session without any change is not stored.
      const kept = keeps(state) && changes.some(({ type }) => type !== 'opened')
      return {
        ...(text !== undefined && { messages: [asTurn(text)] }),
        ...(run !== undefined ? { [channel]: run } : kept && { [channel]: seal(opened.id, changes) }),
      }
    },

    async afterAgent(state) {
      await runIn(state, channel)?.end()
      return undefined
    },

    async wrapModelCall(request, handler) {
      const { state, runtime, tools } = request
      const opened = open(state, runtime)
      const hostTools = tools.map(toolName)
      const step = await opened.step<BaseChatModel | string>({
        tools: hostTools,
        resolveModel: forksOf(opened).resolveModel,
        nameOf: (asked = request.model as BaseChatModel) => modelName(asked),
      })
      const asked = step.model ?? (request.model as BaseChatModel)
      const used = typeof asked === 'string' ? await initChatModel(asked) : asked
      const model = modelName(used)
      parentAgents.remember(opened.id, used, tools)
      const offered = tools.filter((_, index) => !step.isHidden(hostTools[index]!))
      for (const tool of step.tools) offered.push(asOffered(tool))
      const sent = await fittedCall(step, {
        messages: wholeMessages(request.messages),
        systemMessage: request.systemMessage,
        tools: offered,
        model: used,
        settings: request.modelSettings,
        signal: runtime.signal,
      })
      const { messages, systemMessage } = sent
      const response = await handler({ ...request, model: used, messages, systemMessage, tools: offered })
      const usage = usageOf(response)
      if (usage !== undefined) step.recordUsage(usage)
      if (!AIMessage.isInstance(response)) return response
      separateCalls(response)
      giveUniqueIds(response, request.messages)
      giveOwnId(response, messagesOf(state))
      keepEveryCall(response, (written) => step.toolName(written))
      await noteApprovals(response, step, hostTools)
      noteCalls(response)
      rememberStep(opened, step)
      if (!keeps(state)) return response
      // The calls of this message may run in another process, which learns from this what the model was shown.
      const changes = opened.takeChanges()
      const last: LastModelCall = { tools: hostTools, model }
      const noted = changes.length === 0 && isSame(last, valueIn(state, channel)?.last)
      // A summary of the conversation is used again in later runs.
      const isNews = changes.some(({ type }) => type !== 'opened')
      if (noted || (!isNews && !response.tool_calls?.length)) return response
      return new Command({ update: { [channel]: { ...seal(opened.id, changes), last } } })
    },

    async wrapToolCall(request, handler) {
      const { state, runtime, toolCall, tool } = request
      const { tools = [], model } = valueIn(state, channel)?.last ?? {}
      const hostTools = tool === undefined || tools.includes(toolCall.name) ? tools : [...tools, toolCall.name]
      const opened = open(state, runtime)
      const call: ToolCall = { id: toolCall.id ?? '', tool: toolCall.name, input: toolCall.args }
      const inMessage = messageOf(state, toolCall.id)
      const asking = { signal: runtime.signal, message: inMessage, asks: true, recorded: recordedBefore() }
      const step = await stepOf(opened, {
        tools: hostTools,
        resolveModel: forksOf(opened).resolveModel,
        model,
      })
      const { waits } = await step.preview(call, asking)
      if (waits !== undefined) ask(opened, waits)
      let failure: ToolMessage | undefined
      let handOff: { readonly to: unknown } | undefined
      const execute = async (judged: ToolCall): Promise<ToolMessage | Command> => {
        try {
          if (wasRefused(request)) throw notAsked(judged)
          const args = judged.input as typeof toolCall.args
          return await handler({ ...request, toolCall: { ...toolCall, name: judged.tool, args } })
        } catch (thrown) {
          // A sub-agent cannot wait: this call is answered, so that the fork goes on.
          const error = isRoot || !waitsForPerson(thrown) ? thrown : unattendedCallError(judged.tool)
          if (error !== null && isParentCommand(error)) {
            // The tool hands over to another agent by throwing: it has succeeded.
            handOff = { to: error }
            return new Command({})
          }
          if (!runtime.signal?.aborted && !isFrameworks(error)) failure = result(judged, failureText(error), 'error')
          // A failure that the model sees as a result is recorded as a failure.
          throw error
        }
      }
      let outcome: Outcome
      try {
        outcome = await step.call(call, execute, {
          signal: runtime.signal,
          fork: (fork) => forkOf(opened)(fork),
          message: inMessage,
          suspends,
        })
      } catch (error) {
        if (failure === undefined) throw error
        outcome = { ok: true, value: failure }
      }
      if (handOff !== undefined) throw handOff.to
      if (outcome.ok && outcome.text === undefined) return outcome.value as ToolMessage | Command
      const message = result(call, outcome.text ?? '', outcome.ok ? 'success' : 'error')
      const changes = keeps(state) ? opened.takeChanges() : []
      return changes.length === 0
        ? message
        : new Command({ update: { messages: [message], [channel]: seal(opened.id, changes) } })
    },
  }) as SkillsMiddleware
}

function isSame(last: LastModelCall, noted: LastModelCall | undefined): boolean {
  if (noted === undefined || last.model !== noted.model || last.tools.length !== noted.tools.length) return false
  return last.tools.every((tool, index) => tool === noted.tools[index])
}

/**
 * LangChain gives `beforeAgent` only the context of the middleware's own `contextSchema`, and the other hooks all of it.
 * The graph's own configuration has it, too.
 */
function withWholeContext(runtime: Runtime): Runtime {
  const { context } = getConfig() as { readonly context?: unknown }
  return { ...runtime, context: context ?? runtime.context }
}

function threadOf({ configurable }: Runtime): string {
  const { thread_id: id } = (configurable ?? {}) as { readonly thread_id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? String(id) : ''
}

function result({ id, tool }: ToolCall, content: string, status: 'success' | 'error'): ToolMessage {
  return new ToolMessage({ content, name: tool, tool_call_id: id, status })
}

/** A call that was refused, and therefore not asked about: it must not run, even if it would be allowed by now. */
function notAsked({ tool }: ToolCall): Error {
  return new Error(
    `The call of "${showName(tool)}" was refused when it was made. Make it again, if it is still needed.`,
  )
}
