import type { ToolDefinition } from '@repertoire/core'
import { type Fields, absent, array, object, string } from '../fields.ts'
import { type Memory, RefusedRequest } from '../protocol.ts'
import type { WireRequest } from '../wire.ts'
import { readItems } from './items.ts'
import { messagesOf } from './messages.ts'

/** OpenAI API reference, "Create a model response": a body with any other field is refused. */
const KNOWN: ReadonlySet<string> = new Set([
  'access_programs',
  'background',
  'context_management',
  'conversation',
  'image',
  'include',
  'input',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'model',
  'moderation',
  'parallel_tool_calls',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
])

/** What the vendor keeps or runs by itself, and this endpoint does not have. */
const NOT_SERVED = ['background', 'conversation', 'prompt'] as const

/**
 * Reads the body of a request. The conversation that `previous_response_id` names comes before the input.
 * @throws {TypeError} if OpenAI's API answers with 400
 * @throws {RefusedRequest} if it answers with another status, or with a code
 */
export function decodeRequest(body: Fields, memory: Memory): Omit<WireRequest, 'raw'> {
  checkFields(body)
  const { instructions, stream } = body
  if (!absent(instructions) && typeof instructions !== 'string') throw new TypeError('"instructions" is not a string.')
  const tools = absent(body.tools) ? [] : decodeTools(body.tools)
  checkToolChoice(body.tool_choice, tools)
  const items = [...previousItems(body.previous_response_id, memory), ...readItems(inputOf(body), memory)]
  if (items.length === 0) throw new TypeError('One of "input" and "previous_response_id" must be provided.')
  checkOrder(items)
  checkReasoning(items, (id) => reasoningOf(id, memory))
  const { system, messages } = messagesOf(items)
  return {
    system: [instructions ?? '', ...system].filter((text) => text !== '').join('\n\n'),
    tools,
    messages,
    stream: stream === true,
  }
}

function checkFields(body: Fields): void {
  const unknown = Object.keys(body).find((name) => !KNOWN.has(name))
  if (unknown !== undefined) throw new TypeError(`Unknown parameter: '${unknown}'.`)
  const unserved = NOT_SERVED.find((name) => !absent(body[name]) && body[name] !== false)
  if (unserved !== undefined) throw new TypeError(`"${unserved}" is given, which this endpoint does not serve.`)
  string(body.model, '"model"')
  for (const name of ['stream', 'store', 'parallel_tool_calls']) {
    if (!absent(body[name]) && typeof body[name] !== 'boolean') throw new TypeError(`"${name}" is not a boolean.`)
  }
  if (!absent(body.include)) array(body.include, '"include"')
  if (!absent(body.stream_options) && body.stream !== true) {
    throw new TypeError('"stream_options" is only allowed when "stream" is true.')
  }
}

/** The input as the request has it: a text is a message of the user's. */
export function inputOf({ input }: Fields): readonly unknown[] {
  if (absent(input)) return []
  return typeof input === 'string' ? [{ role: 'user', content: input }] : array(input, '"input"')
}

/** OpenAI API, error "previous_response_not_found". */
function previousItems(id: unknown, { stored }: Memory): readonly Fields[] {
  if (absent(id)) return []
  const name = string(id, '"previous_response_id"')
  const items = stored.get(name)
  if (items !== undefined && name.startsWith('resp_')) return items
  const message = `Previous response with id '${name}' not found.`
  throw new RefusedRequest({ status: 400, message, code: 'previous_response_not_found' })
}

/** The id of the reasoning that a stored item needs beside it. */
function reasoningOf(id: string, { stored }: Memory): string | undefined {
  const [, reasoning] = id.startsWith('resp_') ? [] : (stored.get(id) ?? [])
  return reasoning === undefined ? undefined : String(reasoning.id)
}

/** OpenAI API guide, "Apply patch": the vendor defines this tool and the client runs it. No script calls it here. */
const APPLY_PATCH = 'apply_patch'

function decodeTools(value: unknown): ToolDefinition[] {
  const names = new Set<string>()
  return array(value, '"tools"').map((tool, index) => {
    const at = `tools[${index}]`
    const { type, name, description, parameters, strict } = object(tool, at)
    if (type === APPLY_PATCH) return { name: APPLY_PATCH, description: '', inputSchema: { type: 'object' } }
    if (type !== 'function') {
      throw new TypeError(`${at}.type is ${JSON.stringify(type)}, which the vendor runs: nothing runs it here.`)
    }
    const known = string(name, `${at}.name`)
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(known)) {
      throw new TypeError(`${at}.name is ${JSON.stringify(known)}. A name has 1 to 128 letters, digits, "_" or "-".`)
    }
    if (names.has(known)) throw new TypeError(`${at} is the second tool named "${known}". Offer each name once.`)
    names.add(known)
    if (!absent(description) && typeof description !== 'string') {
      throw new TypeError(`${at}.description is not a string.`)
    }
    const inputSchema = absent(parameters) ? { type: 'object', properties: {} } : object(parameters, `${at}.parameters`)
    if (inputSchema.type !== 'object') {
      throw new TypeError(`${at}.parameters is of type ${JSON.stringify(inputSchema.type)}, not "object".`)
    }
    if (strict === true) checkStrict(inputSchema, known)
    return { name: known, description: description ?? '', inputSchema }
  })
}

/** OpenAI API guide, "Strict mode": every property is required, and there are no others. */
function checkStrict({ properties = {}, required = [], additionalProperties }: Fields, name: string): void {
  const listed = new Set(array(required, `the "required" of "${name}"`))
  const missing = Object.keys(object(properties, `the properties of "${name}"`)).find((key) => !listed.has(key))
  if (additionalProperties !== false) {
    throw new TypeError(`Invalid schema for function '${name}': 'additionalProperties' must be given and be false.`)
  }
  if (missing !== undefined) {
    throw new TypeError(
      `Invalid schema for function '${name}': 'required' must name every property. Missing '${missing}'.`,
    )
  }
}

const CHOICES: ReadonlySet<unknown> = new Set(['auto', 'none', 'required'])

function checkToolChoice(choice: unknown, tools: readonly ToolDefinition[]): void {
  if (absent(choice) || CHOICES.has(choice)) return
  const { type, name } = object(choice, '"tool_choice"')
  if (type === 'allowed_tools') return
  if (type !== 'function') throw new TypeError(`tool_choice.type is ${JSON.stringify(type)}, not "function".`)
  if (tools.some((tool) => tool.name === name)) return
  throw new TypeError(`Tool choice '${String(name)}' not found in 'tools' parameter.`)
}

/** The kinds of items that a model writes. */
function isModels({ type, role }: Fields): boolean {
  return type === 'function_call' || type === 'reasoning' || (type === 'message' && role === 'assistant')
}

/**
 * Checks that every call has its one result behind it, that no item is there twice, and that reasoning and the item that
 * it led to are sent back together. OpenAI API, errors "No tool call found for function call output", "No tool output
 * found for function call", "Duplicate item found with id", "was provided without its required following item", "was
 * provided without its required 'reasoning' item".
 *
 * @throws {TypeError} naming the item
 */
function checkOrder(items: readonly Fields[]): void {
  const open = new Set<string>()
  const seen = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    const { id, type } = item
    const callId = String(item.call_id)
    if (typeof id === 'string') {
      if (seen.has(id)) {
        throw new TypeError(`Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`)
      }
      seen.add(id)
    }
    if (type === 'function_call') {
      if (open.has(callId))
        throw new TypeError(`Two calls have the call_id '${callId}', and no result is between them.`)
      open.add(callId)
    }
    if (type === 'function_call_output' && !open.delete(callId)) {
      throw new TypeError(`No tool call found for function call output with call_id ${callId}.`)
    }
    const next = items[index + 1]
    if (type === 'reasoning' && typeof id === 'string' && (next === undefined || !isModels(next))) {
      throw new TypeError(`Item '${id}' of type 'reasoning' was provided without its required following item.`)
    }
  }
  const [waiting] = open
  if (waiting !== undefined) throw new TypeError(`No tool output found for function call ${waiting}.`)
}

/**
 * Checks that an item which the vendor has stored comes with the reasoning that led to it.
 * @param needed the id of the reasoning item, by the id of each stored item that needs one
 */
function checkReasoning(items: readonly Fields[], needed: (id: string) => string | undefined): void {
  const ids = new Set(items.map(({ id }) => id))
  for (const { id, type } of items) {
    const reasoning = typeof id === 'string' ? needed(id) : undefined
    if (reasoning === undefined || ids.has(reasoning)) continue
    throw new TypeError(
      `Item '${String(id)}' of type '${String(type)}' was provided without its required 'reasoning' item: '${reasoning}'.`,
    )
  }
}
