import type { BaseMessage } from '@langchain/core/messages'
import type { Session } from '@repertoire/core'
import { AIMessage } from 'langchain'

/** Where a message keeps the ids of those of its calls that need no approval. None of it is sent to the model. */
const PREAPPROVED = 'repertoire_preapproved'

/** Where it keeps the ids of those that are refused, so that nobody is to be asked about them. */
const REFUSED = 'repertoire_refused'

/** What LangChain tells of a call: `humanInTheLoopMiddleware` to its `when`, and an agent to `wrapToolCall`. */
interface CallRequest {
  readonly toolCall: { readonly id?: string | undefined }
  readonly state: { readonly messages?: readonly BaseMessage[] }
}

/**
 * Notes on a message which of its calls need no approval of the host's, and which are refused. On the message, and not in
 * a channel: other middleware sees no channel of ours, and a run that goes on in another process has to come to the same
 * answer.
 */
export async function noteApprovals(message: AIMessage, session: Session, hostTools: readonly string[]): Promise<void> {
  const { [PREAPPROVED]: one, [REFUSED]: other, ...metadata } = message.response_metadata
  const preapproved: string[] = []
  const refused: string[] = []
  for (const { id, name, args } of message.tool_calls ?? []) {
    if (id === undefined) continue
    const call = { id, tool: name, input: args }
    if (await session.isPreapproved(call)) preapproved.push(id)
    else if (hostTools.includes(name) && (await session.refusalOf(call)) !== undefined) refused.push(id)
  }
  if (preapproved.length + refused.length === 0 && one === undefined && other === undefined) return
  message.response_metadata = {
    ...metadata,
    ...(preapproved.length > 0 && { [PREAPPROVED]: preapproved }),
    ...(refused.length > 0 && { [REFUSED]: refused }),
  }
}

/** Whether the session refused a call when the model had made it. */
export function wasRefused(request: CallRequest): boolean {
  return isNoted(request, REFUSED)
}

/**
 * Whether a person is to be asked about a call: not where every active skill with allowed tools lists it, in the mode
 * `preapprove`, nor where skills or the host's policy refuse it whatever is said. For `humanInTheLoopMiddleware`:
 * `interruptOn: { Bash: { allowedDecisions: ['approve', 'reject'], when: needsApproval } }`.
 */
export function needsApproval(request: CallRequest): boolean {
  return !isNoted(request, PREAPPROVED) && !wasRefused(request)
}

function isNoted({ toolCall: { id }, state: { messages } }: CallRequest, note: string): boolean {
  const message = messages?.findLast((each) => AIMessage.isInstance(each))
  if (id === undefined || message?.tool_calls?.some((call) => call.id === id) !== true) return false
  const noted: unknown = message.response_metadata[note]
  return Array.isArray(noted) && noted.includes(id)
}
