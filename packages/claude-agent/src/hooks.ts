import type {
  CanUseTool,
  HookCallbackMatcher,
  HookEvent,
  HookInput,
  Options,
  PreToolUseHookInput,
  SyncHookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk'
import type { ConsentHandler, ForkRunner, Turn } from '@repertoire/core'
import type { AdapterSession, CallPreview } from '@repertoire/core/adapter'
import type { Calls } from './calls.ts'
import type { Conversation } from './conversation.ts'
import { ownName, SERVER } from './server.ts'

/** Longer than any person waits: the session has its own limit for questions. */
const HOOK_SECONDS = 24 * 60 * 60

/** An agent of the host's could otherwise deactivate what restricts it. */
const NOT_FOR_AGENTS = 'Skill tools are for the main agent. Go on without them.'

export interface HookParts {
  readonly session: AdapterSession
  readonly canUseTool: CanUseTool | undefined
  readonly calls: Calls
  /** Whether a tool of the server is one of the host's functions. */
  readonly isFunction: (name: string) => boolean
  readonly conversation: Conversation
  readonly fork: ForkRunner
  readonly signal: AbortSignal
  /** Called with what a hook throws, which Claude Code does not tell. */
  readonly onError: (error: unknown) => void
  readonly onTurn: ((turn: Turn) => void | Promise<void>) | undefined
}

type Hooks = NonNullable<Options['hooks']>

/** Returns the hooks by which every call and every message passes the session, before the host's own. */
export function skillHooks(parts: HookParts, own: Hooks = {}): Hooks {
  const { calls, conversation } = parts
  const hooks: { [Event in HookEvent]?: (input: Extract<HookInput, { hook_event_name: Event }>) => Promise<object> } = {
    UserPromptSubmit: async ({
      prompt,
      prompt_id: id = crypto.randomUUID(),
      transcript_path: path,
      source = 'sdk',
    }) => {
      await conversation.read(path)
      const isPersons = source === 'sdk' || source === 'user'
      const text = isPersons ? await beginTurn(parts, prompt, id) : undefined
      if (text !== undefined) conversation.shows(text)
      return context('UserPromptSubmit', [text, ...(await conversation.nextStep())])
    },
    PreToolUse: async (input) => judge(parts, input),
    PostToolUse: async ({ tool_use_id: id, tool_response: value }) => {
      calls.end(id, { value })
      return {}
    },
    PostToolUseFailure: async ({ tool_use_id: id, error }) => {
      calls.end(id, { error })
      return {}
    },
    PostToolBatch: async ({ tool_calls: ended, agent_id: agent }) => {
      // Those that a rule or a person of Claude Code's has denied.
      for (const { tool_use_id: id, tool_response: response } of ended) calls.end(id, { error: String(response) })
      return agent === undefined ? context('PostToolBatch', await conversation.nextStep()) : {}
    },
    SessionStart: async ({ source }) => {
      if (source !== 'compact' && source !== 'clear') return {}
      conversation.forget()
      return context('SessionStart', await conversation.nextStep())
    },
  }
  const all: Hooks = { ...own }
  for (const [event, hook] of Object.entries(hooks) as [HookEvent, (input: HookInput) => Promise<object>][]) {
    const run = async (input: HookInput): Promise<object> => {
      // Claude Code has some seconds to end, and would go on in them.
      if (parts.signal.aborted) return { continue: false }
      return hook(input).catch((error: unknown) => {
        parts.onError(error)
        throw error
      })
    }
    const matcher: HookCallbackMatcher = { hooks: [run], timeout: HOOK_SECONDS, onFailure: 'block' }
    all[event] = [matcher, ...(own[event] ?? [])]
  }
  return all
}

async function beginTurn({ session, canUseTool, fork, signal, onTurn }: HookParts, prompt: string, id: string) {
  const begin = (): Promise<Turn> => session.beginTurn(prompt, { id, fork, signal, canWait: canUseTool !== undefined })
  const turn = canUseTool === undefined ? await begin() : await session.ask(begin, asking(canUseTool), { signal })
  await onTurn?.(turn)
  return turn.text
}

/** Asks by the host's own function about what a call needs consent to. */
function asking(canUseTool: CanUseTool, tool = 'activate_skill', input?: object): ConsentHandler {
  return async ({ skill, callId, text }, { signal }) => {
    const answer = await canUseTool(
      tool,
      { ...(input ?? { name: skill }) },
      { signal, toolUseID: callId, title: text, requestId: callId },
    )
    return answer?.behavior === 'allow'
  }
}

async function judge(
  { session, conversation, canUseTool, calls, isFunction, signal }: HookParts,
  input: PreToolUseHookInput,
) {
  const { tool_name: name, tool_input: given, tool_use_id: id, mcp_server: server } = input
  const own = server?.name === SERVER && server.source === 'sdk' ? (ownName(name) ?? name) : undefined
  const call = { id, tool: own ?? name, input: given }
  if (input.agent_id !== undefined && own !== undefined && !isFunction(own)) return decision('deny', NOT_FOR_AGENTS)
  // The form of an answer, which no skill speaks of.
  if (name === 'StructuredOutput') return {}
  const step = await conversation.step(own === undefined ? name : undefined)
  const preview = (): Promise<CallPreview> => step.preview(call, { signal })
  const { waits, preapproved } = await preview()
  // Only then: other calls do not wait for its answer.
  if (waits && canUseTool) await session.ask(preview, asking(canUseTool, name, given as object), { signal })
  const result = await calls.begin(call)
  // The server of this package shows what a call has ended with, without words of Claude Code's.
  if (result !== undefined) return own === undefined ? decision('deny', result.text) : decision('allow')
  return preapproved ? decision('allow') : {}
}

function decision(permissionDecision: 'allow' | 'deny', permissionDecisionReason?: string): SyncHookJSONOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason,
    },
  }
}

function context(
  hookEventName: 'UserPromptSubmit' | 'PostToolBatch' | 'SessionStart',
  texts: readonly (string | undefined)[],
) {
  const shown = texts.filter((text) => text !== undefined && text !== '')
  return shown.length === 0 ? {} : { hookSpecificOutput: { hookEventName, additionalContext: shown.join('\n\n') } }
}
