import { standsFor } from '@repertoire/core/adapter'
import type { ModelMessage } from 'ai'
import { approvalRequests } from '../answers.ts'
import { partsOf } from '../parts.ts'
import type { HostTool } from '../tools.ts'
import type { NamedTool } from '../with-skills.ts'

/** What AI SDK 6 passes to `needsApproval` and to `execute`. */
interface CallOptions {
  readonly toolCallId: string
  readonly messages: ModelMessage[]
  readonly experimental_context?: unknown
}

type NeedsApproval = (input: unknown, options: CallOptions) => Promise<boolean>

/**
 * The same tool, which says by `needsApproval` whether a call waits for a person. Version 6 cannot deny a call there,
 * so a denied one fails when it runs.
 * @throws {TypeError} only the client runs the tool
 */
export function withApproval(tool: HostTool, { name, session, decide, tools }: NamedTool): HostTool {
  if (tool.execute === undefined && tool.type !== 'provider') {
    throw new TypeError(
      `The tool "${name}" has no "execute". AI SDK 6 hands its calls to the client before they can be judged. Give it an "execute", or use AI SDK 7.`,
    )
  }
  const denied = new Map<string, string>()
  const execute = tool.execute?.bind(tool) as ((input: unknown, options: CallOptions) => unknown) | undefined

  const needsApproval: NeedsApproval = async (input, { toolCallId, messages, experimental_context }) => {
    const toolCall = { toolCallId, toolName: name, input }
    const contexts = { toolsContext: undefined, runtimeContext: experimental_context }
    const status = await decide({ toolCall, tools: tools(), messages, ...contexts })
    const { type: kind, reason = '' } = typeof status === 'object' ? status : { type: status }
    if (kind === 'denied') denied.set(toolCallId, reason)
    if (kind === 'user-approval') return true
    // After an answer, version 6 asks again and runs only what still needs approval.
    const askedAs = standsFor({ id: toolCallId, tool: name, input }).turn?.id ?? toolCallId
    return isAnswered(toolCallId, messages) && session.state.open.some(({ callId }) => callId === askedAs)
  }
  const executeUnlessDenied = (input: unknown, options: CallOptions): unknown => {
    const { toolCallId: id } = options
    const reason = denied.get(id)
    if (reason === undefined) return execute?.(input, options)
    denied.delete(id)
    throw new Error(session.deniedText({ id, tool: name, input }, reason) ?? reason)
  }
  // A copy with every own property, also of symbols and of getters.
  return Object.create(Object.getPrototypeOf(tool) as object, {
    ...Object.getOwnPropertyDescriptors(tool),
    needsApproval: { value: needsApproval, enumerable: true },
    ...(execute !== undefined && { execute: { value: executeUnlessDenied, enumerable: true } }),
  }) as HostTool
}

/** Whether the last message answers the approval request of a call. */
function isAnswered(callId: string, messages: readonly ModelMessage[]): boolean {
  const requests = approvalRequests(messages)
  return partsOf(messages.at(-1)).some(
    (part) => part.type === 'tool-approval-response' && requests.get(part.approvalId)?.call.id === callId,
  )
}
