import type { ToolDefinition } from '@repertoire/core'
import { absent, array, type Fields, object, string } from '../fields.ts'
import { countTokens } from '../tokens.ts'
import type { WireRequest } from '../wire.ts'
import { decodeMessages } from './messages.ts'

/** Anthropic API reference, "Create a message": a body with any other field is refused. */
const KNOWN: ReadonlySet<string> = new Set([
  'cache_control',
  'container',
  'context_management',
  'diagnostics',
  'fallbacks',
  'inference_geo',
  'max_tokens',
  'mcp_servers',
  'messages',
  'metadata',
  'model',
  'output_config',
  'output_format',
  'service_tier',
  'speed',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
  'user_profile_id',
  'workspace_id',
])

/** Anthropic API reference, "Count tokens in a Message", with the fields in beta. */
const KNOWN_TO_COUNT: ReadonlySet<string> = new Set([
  'cache_control',
  'context_management',
  'mcp_servers',
  'messages',
  'model',
  'output_config',
  'output_format',
  'speed',
  'system',
  'thinking',
  'tool_choice',
  'tools',
])

/**
 * Reads the body of a request.
 * @throws {TypeError} if Anthropic's API answers with 400
 */
export function decodeRequest(body: Fields): Omit<WireRequest, 'raw'> {
  checkFields(body, KNOWN)
  const { max_tokens: maxTokens, stream } = body
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1) {
    throw new TypeError('"max_tokens" is not a whole number from 1, and without one there is no answer.')
  }
  if (stream !== undefined && typeof stream !== 'boolean') throw new TypeError('"stream" is not a boolean.')
  return { ...decodePrompt(body), stream: stream === true }
}

/**
 * Returns the answer to a request that counts the tokens of a prompt.
 * @throws {TypeError} if Anthropic's API answers with 400
 */
export function countPrompt(body: Fields): { readonly input_tokens: number } {
  checkFields(body, KNOWN_TO_COUNT)
  decodePrompt(body)
  return { input_tokens: countTokens(body, { content: null }).prompt }
}

function checkFields(body: Fields, known: ReadonlySet<string>): void {
  const unknown = Object.keys(body).find((name) => !known.has(name))
  if (unknown !== undefined) throw new TypeError(`${unknown}: Extra inputs are not permitted.`)
  string(body.model, '"model"')
}

function decodePrompt(body: Fields): Omit<WireRequest, 'raw' | 'stream'> {
  const tools = body.tools === undefined ? [] : decodeTools(body.tools)
  checkToolChoice(body.tool_choice, tools)
  const { system, messages } = decodeMessages(array(body.messages, '"messages"'))
  return {
    system: [decodeSystem(body.system), ...system].filter((text) => text !== '').join('\n\n'),
    tools,
    messages,
  }
}

/** A text, or blocks of text, which the model reads as one. */
function decodeSystem(system: unknown): string {
  if (system === undefined || typeof system === 'string') return system ?? ''
  return array(system, '"system"')
    .map((block, index) => {
      const at = `system.${index}`
      const fields = object(block, at)
      if (fields.type !== 'text') throw new TypeError(`${at}.type is ${JSON.stringify(fields.type)}, not "text".`)
      return string(fields.text, `${at}.text`)
    })
    .join('')
}

function decodeTools(value: unknown): ToolDefinition[] {
  const names = new Set<string>()
  return array(value, '"tools"').map((tool, index) => {
    const at = `tools.${index}`
    const { type, name, description, input_schema: schema } = object(tool, at)
    if (!absent(type) && type !== 'custom') {
      throw new TypeError(`${at} is of the type ${JSON.stringify(type)}, which the vendor runs: nothing runs it here.`)
    }
    const known = string(name, `${at}.name`)
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(known)) {
      throw new TypeError(`${at}.name is ${JSON.stringify(known)}. A name has 1 to 128 letters, digits, "_" or "-".`)
    }
    if (names.has(known)) throw new TypeError(`${at} is the second tool named "${known}". Offer each name once.`)
    names.add(known)
    if (description !== undefined && typeof description !== 'string') {
      throw new TypeError(`${at}.description is not a string.`)
    }
    const inputSchema = object(schema, `${at}.input_schema`)
    if (inputSchema.type !== 'object') {
      throw new TypeError(`${at}.input_schema.type is ${JSON.stringify(inputSchema.type)}, not "object".`)
    }
    return { name: known, description: description ?? '', inputSchema }
  })
}

const CHOICES: ReadonlySet<unknown> = new Set(['auto', 'any', 'tool', 'none'])

function checkToolChoice(choice: unknown, tools: readonly ToolDefinition[]): void {
  if (choice === undefined) return
  const { type, name } = object(choice, '"tool_choice"')
  if (!CHOICES.has(type)) {
    throw new TypeError(`tool_choice.type is ${JSON.stringify(type)}. Known are auto, any, tool and none.`)
  }
  if (tools.length === 0) throw new TypeError('"tool_choice" may only be given beside "tools".')
  if (type === 'tool' && !tools.some((tool) => tool.name === name)) {
    throw new TypeError(`tool_choice.name is ${JSON.stringify(name)}, which is not one of the tools.`)
  }
}
