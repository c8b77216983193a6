import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { BaseMessage } from '@langchain/core/messages'
import { Command, isParentCommand } from '@langchain/langgraph'
import { LRUCache } from 'lru-cache'
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
  messageText,
  taskOf,
  unattendedError,
} from '@repertoire/core/adapter'
import { AIMessage, type AgentMiddleware, createMiddleware, initChatModel, type Runtime, ToolMessage } from 'langchain'
import { messageOf } from './message-kinds.ts'
import { giveUniqueIds, separateCalls } from './call-ids.ts'
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
import { forkRunner, type ForkOptions, type ParentAgent } from './fork.ts'
import { checkMiddlewareOptions, checkRunOptions, type RunOptions, type SkillsMiddlewareOptions } from './options.ts'
import { ask, isFrameworks, recordedBefore, suspends, waitsForPerson } from './interrupts.ts'
import { checkHandOff, endedWithRun, isHandOff, isPartOfRun } from './parent-graph.ts'
import { asTurn, isPersons, keepEveryCall, toolName, usageOf } from './messages.ts'
import { keepLive, sendLive, takeLive } from './live-sessions.ts'
import { hasCheckpointer, RunSession, threadOf, withWholeContext } from './run-session.ts'
import { lastSteps, modelName } from './steps.ts'
import { fittedCall } from './window.ts'
import { noteCalls, wasRefused } from './noted-calls.ts'

/** The number of sessions whose last model call is remembered. */
const MAX_REMEMBERED_SESSIONS = 1_000

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
 * @param options those of `openSession` and of the middleware; a function of the run's runtime if they differ between
 * runs, for example by tenant. The function is called when a session is opened, and cannot set `name`
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind
 */
export function skillsMiddleware<Context = unknown>(
  repertoire: Repertoire,
  options: SkillsMiddlewareOptions | ((runtime: Runtime<Context>) => RunOptions) = {},
): SkillsMiddleware {
  checkMiddlewareOptions('skillsMiddleware', repertoire, options)
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
    repertoire,
    channel,
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
  /** Absent: the session is another's, is not in a channel, and lives as long as the agent. */
  readonly repertoire?: Repertoire
  readonly channel: ChannelName
  /** @param id of a session that is not in a channel yet */
  readonly open: (state: object, runtime: Runtime, id?: string) => AdapterSession
}

function middlewareOf(parts: MiddlewareParts): SkillsMiddleware {
  const { name, forksOf, repertoire, channel } = parts
  // What calls need from the preceding model call, and a checkpoint cannot store, by session.
  const parentAgents = new LRUCache<string, ParentAgent>({ max: MAX_REMEMBERED_SESSIONS })
  const open = (state: object, runtime: Runtime, id?: string): AdapterSession =>
    runIn(state, channel)?.follow(runtime).session ??
    takeLive(valueIn(state, channel)) ??
    parts.open(state, runtime, id)
  const keeps = (state: object): boolean => repertoire !== undefined && runIn(state, channel) === undefined
  const updateOf = (state: object, session: AdapterSession, last?: LastModelCall) => {
    const value = valueIn(state, channel)
    return sendLive({ saved: session.save(), base: value?.seal, last }, value, session)
  }
  /** Ends the session of a run that leaves nothing behind. */
  const endRun = async (state: object, runtime: Runtime, of?: AdapterSession): Promise<void> => {
    const run = runIn(state, channel)
    if (run !== undefined) return run.end()
    if (repertoire === undefined || !isPartOfRun(runtime)) return
    if (of === undefined && valueIn(state, channel) === undefined) return
    const session = of ?? open(state, runtime)
    const { activeSkills } = session
    if (activeSkills.length > 0) session.reportProblem(endedWithRun(activeSkills))
    await session.end()
  }
  const forkOf = (session: AdapterSession): ForkRunner => {
    const forks = forksOf(session)
    const parentAgent = () => parentAgents.get(taskOf(session.state))
    return forkRunner(forks, parentAgent, (child) => {
      const own = adapterSession(child)
      return middlewareOf({ name, forksOf: () => forks, channel, open: () => own }) as AgentMiddleware
    })
  }

  return createMiddleware({
    name,
    stateSchema: repertoire && skillsState(repertoire, channel),

    async beforeAgent(state, runtime) {
      const message = (state as { readonly messages: readonly BaseMessage[] }).messages.at(-1)
      const whole = withWholeContext(runtime)
      const isAlone = repertoire !== undefined && !hasCheckpointer()
      const run = isAlone ? new RunSession(parts.open(state, whole), repertoire).follow(runtime) : undefined
      if (!isPersons(message)) return run && { [channel]: run }
      const id = message.id ?? crypto.randomUUID()
      // A node that waits for an answer runs again with it, and must find its consent request.
      const opened = run?.session ?? open(state, whole, `${threadOf(runtime)}/${id}`)
      const written = messageText(message.content)
      const { signal } = runtime
      const asking = { canWait: hasCheckpointer(), recorded: recordedBefore() }
      const beginTurn = () => opened.beginTurn(written, { id, signal, fork: forkOf(opened), ...asking })
      let { text, waits } = await beginTurn()
      if (waits !== undefined) {
        ask(opened, waits)
        ;({ text } = await beginTurn())
      }
      // A session without any change is not stored.
      const kept = keeps(state) && opened.hasChanged()
      return {
        ...(text !== undefined && { messages: [asTurn(text)] }),
        ...(run !== undefined ? { [channel]: run } : kept && { [channel]: updateOf(state, opened) }),
      }
    },

    async afterAgent(state, runtime) {
      await endRun(state, runtime)
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
      parentAgents.set(taskOf(opened.state), { model: used, tools })
      const offered = tools.filter((_, index) => !step.isHidden(hostTools[index]!))
      for (const { inputSchema: schema, ...tool } of step.tools)
        offered.push({ name: tool.name, description: tool.description, schema })
      const sent = await fittedCall(step, used, offered, request)
      const response = await handler({ ...request, ...sent, model: used, tools: offered })
      const usage = usageOf(response)
      if (usage !== undefined) step.recordUsage(usage)
      if (!AIMessage.isInstance(response)) return response
      separateCalls(response)
      giveUniqueIds(response, request.messages)
      keepEveryCall(response, (written) => step.toolName(written))
      await noteCalls(response, step, hostTools)
      lastSteps.set(opened, step)
      if (!keeps(state)) return response
      // The calls of this message may run in another process, which learns from this what the model was shown.
      const last: LastModelCall = { tools: hostTools, model }
      const value = valueIn(state, channel)
      // A summary of the conversation is used again in later runs.
      const isKnown = value !== undefined && JSON.stringify(last) === JSON.stringify(value.last)
      if (opened.hasChanged() || (response.tool_calls?.length && !isKnown)) {
        return new Command({ update: { [channel]: updateOf(state, opened, last) } })
      }
      keepLive(value, opened)
      return response
    },

    async wrapToolCall(request, handler) {
      const { state, runtime, toolCall, tool } = request
      const value = valueIn(state, channel)
      const opened = open(state, runtime)
      const call: ToolCall = { id: toolCall.id ?? '', tool: toolCall.name, input: toolCall.args }
      const message = messageOf(state, toolCall.id)
      const last = lastSteps.get(opened)
      const tools = last?.hostTools ?? value?.last?.tools ?? []
      // Another middleware may carry out a tool that the model was not shown.
      const isKnown = tool === undefined || tools.includes(toolCall.name)
      const step =
        last !== undefined && isKnown
          ? last
          : await opened.step<BaseChatModel | string>({
              tools: isKnown ? tools : [...tools, toolCall.name],
              resolveModel: forksOf(opened).resolveModel,
              nameOf: () => value?.last?.model,
            })
      let failure: ToolMessage | undefined
      let handOff: { readonly to: unknown } | undefined
      const execute = async (judged: ToolCall): Promise<ToolMessage | Command> => {
        try {
          if (wasRefused(request)) throw notAsked(judged)
          const args = judged.input as typeof toolCall.args
          const carryOut = async () => handler({ ...request, toolCall: { ...toolCall, name: judged.tool, args } })
          const done = await carryOut().catch((error: unknown) => {
            // A tool may hand over to another agent by throwing: it has succeeded.
            if (error === null || !isParentCommand(error)) throw error
            handOff = { to: error }
            return error.command
          })
          if (isHandOff(done)) checkHandOff(opened)
          return done
        } catch (thrown) {
          // A sub-agent cannot wait: this call is answered, so that the fork goes on.
          const error = repertoire !== undefined || !waitsForPerson(thrown) ? thrown : unattendedError(judged.tool)
          if (!runtime.signal?.aborted && !isFrameworks(error)) failure = result(judged, failureText(error), 'error')
          // A failure that the model sees as a result is recorded as a failure.
          throw error
        }
      }
      const make = () =>
        step.call(call, execute, {
          signal: runtime.signal,
          fork: (fork) => forkOf(opened)(fork),
          canWait: hasCheckpointer(),
          recorded: recordedBefore(),
          message,
          suspends,
        })
      let outcome: Outcome
      try {
        outcome = await make()
        if (!outcome.ok && outcome.waits !== undefined) {
          ask(opened, outcome.waits)
          outcome = await make()
        }
      } catch (error) {
        if (failure === undefined) throw error
        outcome = { ok: true, value: failure }
      }
      if (outcome.ok && isHandOff(outcome.value)) await endRun(state, runtime, opened)
      if (handOff !== undefined && failure === undefined) throw handOff.to
      const isKept = keeps(state) && opened.hasChanged()
      if (!isKept) keepLive(value, opened)
      if (outcome.ok && outcome.text === undefined) return outcome.value as ToolMessage | Command
      const answer = result(call, outcome.text ?? '', outcome.ok ? 'success' : 'error')
      return !isKept ? answer : new Command({ update: { messages: [answer], [channel]: updateOf(state, opened) } })
    },
  }) as SkillsMiddleware
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
