import type { ToolDefinition } from '@repertoire/core'
import { checkArguments } from '../call-input.ts'
import type { Dialect } from '../dialect.ts'
import { type Fields, absent, array, object, string } from '../fields.ts'
import type { WireCall, WireMessage } from '../wire.ts'

/**
 * OpenAI chat completions with native tool calls: the default dialect. It refuses what OpenAI's API and other servers
 * of its protocol refuse, so that an adapter which passes here also works there.
 */
export const nativeTools: Dialect = {
  name: 'native tool calls',
  decode(body) {
    const { messages, tools, stream } = object(body, 'the body')
    const list = array(messages, '"messages"')
    if (list.length === 0) throw new TypeError('"messages" is empty. At least one message is needed.')
    const system: string[] = []
    const rest: WireMessage[] = []
    for (const [index, message] of list.entries()) {
      const at = `messages[${index}]`
      const fields = object(message, at)
      if (fields.role === 'system' || fields.role === 'developer') system.push(text(fields.content, at))
      else rest.push(decodeMessage(fields, at))
    }
    checkPairing(list.map((message) => object(message, 'a message')))
    return {
      system: system.join('\n\n'),
      tools: tools === undefined ? [] : decodeTools(tools),
      messages: rest,
      stream: stream === true,
    }
  },
  encode({ text: said, calls, reasoning }) {
    const thought = reasoning === undefined ? {} : { reasoning }
    return calls.length === 0
      ? { content: said ?? '', ...thought }
      : { content: said ?? null, toolCalls: calls, ...thought }
  },
}

function decodeMessage(fields: Fields, at: string): WireMessage {
  const { role, content } = fields
  if (role === 'user') return { role, text: text(content, at) }
  if (role === 'tool')
    return { role, text: text(content, at), callId: string(fields.tool_call_id, `${at}.tool_call_id`) }
  if (role !== 'assistant') {
    throw new TypeError(`${at}.role is ${JSON.stringify(role)}. Known are system, developer, user, assistant and tool.`)
  }
  const calls = fields.tool_calls === undefined || fields.tool_calls === null ? [] : decodeCalls(fields.tool_calls, at)
  const reasoning = decodeReasoning(fields, at)
  if (calls.length === 0) return { role, text: text(content, at), ...reasoning }
  return { role, text: content === null || content === undefined ? '' : text(content, at), ...reasoning, calls }
}

function decodeReasoning({ reasoning_content: reasoning }: Fields, at: string): Pick<WireMessage, 'reasoning'> {
  if (absent(reasoning) || reasoning === '') return {}
  if (typeof reasoning === 'string') return { reasoning }
  throw new TypeError(`${at}.reasoning_content is not a string.`)
}

function decodeCalls(value: unknown, at: string): WireCall[] {
  const calls = array(value, `${at}.tool_calls`)
  if (calls.length === 0) throw new TypeError(`${at}.tool_calls is empty. Leave it out where there are no calls.`)
  return calls.map((call, index) => {
    const here = `${at}.tool_calls[${index}]`
    const fields = object(call, here)
    if (fields.type !== 'function')
      throw new TypeError(`${here}.type is ${JSON.stringify(fields.type)}, not "function".`)
    const called = object(fields.function, `${here}.function`)
    if (typeof called.arguments !== 'string') throw new TypeError(`${here}.function.arguments is not a string.`)
    checkArguments(called.arguments, `${here}.function.arguments`)
    return {
      id: string(fields.id, `${here}.id`),
      tool: string(called.name, `${here}.function.name`),
      arguments: called.arguments,
    }
  })
}

function decodeTools(value: unknown): ToolDefinition[] {
  const tools = array(value, '"tools"')
  if (tools.length === 0) throw new TypeError('"tools" is empty. Leave it out where there are no tools.')
  const names = new Set<string>()
  return tools.map((tool, index) => {
    const at = `tools[${index}]`
    const fields = object(tool, at)
    if (fields.type !== 'function') throw new TypeError(`${at}.type is ${JSON.stringify(fields.type)}, not "function".`)
    const { name, description, parameters } = object(fields.function, `${at}.function`)
    const known = string(name, `${at}.function.name`)
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(known)) {
      throw new TypeError(`${at} is named ${JSON.stringify(known)}. A name has 1 to 64 letters, digits, "_" or "-".`)
    }
    if (names.has(known)) throw new TypeError(`${at} is the second tool named "${known}". Offer each name once.`)
    names.add(known)
    if (description !== undefined && typeof description !== 'string') {
      throw new TypeError(`${at}.function.description is not a string.`)
    }
    return { name: known, description: description ?? '', inputSchema: schema(parameters, `${at}.function.parameters`) }
  })
}

/** OpenAI API reference, function parameters: left out, they are an empty list. */
function schema(value: unknown, at: string): Fields {
  if (value === undefined) return { type: 'object', properties: {} }
  const fields = object(value, at)
  if (fields.type !== 'object') throw new TypeError(`${at} is of type ${JSON.stringify(fields.type)}, not "object".`)
  return fields
}

/** A content: a string, or an array of parts whose texts are joined. */
function text(content: unknown, at: string): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw new TypeError(`${at}.content is neither a string nor an array of parts.`)
  return content
    .map((part: unknown, index) => {
      const fields = object(part, `${at}.content[${index}]`)
      if (fields.type !== 'text') return ''
      if (typeof fields.text !== 'string') throw new TypeError(`${at}.content[${index}].text is not a string.`)
      return fields.text
    })
    .join('')
}

/**
 * Checks that every call has its result. OpenAI API, error "An assistant message with 'tool_calls' must be followed by
 * tool messages responding to each 'tool_call_id'": nothing may come between a call and its results, no result may
 * be missing, be there twice, or answer a call that was not made.
 *
 * @param messages chat-completions messages whose single fields have been checked
 * @throws {TypeError} naming the message and the call
 */
function checkPairing(messages: readonly Readonly<Record<string, unknown>>[]): void {
  let open = new Set<string>()
  let called = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    if (message.role === 'tool') {
      const id = message.tool_call_id as string
      if (open.delete(id)) continue
      if (called.has(id)) throw new TypeError(`${at} is a second result of the call "${id}".`)
      throw new TypeError(`${at} answers the call "${id}", which the assistant message before it does not make.`)
    }
    refuseOpen(open, at)
    const calls = (message.role === 'assistant' ? (message.tool_calls ?? []) : []) as readonly { readonly id: string }[]
    called = new Set(calls.map((call) => call.id))
    if (called.size < calls.length) throw new TypeError(`${at} makes two calls of one id.`)
    open = new Set(called)
  }
  refuseOpen(open, 'the end of the messages')
}

function refuseOpen(open: ReadonlySet<string>, at: string): void {
  if (open.size === 0) return
  const ids = [...open].map((id) => `"${id}"`).join(', ')
  throw new TypeError(`${ids} ${open.size === 1 ? 'is a call' : 'are calls'} without a tool message before ${at}.`)
}
