import type { ToolCall } from '@repertoire/core'
import {
  abandonedCallText,
  argumentsAsObject,
  CARRIER,
  readArguments,
  standsFor,
  type WindowMessage,
  type WrittenCall,
} from '@repertoire/core/adapter'
import type { AgentInputItem, protocol } from '@openai/agents'

type FunctionCall = protocol.FunctionCallItem

/** The SDK ends a run at a call of an unknown tool, and asks a person about arguments that are no object. */
export function carried({ name, arguments: text, ...call }: FunctionCall): FunctionCall {
  const written: WrittenCall = { name, arguments: text }
  return { ...call, name: CARRIER, arguments: JSON.stringify(written) }
}

/** A call of the SDK's, which may carry another one. */
export function frameworkCall(call: Pick<FunctionCall, 'callId' | 'name' | 'arguments'>): ToolCall {
  return { id: call.callId, tool: call.name, input: readArguments(call.arguments) }
}

/** Marks what this package writes into the SDK's items. It is taken out of what models are sent. */
const MARK = 'repertoire'

/** A call under a tool's real name. The model is sent back the one that it wrote. */
export function renamed(call: FunctionCall, name: string): FunctionCall {
  return name === call.name ? call : { ...call, name, providerData: { ...call.providerData, [MARK]: call.name } }
}

/** A text of the session's, behind a person's message. */
export function ownMessage(text: string): AgentInputItem {
  return { type: 'message', role: 'user', content: text, providerData: { [MARK]: 'skills' } }
}

export function withoutMark(item: AgentInputItem): AgentInputItem {
  if (item.providerData?.[MARK] === undefined) return item
  const { providerData, ...rest } = item
  const { [MARK]: _, ...others } = providerData ?? {}
  return Object.keys(others).length === 0 ? rest : { ...rest, providerData: others }
}

export function itemsOf(input: string | readonly AgentInputItem[]): readonly AgentInputItem[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input
}

/** The text of a person's message at the end of some items; undefined: there is none. */
export function personText(items: readonly AgentInputItem[]): string | undefined {
  const last = items.at(-1)
  const isPersons =
    last !== undefined && (last.type ?? 'message') === 'message' && 'role' in last && last.role === 'user'
  return isPersons && last.providerData?.[MARK] === undefined ? itemText(last) : undefined
}

/**
 * The conversation as the model wrote it, and as its server accepts it.
 * @param isWhole whether it is all that the server is sent: then each call needs a result
 */
export function asWritten(input: readonly AgentInputItem[], isWhole: boolean): readonly AgentInputItem[] {
  const answered = new Set(input.flatMap((item) => (item.type === 'function_call_result' ? [item.callId] : [])))
  const written: AgentInputItem[] = []
  let open: FunctionCall[] = []
  const close = (): void => {
    // A run was broken off, or a person has written on instead of answering.
    written.push(...open.map(abandoned))
    open = []
  }
  for (const item of input) {
    if (item.type !== 'function_call' && item.type !== 'function_call_result') close()
    if (item.type === 'function_call') {
      if (isInvocation(item)) continue
      if (isWhole && !answered.has(item.callId)) open.push(item)
      written.push(callAsWritten(item))
    } else if (item.type === 'function_call_result' && isInvocation(item)) {
      const text = itemText(item)
      if (text !== '') written.push(ownMessage(text))
    } else written.push(item)
  }
  close()
  return written
}

/** Whether a call, or its result, represents a person's message. */
function isInvocation({ callId: id, name }: Pick<FunctionCall, 'callId' | 'name'>): boolean {
  return standsFor({ id, tool: name, input: {} }).turn !== undefined
}

function abandoned({ callId, name }: FunctionCall): AgentInputItem {
  return { type: 'function_call_result', callId, name, status: 'completed', output: abandonedCallText(name) }
}

function callAsWritten(item: FunctionCall): AgentInputItem {
  const { name, arguments: text } = standsFor(frameworkCall(item)).written ?? item
  const given = readArguments(text)
  // A server may refuse the whole conversation for arguments that are not an object.
  const isObject = argumentsAsObject(given) === given && text.trim() !== ''
  return withoutMark({ ...item, name: String(item.providerData?.[MARK] ?? name), arguments: isObject ? text : '{}' })
}

/** The text of an item, as the model reads it. */
export function itemText(item: AgentInputItem): string {
  const { content, output } = item as { readonly content?: unknown; readonly output?: unknown }
  const shown = item.type === 'function_call_result' ? output : (item.type ?? 'message') === 'message' ? content : ''
  if (typeof shown === 'string') return shown
  const parts: readonly { readonly text?: string; readonly refusal?: string }[] = [shown as object].flat()
  return parts.flatMap(({ text, refusal }) => text ?? refusal ?? []).join('\n')
}

/** What an answer of the model is made of stays together: its reasoning, its texts and its calls. */
export type Message = readonly AgentInputItem[]

export function messagesOf(input: readonly AgentInputItem[]): readonly Message[] {
  const messages: AgentInputItem[][] = []
  for (const item of input) {
    const isPart = roleOf(item) === 'assistant' && messages.length > 0 && roleOf(messages.at(-1)![0]!) === 'assistant'
    if (isPart) messages.at(-1)!.push(item)
    else messages.push([item])
  }
  return messages
}

function roleOf(item: AgentInputItem): WindowMessage['role'] {
  if (item.type === undefined || item.type === 'message') return item.role === 'assistant' ? 'assistant' : 'user'
  return /_(?:result|output)$/.test(item.type) ? 'tool' : 'assistant'
}

export function windowMessage(message: Message): WindowMessage {
  const hidden = message.filter(
    ({ type = 'message' }) => !['message', 'function_call', 'function_call_result'].includes(type),
  )
  const files = JSON.stringify(message).match(/"type":"(?:input_)?(?:image|file|audio)"/g)?.length ?? 0
  return {
    role: roleOf(message[0]!),
    text: message.map(itemText).filter(Boolean).join('\n'),
    calls: message.flatMap((item) => (item.type === 'function_call' ? [standsFor(frameworkCall(item)).meant] : [])),
    answers: message.flatMap((item) => (item.type === 'function_call_result' ? [item.callId] : [])),
    ...(hidden.length > 0 && { hidden: JSON.stringify(hidden) }),
    ...(files > 0 && { files }),
    ...(message.some(({ providerData }) => providerData?.[MARK] === 'skills') && { own: true }),
    // The provider has summarised what stands before it.
    ...(message.some(({ type }) => type === 'compaction') && { compaction: true }),
  }
}
