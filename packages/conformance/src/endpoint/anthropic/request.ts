import { byType, readConversation, readPieces, readText } from '../conversation.ts'
import { absent, type Fields, flag, object, oneOf, pick, refuseUnknown, string } from '../fields.ts'
import { countTokens } from '../tokens.ts'
import { checkChosen, readTools, type ToolReader } from '../tools.ts'
import type { WireRequest } from '../wire.ts'
import { notBlank, readMessages } from './messages.ts'

/** Anthropic API reference, "Count tokens in a Message" and "Create a message", with the fields in beta. */
const OF_PROMPT = [
  'cache_control',
  'container',
  'context_management',
  'diagnostics',
  'fallbacks',
  'inference_geo',
  'mcp_servers',
  'messages',
  'metadata',
  'model',
  'output_config',
  'output_format',
  'service_tier',
  'speed',
  'system',
  'thinking',
  'tool_choice',
  'tools',
  'user_profile_id',
  'workspace_id',
]
const OF_ANSWER = ['max_tokens', 'stop_sequences', 'stream', 'temperature', 'top_k', 'top_p']

/**
 * Reads the body of a request.
 * @throws {TypeError} if Anthropic's API answers with 400
 */
export function decodeRequest(body: Fields): Omit<WireRequest, 'raw'> {
  const { max_tokens: maxTokens, stream } = body
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1) {
    throw new TypeError('max_tokens is not a whole number from 1, and without one there is no answer.')
  }
  return { ...decodePrompt(body, [...OF_PROMPT, ...OF_ANSWER]), stream: flag(stream, 'stream') }
}

/**
 * Returns the answer to a request that counts the tokens of a prompt.
 * @throws {TypeError} if Anthropic's API answers with 400
 */
export function countPrompt(body: Fields): { readonly input_tokens: number } {
  decodePrompt(body, OF_PROMPT)
  return { input_tokens: countTokens(body, { content: null }).prompt }
}

function decodePrompt(body: Fields, known: readonly string[]): Omit<WireRequest, 'raw' | 'stream'> {
  refuseUnknown(body, known, 'The body')
  string(body.model, 'model')
  const tools = readTools(body.tools, /^[a-zA-Z0-9_-]{1,128}$/, readTool)
  if (!absent(body.tool_choice)) {
    const { type, name } = object(body.tool_choice, 'tool_choice')
    if (tools.length === 0) throw new TypeError('tool_choice may only be given beside "tools".')
    const names = pick({ auto: [], any: [], none: [], tool: [name] }, type, 'tool_choice.type')
    checkChosen(names, tools, 'tool_choice.name')
  }
  const system = absent(body.system) ? [] : readPieces(body.system, 'system', byType({ text: readText }))
  if (Array.isArray(body.system)) notBlank(system, 'system')
  const { format = body.output_format } = absent(body.output_config) ? {} : object(body.output_config, 'output_config')
  const { schema: output } = absent(format) ? {} : object(format, 'the format of the output')
  return { ...readConversation(readMessages(body.messages), { joined: true, once: true }, system), tools, output }
}

const readTool: ToolReader = ({ type, name, description, input_schema: schema }, at) => {
  // A type of another name is a tool that the vendor runs, and nothing runs it here.
  if (!absent(type)) oneOf(['custom'], type, `${at}.type`)
  return { name, description, schema: object(schema, `${at}.input_schema`) }
}
