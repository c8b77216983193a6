import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import type { StepCalls } from '@repertoire/core/adapter'
import { isAnswer } from './message-kinds.ts'

/** Key under which a message stores its calls as the model wrote them. It is not sent to the model. */
const CALLS = 'repertoire_calls'

/** `preapproved`: it needs no approval by the host. `refused`: it must not lead to a question. */
type Judged = 'preapproved' | 'refused'

type Call = NonNullable<AIMessage['tool_calls']>[number]
type NotedCall = Pick<Call, 'id' | 'name' | 'args'> & { readonly judged?: Judged | undefined }

/** What LangChain passes for a call: `humanInTheLoopMiddleware` to its `when`, an agent to `wrapToolCall`. */
interface CallRequest {
  readonly toolCall: { readonly id?: string | undefined }
  readonly state: { readonly messages?: readonly BaseMessage[] }
}

/**
 * Notes the calls of a message on it, and how they are judged. `humanInTheLoopMiddleware` puts the calls that a person
 * was asked about behind the others, and drops the approved calls if one was rejected. On the message, and not in a
 * channel: other middleware cannot see our channels, and a run that continues in another process must come to the same
 * result.
 */
export async function noteCalls(message: AIMessage, step: StepCalls, hostTools: readonly string[]): Promise<void> {
  const calls: NotedCall[] = []
  for (const { id, name, args } of message.tool_calls ?? []) {
    const preview = id === undefined ? undefined : await step.preview({ id, tool: name, input: args })
    const isRefused = preview?.refusal !== undefined && hostTools.includes(name)
    calls.push({ id, name, args, judged: preview?.preapproved ? 'preapproved' : isRefused ? 'refused' : undefined })
  }
  const { [CALLS]: _, ...metadata } = message.response_metadata
  // A single call keeps its place.
  const isNoted = calls.length > 1 || calls.some(({ judged }) => judged !== undefined)
  message.response_metadata = isNoted ? { ...metadata, [CALLS]: calls } : metadata
}

/** Whether the session refused a call when the model wrote it. */
export function wasRefused(request: CallRequest): boolean {
  return judgedAs(request) === 'refused'
}

/**
 * Whether a person must approve a call: not if every active skill with allowed tools lists it, in the mode
 * `preapprove`, nor if skills or the host's policy refuse it anyway. For `humanInTheLoopMiddleware`: `interruptOn: {
 * Bash: { allowedDecisions: ['approve', 'reject'], when: needsApproval } }`.
 */
export function needsApproval(request: CallRequest): boolean {
  return judgedAs(request) === undefined
}

function judgedAs({ toolCall: { id }, state: { messages } }: CallRequest): Judged | undefined {
  const message = messages?.findLast((each) => isAnswer(each))
  return message && notedIn(message).find((call) => call.id === id)?.judged
}

function notedIn({ response_metadata: metadata }: AIMessage): readonly NotedCall[] {
  const noted: unknown = metadata[CALLS]
  return Array.isArray(noted) ? noted : []
}

/** A message with all calls that the model wrote, in their order. What a person has edited stays as it was edited. */
export function withNotedCalls(message: AIMessage): AIMessage {
  const { content, additional_kwargs, response_metadata, tool_calls: calls = [] } = message
  const noted = notedIn(message)
  const isPart = calls.length > 0 && calls.every((call) => noted.some((each) => each.id === call.id))
  const isWhole = calls.length === noted.length && calls.every((call, index) => call.id === noted[index]!.id)
  if (!isPart || isWhole) return message
  const tool_calls = noted.map(
    ({ id, name, args }): Call => calls.find((call) => call.id === id) ?? { type: 'tool_call', id, name, args },
  )
  const { id, name } = message
  return new AIMessage({ content, id, name, additional_kwargs, response_metadata, tool_calls })
}
