import type { BaseMessage } from '@langchain/core/messages'
import type { StepCalls } from '@repertoire/core/adapter'
import type { AIMessage } from 'langchain'
import { isAnswer } from './message-kinds.ts'

/** Key under which a message stores the ids of its calls that need no approval. It is not sent to the model. */
const PREAPPROVED = 'repertoire_preapproved'

/** Key for the ids of refused calls, which must not lead to a question. */
const REFUSED = 'repertoire_refused'

/** What LangChain passes for a call: `humanInTheLoopMiddleware` to its `when`, an agent to `wrapToolCall`. */
interface CallRequest {
  readonly toolCall: { readonly id?: string | undefined }
  readonly state: { readonly messages?: readonly BaseMessage[] }
}

/**
 * Marks on a message which of its calls need no approval by the host, and which are refused. On the message, and not in
 * a channel: other middleware cannot see our channels, and a run that continues in another process must come to the
 * same result.
 */
export async function noteApprovals(message: AIMessage, step: StepCalls, hostTools: readonly string[]): Promise<void> {
  const preapproved: string[] = []
  const refused: string[] = []
  for (const { id, name, args } of message.tool_calls ?? []) {
    if (id === undefined) continue
    const call = { id, tool: name, input: args }
    const { refusal, preapproved: isPreapproved } = await step.preview(call)
    if (isPreapproved) preapproved.push(id)
    else if (hostTools.includes(name) && refusal !== undefined) refused.push(id)
  }
  const notes = Object.entries({ [PREAPPROVED]: preapproved, [REFUSED]: refused }).filter(([, ids]) => ids.length > 0)
  const { [PREAPPROVED]: _, [REFUSED]: __, ...metadata } = message.response_metadata
  message.response_metadata = { ...metadata, ...Object.fromEntries(notes) }
}

/** Whether the session refused a call when the model wrote it. */
export function wasRefused(request: CallRequest): boolean {
  return isNoted(request, REFUSED)
}

/**
 * Whether a person must approve a call: not if every active skill with allowed tools lists it, in the mode
 * `preapprove`, nor if skills or the host's policy refuse it anyway. For `humanInTheLoopMiddleware`: `interruptOn: {
 * Bash: { allowedDecisions: ['approve', 'reject'], when: needsApproval } }`.
 */
export function needsApproval(request: CallRequest): boolean {
  return !isNoted(request, PREAPPROVED) && !wasRefused(request)
}

function isNoted({ toolCall: { id }, state: { messages } }: CallRequest, note: string): boolean {
  const message = messages?.findLast((each) => isAnswer(each))
  if (id === undefined || message?.tool_calls?.some((call) => call.id === id) !== true) return false
  const noted: unknown = message.response_metadata[note]
  return Array.isArray(noted) && noted.includes(id)
}
