import { readConversation } from '../conversation.ts'
import { absent, array, type Fields, flag, list, object, oneOf, pick, refuseUnknown, string, text } from '../fields.ts'
import { checkStream } from '../openai/openai.ts'
import { type Memory, RefusedRequest } from '../protocol.ts'
import { checkChosen, readTools, type ToolReader } from '../tools.ts'
import type { WireRequest } from '../wire.ts'
import { checkItems, groupItems, readItem, type ReadItem } from './items.ts'

/** What the vendor runs or keeps by itself, and this endpoint does not. */
const NOT_SERVED = ['background', 'conversation', 'prompt']

/** OpenAI API reference, "Create a model response". */
const KNOWN = [
  ...NOT_SERVED,
  'access_programs',
  'context_management',
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
]

/**
 * Reads the body of a request.
 * @throws {TypeError} if OpenAI's API answers with 400
 * @throws {RefusedRequest} if it answers with another status, or with a code
 */
export function decodeRequest(body: Fields, memory: Memory): Omit<WireRequest, 'raw'> {
  refuseUnknown(body, KNOWN, 'The body')
  const unserved = NOT_SERVED.find((name) => !absent(body[name]) && body[name] !== false)
  if (unserved !== undefined) throw new TypeError(`${unserved} is given, which is not served here.`)
  checkStream(body)
  for (const name of ['store', 'parallel_tool_calls']) flag(body[name], name)
  if (!absent(body.include)) array(body.include, 'include')
  const tools = readTools(body.tools, /^[a-zA-Z0-9_-]{1,128}$/, (tool, at) =>
    pick(TOOLS, tool.type, `${at}.type`)(tool, at),
  )
  const { tool_choice: choice, instructions } = body
  if (typeof choice === 'string') oneOf(['auto', 'none', 'required'], choice, 'tool_choice')
  else if (!absent(choice)) {
    const { type, name } = object(choice, 'tool_choice')
    checkChosen(pick({ function: [name], allowed_tools: [] }, type, 'tool_choice.type'), tools, 'tool_choice.name')
  }
  const items = itemsOf(body, memory)
  if (items.length === 0) throw new TypeError('One of "input" and "previous_response_id" must be provided.')
  checkItems(items, memory)
  const prompt = absent(instructions) ? [] : [{ at: 'instructions', text: text(instructions, 'instructions') }]
  const { format } = absent(body.text) ? {} : object(body.text, 'text')
  const { schema: output } = absent(format) ? {} : object(format, 'text.format')
  const conversation = readConversation(groupItems(items), { anywhere: true }, prompt)
  return { ...conversation, tools, output, stream: body.stream === true }
}

/**
 * Returns the conversation that `previous_response_id` names, and the items of the input, in which a text is a message
 * of the user's. OpenAI API, error "previous_response_not_found".
 */
export function itemsOf({ input, previous_response_id: id }: Fields, memory: Memory): ReadItem[] {
  const stored = absent(id) ? [] : memory.responses.get(string(id, 'previous_response_id'))
  if (stored === undefined) {
    throw new RefusedRequest(400, `Previous response with id '${String(id)}' not found.`, 'previous_response_not_found')
  }
  const given = typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? [])
  const read = (item: Fields, at: string): ReadItem => readItem(item, at, memory)
  return [...list(stored, 'previous', read), ...list(given, 'input', read)]
}

/** OpenAI API guide, "Apply patch": the vendor defines that tool, and the client runs it. No script calls it here. */
const TOOLS: Readonly<Record<string, ToolReader>> = {
  apply_patch: () => ({ name: 'apply_patch', description: '', schema: { type: 'object' } }),
  function({ name, description, parameters: schema, strict }, at) {
    if (strict === true) checkStrict(object(schema, `${at}.parameters`), `${at}.parameters`)
    return { name, description, schema }
  },
}

/** OpenAI API guide, "Strict mode": every property is required, and there are no others. */
function checkStrict({ properties = {}, required = [], additionalProperties }: Fields, at: string): void {
  const listed = new Set(array(required, `${at}.required`))
  const missing = Object.keys(object(properties, `${at}.properties`)).find((key) => !listed.has(key))
  if (additionalProperties === false && missing === undefined) return
  const lack = missing === undefined ? '"additionalProperties": false' : `"${missing}" in "required"`
  throw new TypeError(`${at} lacks ${lack}. The schema of a strict tool requires every property, and allows no others.`)
}
