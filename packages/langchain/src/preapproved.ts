import type { BaseMessage } from '@langchain/core/messages'
import type { Session } from '@repertoire/core'
import { AIMessage } from 'langchain'

/** Where a message keeps the ids of those of its calls that need no approval. It is not sent to the model. */
const NOTE = 'repertoire_preapproved'

/**
 * Notes on a message which of its calls need no approval of the host's. On the message, and not in a channel: other
 * middleware sees no channel of ours, and a run that goes on in another process has to come to the same answer.
 */
export async function notePreapproved(message: AIMessage, session: Session): Promise<void> {
  const { [NOTE]: foreign, ...metadata } = message.response_metadata
  const ids: string[] = []
  for (const { id, name, args } of message.tool_calls ?? []) {
    if (id !== undefined && (await session.isPreapproved({ id, tool: name, input: args }))) ids.push(id)
  }
  if (ids.length === 0 && foreign === undefined) return
  message.response_metadata = { ...metadata, ...(ids.length > 0 && { [NOTE]: ids }) }
}

/**
 * Whether a call needs no approval, in the mode `preapprove`: because every active skill with allowed tools lists it.
 * For `humanInTheLoopMiddleware`: `interruptOn: { Bash: { allowedDecisions, when: (request) => !isPreapproved(request) } }`.
 */
export function isPreapproved({
  toolCall,
  state,
}: {
  readonly toolCall: { readonly id?: string | undefined }
  readonly state: { readonly messages?: readonly BaseMessage[] }
}): boolean {
  const { id } = toolCall
  const message = state.messages?.findLast((each) => AIMessage.isInstance(each))
  if (id === undefined || message?.tool_calls?.some((call) => call.id === id) !== true) return false
  const noted: unknown = message.response_metadata[NOTE]
  return Array.isArray(noted) && noted.includes(id)
}
