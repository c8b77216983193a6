import { isDeepStrictEqual } from 'node:util'
import type {
  CanUseTool,
  HookCallback,
  HookCallbackMatcher,
  HookEvent,
  HookInput,
  Options,
  PreToolUseHookInput,
  SyncHookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk'
import type { ConsentHandler, ForkRunner, Turn } from '@repertoire/core'
import { type AdapterSession, type CallPreview, messageCall } from '@repertoire/core/adapter'
import type { Calls, ShownResult } from './calls.ts'
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
  const judging = new Map<string, Promise<unknown>>()
  const end: Calls['end'] = (id, result) => {
    judging.delete(id)
    calls.end(id, result)
  }
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
    PreToolUse: (input) => {
      const judged = judge(parts, input)
      judging.set(input.tool_use_id, judged)
      return judged
    },
    PostToolUse: async ({ tool_use_id: id, tool_response: value }) => {
      end(id, { value })
      return {}
    },
    PostToolUseFailure: async ({ tool_use_id: id, error }) => {
      end(id, { error })
      return {}
    },
    PostToolBatch: async ({ tool_calls: ended, agent_id: agent }) => {
      // Those that a rule or a person of Claude Code's has denied.
      for (const { tool_use_id: id, tool_response: response } of ended) end(id, { error: String(response) })
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
    const others = (own[event] ?? []).map(({ hooks: given, ...other }) => ({
      ...other,
      hooks: given.map((each) => edited(parts, each, async (id) => judging.get(id))),
    }))
    all[event] = [matcher, ...others]
  }
  return all
}

async function beginTurn({ session, canUseTool, fork, signal, onTurn }: HookParts, prompt: string, id: string) {
  // Asked first: a sub-agent that the turn runs may ask, too.
  if (canUseTool !== undefined)
    await session.ask(() => session.preview(messageCall(id, prompt), { signal }), asking(canUseTool), { signal })
  const turn = await session.beginTurn(prompt, { id, fork, signal })
  await onTurn?.(turn)
  return turn.text
}

/** Asks by the host's own function about what a call needs consent to. @param onInput is given the input it returns */
function asking(
  canUseTool: CanUseTool,
  { tool = 'activate_skill', input }: { readonly tool?: string; readonly input?: unknown } = {},
  onInput?: (input: unknown) => void,
): ConsentHandler {
  return async ({ skill, callId, text }, { signal }) => {
    const options = { signal, toolUseID: callId, title: text, requestId: callId }
    const answer = await canUseTool(tool, { ...(input ?? { name: skill }) }, options)
    if (answer?.behavior !== 'allow') return false
    if (answer.updatedInput !== undefined) onInput?.(answer.updatedInput)
    return true
  }
}

/** A call as Claude Code names it. */
interface NamedCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly server: PreToolUseHookInput['mcp_server']
}

/** Returns the name of a tool of this package's server; undefined for tools of others. */
function ownTool({ name, server }: NamedCall): string | undefined {
  return server?.name === SERVER && server.source === 'sdk' ? (ownName(name) ?? name) : undefined
}

/**
 * Begins a call, or begins it once more with an edited input. Returns the input to which a person may have changed it,
 * and what the call has ended with; undefined: Claude Code may run it.
 */
async function begin(
  parts: HookParts,
  named: NamedCall,
): Promise<{ readonly input: unknown; readonly result: ShownResult | undefined }> {
  const { session, conversation, canUseTool, calls, signal } = parts
  const { id, name, input } = named
  const own = ownTool(named)
  const { step, message } = await conversation.step(own === undefined ? name : undefined)
  const call = { id, tool: own ?? name, input }
  let agreed = input
  const preview = (): Promise<CallPreview> => step.preview(call, { signal, message })
  // Only then: other calls do not wait for its answer.
  if (canUseTool && (await preview()).waits)
    await session.ask(
      preview,
      asking(canUseTool, { tool: name, input }, (to) => (agreed = to)),
      { signal },
    )
  return isDeepStrictEqual(agreed, input)
    ? { input, result: await calls.begin(call) }
    : begin(parts, { ...named, input: agreed })
}

async function judge(parts: HookParts, given: PreToolUseHookInput) {
  const { tool_name: name, tool_input: input, tool_use_id: id, mcp_server: server } = given
  const own = ownTool({ id, name, input, server })
  if (given.agent_id !== undefined && own !== undefined && !parts.isFunction(own))
    return decision('deny', NOT_FOR_AGENTS)
  // The form of an answer, which no skill speaks of.
  if (name === 'StructuredOutput') return {}
  const { input: updatedInput, result } = await begin(parts, { id, name, input, server })
  // The server of this package shows what a call has ended with, without words of Claude Code's.
  if (result !== undefined) return own === undefined ? decision('deny', result.text) : decision('allow')
  if (!isDeepStrictEqual(updatedInput, input))
    return decision('allow', undefined, updatedInput as Record<string, unknown>)
  const { step } = await parts.conversation.step()
  return (await step.preview({ id, tool: own ?? name, input })).preapproved ? decision('allow') : {}
}

/** The host's own function: a person is asked one question at a time, and not about calls that are over. */
export function asQuestion(parts: HookParts, canUseTool: CanUseTool): CanUseTool {
  return async (name, given, { signal: asked, ...options }) => {
    const { toolUseID: id, mcpServer: server } = options
    // Claude Code shows the model the result of such a call by running it.
    const mayRun = await parts.calls.mayRun(id)
    if (mayRun === false) return { behavior: 'allow', updatedInput: given }
    const ask = ({ signal }: { readonly signal: AbortSignal }) => canUseTool(name, given, { ...options, signal })
    const answer = await parts.session.question(ask, { signal: asked })
    if (mayRun === undefined || answer?.behavior !== 'allow' || answer.updatedInput === undefined) return answer
    const { input, result } = await begin(parts, { id, name, input: answer.updatedInput, server })
    if (result !== undefined) return { behavior: 'deny', message: result.text }
    return { ...answer, updatedInput: input as Record<string, unknown> }
  }
}

/** A hook of the host's: a call whose input it edits is judged again. @param judged waits until a call was judged */
function edited(parts: HookParts, hook: HookCallback, judged: (id: string) => Promise<unknown>): HookCallback {
  return async (given, toolUseId, options) => {
    const output = await hook(given, toolUseId, options)
    const made = 'hookSpecificOutput' in output ? output.hookSpecificOutput : undefined
    if (given.hook_event_name !== 'PreToolUse' || made?.hookEventName !== 'PreToolUse') return output
    if (made.updatedInput === undefined) return output
    const { tool_name: name, tool_use_id: id, mcp_server: server } = given
    await judged(id)
    if ((await parts.calls.mayRun(id)) !== true) return output
    const { result } = await begin(parts, { id, name, input: made.updatedInput, server })
    return result === undefined ? output : decision('deny', result.text)
  }
}

function decision(
  permissionDecision: 'allow' | 'deny',
  permissionDecisionReason?: string,
  updatedInput?: Record<string, unknown>,
): SyncHookJSONOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason,
      ...(updatedInput && { updatedInput }),
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
