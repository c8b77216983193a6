import type { ToolCall } from '@repertoire/core'
import { argumentsAsObject } from '@repertoire/core/adapter'
import type Anthropic from '@anthropic-ai/sdk'
import type { AssistantMessage, Message, ModelRequest, ToolMessage } from '../model.ts'
import { wireIds, wireName } from '../wire-names.ts'

type RequestBody = Pick<Anthropic.MessageCreateParams, 'system' | 'messages' | 'tools' | 'stop_sequences'>
type Block = Anthropic.ContentBlockParam
interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Block[]
}

/** A request in the format of the Messages API. */
export function requestBody({ system, messages, tools, stop }: ModelRequest): RequestBody {
  const idOf = wireIds(messages)
  return {
    ...(!isBlank(system) && { system }),
    messages: joined(messages.map((message) => turnOf(message, idOf))),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        // The only type that the API accepts here, and it is required.
        input_schema: { ...inputSchema, type: 'object' as const },
      })),
    }),
    ...(stop !== undefined && { stop_sequences: [...stop] }),
  }
}

type IdOf = (id: string) => string

function turnOf(message: Message, idOf: IdOf): Turn {
  if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.content }] }
  if (message.role === 'tool') return { role: 'user', content: [wireResult(message, idOf)] }
  const calls = (message.calls ?? []).map((call) => wireCall(call, idOf))
  const content = keptBlocks(message)?.map((block) => (block.type === 'tool_use' ? (calls.shift() ?? block) : block))
  const blocks = content ?? [{ type: 'text' as const, text: message.content }, ...calls]
  // The API refuses blocks of blank text.
  return { role: 'assistant', content: blocks.filter((block) => block.type !== 'text' || !isBlank(block.text)) }
}

/** The vendor's blocks, if they still match the message. */
function keptBlocks({ content, calls = [], provider }: AssistantMessage): readonly Block[] | undefined {
  if (provider?.vendor !== 'anthropic') return undefined
  const blocks = provider.content as readonly Block[]
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')
  const tools = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.name] : []))
  const fits = text === content && tools.length === calls.length && calls.every(({ tool }, n) => tool === tools[n])
  return fits ? blocks : undefined
}

function wireCall({ id, tool, input }: ToolCall, idOf: IdOf): Anthropic.ToolUseBlockParam {
  return { type: 'tool_use', id: idOf(id), name: wireName(tool), input: argumentsAsObject(input) }
}

function wireResult({ callId, content, isError }: ToolMessage, idOf: IdOf): Anthropic.ToolResultBlockParam {
  // The API rejects an error without text.
  const said = content === '' ? {} : { content, ...(isError && { is_error: true }) }
  return { type: 'tool_result', tool_use_id: idOf(callId), ...said }
}

/**
 * Joins consecutive messages of one role to one turn: the API requires the results of one message in one turn, and some
 * compatible servers require turns to alternate. Each text stays a block.
 */
function joined(turns: readonly Turn[]): Anthropic.MessageParam[] {
  const whole: { role: Turn['role']; content: Block[] }[] = []
  for (const { role, content } of turns) {
    if (content.length === 0) continue
    const last = whole.at(-1)
    if (last?.role === role) last.content.push(...content)
    else whole.push({ role, content: [...content] })
  }
  return whole
}

function isBlank(text: string | undefined): text is undefined {
  return text === undefined || text.trim() === ''
}
