import { Command, interrupt, isGraphBubbleUp } from '@langchain/langgraph'
import {
  failureText,
  readVerdict,
  type Repertoire,
  type SavedSession,
  type Session,
  type SessionOptions,
  type ToolCall,
} from '@repertoire/core'
import {
  AIMessage,
  type AgentMiddleware,
  createMiddleware,
  MiddlewareError,
  type Runtime,
  ToolMessage,
} from 'langchain'
import { channelsOf, DEFAULT_NAME, type SkillsState, skillsState } from './channels.ts'
import { keepEveryCall, sentBack, toolName, withInstructions } from './messages.ts'

/** How the sessions of an agent are opened. What is saved, and the names of the host's tools, are the middleware's to give. */
export type SkillsSession = Omit<SessionOptions, 'saved' | 'hostTools'>

/** How the middleware stands beside others. */
export interface SkillsMiddlewareOptions {
  /** Names the middleware and, after a `_`, its channels, where the usual name is another's. Default `repertoire`. */
  readonly name?: string
}

/**
 * Agent skills for `createAgent`. The session of a thread is kept in the graph's state, in a private channel, so that
 * it goes where the thread goes: into a checkpointer, into another process, into a fork.
 *
 * Without a consent handler in `session`, an activation suspends the run with LangGraph's `interrupt`: its value is a
 * `ConsentRequest`, and it is resumed with a `ConsentVerdict`. Without a checkpointer nobody can be asked, and the
 * activation is denied.
 *
 * @param session as `openSession` takes it; a function of the run's runtime where it differs from run to run, such as
 * by tenant
 */
export function skillsMiddleware<Context = unknown>(
  repertoire: Repertoire,
  session: SkillsSession | ((runtime: Runtime<Context>) => SkillsSession) = {},
  { name = DEFAULT_NAME }: SkillsMiddlewareOptions = {},
): AgentMiddleware<SkillsState, undefined, unknown, readonly []> {
  const channels = channelsOf(name)

  function open(state: object, runtime: Runtime, hostTools?: readonly string[]): Session {
    const options = typeof session === 'function' ? session(runtime as Runtime<Context>) : session
    const saved: SavedSession | undefined = Reflect.get(state, channels.session) ?? undefined
    return repertoire.openSession({ ...options, hostTools, saved })
  }

  return createMiddleware({
    name,
    stateSchema: skillsState(repertoire, channels),

    async wrapModelCall(request, handler) {
      const { state, runtime, tools, systemMessage } = request
      const opened = open(state, runtime)
      const hostTools = tools.map(toolName)
      const view = opened.beginStep(hostTools)
      const response = await handler({
        ...request,
        messages: request.messages.map(sentBack),
        tools: [
          ...tools.filter((tool) => !view.hides(toolName(tool))),
          ...view.tools.map(({ inputSchema, ...shown }) => ({ ...shown, schema: inputSchema })),
        ],
        systemMessage: withInstructions(systemMessage, view),
      })
      if (!AIMessage.isInstance(response)) return response
      keepEveryCall(response)
      // The calls of this message may be carried out in another process, which learns here what the model was shown.
      const changes = opened.takeChanges()
      const known: readonly string[] = Reflect.get(state, channels.tools)
      const noted = changes.length === 0 && hostTools.join('\n') === known.join('\n')
      if (noted || !response.tool_calls?.length) return response
      return new Command({ update: { [channels.session]: changes, [channels.tools]: hostTools } })
    },

    async wrapToolCall(request, handler) {
      const { state, runtime, toolCall, tool } = request
      const known: readonly string[] = Reflect.get(state, channels.tools)
      const opened = open(state, runtime, tool === undefined ? known : [...known, toolCall.name])
      const call: ToolCall = { id: toolCall.id ?? '', tool: toolCall.name, input: toolCall.args }
      await askPerson(opened, call)
      const execute = async (judged: ToolCall): Promise<ToolMessage | Command> => {
        try {
          const args = judged.input as typeof toolCall.args
          return await handler({ ...request, toolCall: { ...toolCall, name: judged.tool, args } })
        } catch (error) {
          if (runtime.signal?.aborted || isFrameworks(error)) throw error
          return result(judged, failureText(error), 'error')
        }
      }
      const outcome = await opened.call(call, execute, { signal: runtime.signal })
      if (outcome.ok && outcome.text === undefined) return outcome.value as ToolMessage | Command
      const message = result(call, outcome.text ?? '', outcome.ok ? 'success' : 'error')
      const changes = opened.takeChanges()
      return changes.length === 0
        ? message
        : new Command({ update: { messages: [message], [channels.session]: changes } })
    },
  })
}

function result({ id, tool }: ToolCall, content: string, status: 'success' | 'error'): ToolMessage {
  return new ToolMessage({ content, name: tool, tool_call_id: id, status })
}

/** Suspends the run where a call waits for consent. When it is resumed, the call comes here again and finds the answer. */
async function askPerson(session: Session, call: ToolCall): Promise<void> {
  const request = await session.consentFor(call)
  if (request === undefined) return
  try {
    session.answer({ requestId: request.id, ...readVerdict(interrupt(request), request.id) })
  } catch (error) {
    // Without a checkpointer the graph cannot wait: nobody can be asked, and `call` says so.
    if (!isWithoutCheckpointer(error)) throw error
  }
}

/** What is no failure of a tool: LangGraph's ways to stop or to leave a graph, and the failure of another middleware. */
function isFrameworks(error: unknown): boolean {
  return error !== null && (isGraphBubbleUp(error) || error instanceof MiddlewareError)
}

function isWithoutCheckpointer(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'lc_error_code') === 'MISSING_CHECKPOINTER'
}
