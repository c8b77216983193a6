import { type Fields } from '../fields.ts'
import { unseal } from '../seal.ts'
import type { WireCall, WireMessage } from '../wire.ts'

/** The content of a request's items. */
interface Decoded {
  /** The texts of the system messages among them. */
  readonly system: readonly string[]
  readonly messages: readonly WireMessage[]
}

/**
 * Returns items, which have been checked, as messages. What a model writes in one answer is one message here: its
 * reasoning, its text and then its calls.
 */
export function messagesOf(items: readonly Fields[]): Decoded {
  const system: string[] = []
  const messages: WireMessage[] = []
  let reasoning: string[] = []
  for (const item of items) {
    const { type, role, content, output, call_id: callId } = item
    const last = messages.at(-1)
    if (type === 'reasoning') reasoning.push(unseal(String(item.encrypted_content)) ?? '')
    else if (type === 'function_call_output') {
      messages.push({ role: 'tool', text: textOf(output), callId: String(callId) })
    } else if (type === 'function_call' && last?.role === 'assistant' && reasoning.length === 0) {
      messages[messages.length - 1] = { ...last, calls: [...(last.calls ?? []), callOf(item)] }
    } else if (type === 'function_call' || role === 'assistant') {
      const thought = reasoning.length === 0 ? {} : { reasoning: reasoning.join('\n') }
      reasoning = []
      messages.push({
        role: 'assistant',
        text: type === 'function_call' ? '' : textOf(content),
        ...thought,
        ...(type === 'function_call' && { calls: [callOf(item)] }),
      })
    } else if (role === 'user') messages.push({ role, text: textOf(content) })
    else system.push(textOf(content))
  }
  return { system, messages }
}

function callOf({ call_id: id, name, arguments: written }: Fields): WireCall {
  return { id: String(id), tool: String(name), arguments: String(written) }
}

/** A text, or parts whose texts are joined. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as readonly Fields[]).map(({ text }) => (typeof text === 'string' ? text : '')).join('')
}
