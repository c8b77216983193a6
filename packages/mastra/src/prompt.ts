import {
  abandonedCallText,
  argumentsAsObject,
  messageText,
  type MessagePart,
  type StandIn,
  standsFor,
  type WindowMessage,
} from '@repertoire/core/adapter'
import type { MessageList } from '@mastra/core/agent'

/** A part of a message, in any version of AI SDK's model interface. */
interface Part {
  readonly type: string
  readonly text?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: { readonly type: string; readonly value?: unknown; readonly reason?: string }
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
}

/** A message as a model is sent it, in any version of AI SDK's model interface. */
export type Message =
  | { readonly role: 'system'; readonly content: string; readonly providerOptions?: Part['providerOptions'] }
  | {
      readonly role: 'user' | 'assistant' | 'tool'
      readonly content: readonly Part[]
      readonly providerOptions?: Part['providerOptions']
    }

type SystemMessage = Extract<Message, { readonly role: 'system' }>
type Spoken = Exclude<Message, SystemMessage>

/** Marks what this package writes into messages and calls. */
export const MARK = 'repertoire'

/** A text of the session's, behind a person's message. */
export function ownMessage(text: string): Spoken & { readonly role: 'user' } {
  return { role: 'user', content: [{ type: 'text', text }], providerOptions: { [MARK]: { from: 'skills' } } }
}

function isOwn({ providerOptions, content }: Message): boolean {
  const parts = typeof content === 'string' ? [] : content
  return [{ providerOptions }, ...parts].some((each) => each.providerOptions?.[MARK]?.['from'] === 'skills')
}

/**
 * The conversation as the model wrote it, and as its server accepts it: under the names that the model wrote, and each
 * call with a result.
 */
export function asWritten(prompt: readonly Message[]): readonly Message[] {
  const results = new Map(
    prompt.flatMap(({ role, content }) =>
      role === 'tool' ? content.map((part) => [part.toolCallId, part] as const) : [],
    ),
  )
  const seen = new Map<string | undefined, readonly Part[]>()
  const written: Message[] = []
  for (const message of prompt) {
    // Results follow their calls: a run that has waited has both twice.
    if (message.role === 'tool') continue
    if (message.role !== 'assistant') {
      written.push(message)
      continue
    }
    const parts = withoutRepeated(message.content, seen)
    for (const { type, toolCallId } of parts) if (type === 'tool-call') seen.set(toolCallId, message.content)
    const content = parts.filter((part) => !isInvocation(part)).map(partAsWritten)
    if (content.length > 0) written.push({ ...message, content })
    const ran = new Set(content.flatMap(({ type, toolCallId }) => (type === 'tool-result' ? [toolCallId] : [])))
    const calls = content.filter(({ type, toolCallId }) => type === 'tool-call' && !ran.has(toolCallId))
    if (calls.length > 0)
      written.push({ role: 'tool', content: calls.map((call) => resultOf(call, results.get(call.toolCallId))) })
    for (const part of parts) {
      const text = isInvocation(part) ? outputText(results.get(part.toolCallId)?.output) : ''
      if (text !== '' && text !== NOTHING_SAID) written.push(ownMessage(text))
    }
  }
  return written
}

/**
 * A run that has waited stores the message with its calls a second time, behind the text that the run ends with.
 * @param seen the messages so far, by their calls
 */
function withoutRepeated(
  parts: readonly Part[],
  seen: ReadonlyMap<string | undefined, readonly Part[]>,
): readonly Part[] {
  const earlier = parts.flatMap(({ type, toolCallId }) => (type === 'tool-call' && seen.get(toolCallId)) || [])
  if (earlier.length === 0) return parts
  const copies = new Set(earlier.map((part) => JSON.stringify(part)))
  return parts.filter(
    (part) => !copies.has(JSON.stringify(part)) && !(part.type === 'tool-call' && seen.has(part.toolCallId)),
  )
}

/** The result of an invocation about which the session says nothing: Mastra takes no result for one that is to come. */
export const NOTHING_SAID = '(nothing)'

function isInvocation(part: Part): boolean {
  return standInOf(part).turn !== undefined
}

function standInOf({ toolCallId = '', toolName = '', input }: Part): StandIn {
  return standsFor({ id: toolCallId, tool: toolName, input })
}

function partAsWritten(part: Part): Part {
  if (part.type !== 'tool-call') return part
  const { tool, input } = standInOf(part).meant
  const written = part.providerOptions?.[MARK]?.['name']
  const toolName = typeof written === 'string' ? written : tool
  return { ...part, toolName, input: argumentsAsObject(input) }
}

/** The result of a call, under the name of the call. */
function resultOf({ toolCallId = '', toolName = '' }: Part, result: Part | undefined): Part {
  if (result !== undefined) return { ...result, toolName }
  const value = abandonedCallText(toolName)
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }
}

/** The ids of the calls in a conversation. */
export function callIds(prompt: readonly Message[]): readonly string[] {
  const parts = prompt.flatMap(({ role, content }) => (role === 'assistant' ? content : []))
  return parts.flatMap(({ type, toolCallId }) => (type === 'tool-call' && toolCallId) || [])
}

function outputText(output: Part['output']): string {
  if (output === undefined) return ''
  const { type, value, reason } = output
  if (type === 'text' || type === 'error-text') return String(value)
  if (type === 'execution-denied') return reason ?? ''
  if (type !== 'content') return JSON.stringify(value)
  return (value as readonly Part[]).flatMap(({ text }) => text ?? []).join('\n')
}

export function windowMessage(message: Message): WindowMessage {
  const { role, content } = message
  const parts: readonly Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const hidden = parts.filter(({ type }) => !['text', 'file', 'tool-call', 'tool-result'].includes(type))
  const files = parts.filter(({ type }) => type === 'file').length
  const results = parts.filter(({ type }) => type === 'tool-result')
  return {
    role: role as WindowMessage['role'],
    text: parts
      .flatMap(({ type, text = '', output }) =>
        type === 'text' ? text : type === 'tool-result' ? outputText(output) : [],
      )
      .join('\n'),
    calls: parts.flatMap(({ type, toolCallId = '', toolName = '', input }) =>
      type === 'tool-call' ? [{ id: toolCallId, tool: toolName, input }] : [],
    ),
    answers: results.flatMap(({ toolCallId }) => toolCallId || []),
    ...(hidden.length > 0 && { hidden: JSON.stringify(hidden) }),
    ...(files > 0 && { files }),
    ...(isOwn(message) && { own: true }),
  }
}

/** The text of a person's message at the end of some messages; undefined: there is none. */
export function personText(messages: unknown): string | undefined {
  const last: unknown = [messages].flat().at(-1)
  if (typeof last === 'string') return last
  const { role, content, parts, providerOptions } = (last ?? {}) as {
    readonly role?: string
    readonly content?: string | readonly MessagePart[] | { readonly parts?: readonly MessagePart[] }
    readonly parts?: readonly MessagePart[]
    readonly providerOptions?: Readonly<Record<string, unknown>>
  }
  if (role !== 'user' || providerOptions?.[MARK] !== undefined) return undefined
  const said = content ?? parts ?? []
  return messageText(typeof said === 'string' || Array.isArray(said) ? said : ((said as { parts?: [] }).parts ?? []))
}

/** A call without a result, of a run that was broken off or that was not continued: Mastra does not send it. */
export function giveUp(messages: MessageList): void {
  for (const { content } of messages.get.all.db()) {
    for (const part of content.parts) {
      if (part.type !== 'tool-invocation' || part.toolInvocation.state !== 'call' || part.providerExecuted === true)
        continue
      const { toolInvocation } = part
      const result = abandonedCallText(toolInvocation.toolName)
      messages.updateToolInvocation({ ...part, toolInvocation: { ...toolInvocation, state: 'result', result } })
    }
  }
}
