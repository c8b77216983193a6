import type { ToolCall } from '@repertoire/core'
import { argumentsAsObject } from '@repertoire/core/adapter'
import type OpenAI from 'openai'
import type { AssistantMessage, Message, ModelRequest, ProviderPart } from '../model.ts'
import { wireIds, wireName } from '../wire-names.ts'

type Item = OpenAI.Responses.ResponseInputItem
export type OutputItem = OpenAI.Responses.ResponseOutputItem
type RequestBody = Pick<OpenAI.Responses.ResponseCreateParams, 'instructions' | 'tools'> & { readonly input: Item[] }

const MAX_ID_LENGTH = 64

/** A request in the format of the Responses API. That API has no stop sequences. */
export function requestBody({ system, messages, tools }: ModelRequest, model: string): RequestBody {
  const idOf = wireIds(messages, MAX_ID_LENGTH)
  return {
    ...(system !== undefined && system !== '' && { instructions: system }),
    input: messages.flatMap((message) => itemsOf(message, model, idOf)),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        name,
        description,
        parameters: inputSchema,
        // The API otherwise changes schemas so that every property is required.
        strict: false,
      })),
    }),
  }
}

type IdOf = (id: string) => string

function itemsOf(message: Message, model: string, idOf: IdOf): readonly Item[] {
  const { role, content } = message
  if (role === 'user') return [{ role, content }]
  if (role === 'tool') return [{ type: 'function_call_output', call_id: idOf(message.callId), output: content }]
  const calls = (message.calls ?? []).map((call) => wireCall(call, idOf))
  const kept = keptItems(message, model)
  if (kept !== undefined) {
    return kept.map((item) => (item.type === 'function_call' ? { ...item, ...calls.shift() } : (item as Item)))
  }
  return [...(content === '' ? [] : [{ role, content }]), ...calls]
}

function wireCall({ id, tool, input }: ToolCall, idOf: IdOf): OpenAI.Responses.ResponseFunctionToolCall {
  return {
    type: 'function_call',
    call_id: idOf(id),
    name: wireName(tool),
    arguments: JSON.stringify(argumentsAsObject(input)),
  }
}

/**
 * The items of an answer as its message keeps them. Another model is not sent them: only the one that wrote reasoning can
 * be certain to decrypt it.
 */
export function providerPart(items: readonly OutputItem[], model: string): ProviderPart {
  // Without `store` the API knows no item by its id, and it rejects reasoning that no other item follows.
  const readable = items.filter((item) => item.type !== 'reasoning' || hasReasoning(item))
  return {
    vendor: vendorOf(model),
    content: readable.slice(0, readable.findLastIndex(({ type }) => type !== 'reasoning') + 1),
  }
}

function hasReasoning({ encrypted_content: encrypted, content }: OpenAI.Responses.ResponseReasoningItem): boolean {
  return (typeof encrypted === 'string' && encrypted !== '') || (content ?? []).length > 0
}

/** The items of a message, if the same model wrote them and they still match it. */
function keptItems(
  { content, calls = [], provider }: AssistantMessage,
  model: string,
): readonly OutputItem[] | undefined {
  if (provider?.vendor !== vendorOf(model)) return undefined
  const items = provider.content as readonly OutputItem[]
  const tools = items.flatMap((item) => (item.type === 'function_call' ? [item.name] : []))
  const fits =
    textOf(items) === content && tools.length === calls.length && calls.every(({ tool }, n) => tool === tools[n])
  return fits ? items : undefined
}

/** The text of an answer's items; without refusals. */
export function textOf(items: readonly OutputItem[]): string {
  return items
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('')
}

function vendorOf(model: string): string {
  return `openai-responses:${model}`
}
