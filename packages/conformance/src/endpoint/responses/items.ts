import { checkArguments } from '../call-input.ts'
import { absent, array, type Fields, object, string } from '../fields.ts'
import { type Memory, RefusedRequest } from '../protocol.ts'
import { unseal } from '../seal.ts'

/** The longest id of an item or a call. */
const MAX_ID_CHARS = 64

/**
 * Reads the items of an input, with references replaced by what they refer to. OpenAI API reference, "Create a model
 * response", `input`.
 *
 * @throws {TypeError} naming the item, if OpenAI's API answers with 400
 * @throws {RefusedRequest} if an item is not stored
 */
export function readItems(input: readonly unknown[], memory: Memory): Fields[] {
  return input.map((given, index) => {
    const at = `input[${index}]`
    const item = object(given, at)
    const { type = 'message' } = item
    const read = READERS.get(type)
    if (read !== undefined) return read(item, at, memory)
    throw new TypeError(`${at}.type is ${JSON.stringify(type)}. Known are ${[...READERS.keys()].join(', ')}.`)
  })
}

type Reader = (item: Fields, at: string, memory: Memory) => Fields

const READERS: ReadonlyMap<unknown, Reader> = new Map<unknown, Reader>([
  ['message', readMessage],
  ['function_call', readCall],
  ['function_call_output', readOutput],
  ['reasoning', readReasoning],
  ['item_reference', readReference],
])

/** OpenAI API reference: the kinds of content that a message of a role has, and a result. */
const PARTS = {
  input: new Set(['input_text', 'input_image', 'input_file']),
  output: new Set(['output_text', 'refusal']),
}

function readMessage(item: Fields, at: string): Fields {
  const { role, content, id } = item
  if (role !== 'user' && role !== 'assistant' && role !== 'system' && role !== 'developer') {
    throw new TypeError(`${at}.role is ${JSON.stringify(role)}. Known are user, assistant, system and developer.`)
  }
  if (role === 'assistant') checkId(id, 'msg', at)
  checkContent(content, role === 'assistant' ? PARTS.output : PARTS.input, `${at}.content`)
  return { ...item, type: 'message' }
}

function checkContent(content: unknown, known: ReadonlySet<string>, at: string): void {
  if (typeof content === 'string') return
  for (const [index, part] of array(content, at).entries()) {
    const here = `${at}[${index}]`
    const { type, text, refusal, image_url: image, file_id: id, file_data: data, file_url: url } = object(part, here)
    if (typeof type !== 'string' || !known.has(type)) {
      throw new TypeError(
        `Invalid value: ${JSON.stringify(type)} in ${here}. Supported values are: ${[...known].join(', ')}.`,
      )
    }
    const needed = type === 'refusal' ? refusal : text
    if (type.endsWith('_text') || type === 'refusal') {
      if (typeof needed !== 'string') throw new TypeError(`${here} has no text, or one that is not a string.`)
    } else if (absent(id) && absent(image) && absent(data) && absent(url)) {
      throw new TypeError(`${here} is of the type ${type} and holds nothing.`)
    }
  }
}

function readCall(item: Fields, at: string): Fields {
  checkId(item.id, 'fc', at)
  callId(item.call_id, at)
  string(item.name, `${at}.name`)
  if (typeof item.arguments !== 'string') throw new TypeError(`${at}.arguments is not a string.`)
  checkArguments(item.arguments, `${at}.arguments`)
  return item
}

function readOutput(item: Fields, at: string): Fields {
  callId(item.call_id, at)
  checkContent(item.output, PARTS.input, `${at}.output`)
  return item
}

/** OpenAI API, errors "invalid_encrypted_content" and "Items are not persisted when `store` is set to false". */
function readReasoning(item: Fields, at: string, memory: Memory): Fields {
  const { summary, encrypted_content: sealed } = item
  const id = checkId(item.id, 'rs', at)
  for (const [index, part] of array(summary, `${at}.summary`).entries()) {
    const here = `${at}.summary[${index}]`
    const { type, text } = object(part, here)
    if (type !== 'summary_text') throw new TypeError(`${here}.type is ${JSON.stringify(type)}, not "summary_text".`)
    if (typeof text !== 'string') throw new TypeError(`${here}.text is not a string.`)
  }
  if (absent(sealed)) {
    if (id === undefined) throw new TypeError(`${at} has neither an "id" nor an "encrypted_content".`)
    return storedItem(id, memory)
  }
  if (unseal(string(sealed, `${at}.encrypted_content`)) === undefined) {
    const message = `The encrypted content for item ${id ?? at} could not be verified.`
    throw new RefusedRequest({ status: 400, message, code: 'invalid_encrypted_content' })
  }
  return item
}

function readReference({ id }: Fields, at: string, memory: Memory): Fields {
  return storedItem(string(id, `${at}.id`), memory)
}

function storedItem(id: string, { stored }: Memory): Fields {
  const [item] = id.startsWith('resp_') ? [] : (stored.get(id) ?? [])
  if (item !== undefined) return item
  throw new RefusedRequest({
    status: 404,
    message:
      `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with ` +
      '`store` set to true, or remove this item from your input.',
  })
}

function checkId(id: unknown, prefix: string, at: string): string | undefined {
  if (absent(id)) return undefined
  const text = string(id, `${at}.id`)
  if (!text.startsWith(prefix)) {
    throw new TypeError(`Invalid '${at}.id': '${text}'. Expected an ID that begins with '${prefix}'.`)
  }
  checkLength(text, `${at}.id`)
  return text
}

function callId(id: unknown, at: string): void {
  checkLength(string(id, `${at}.call_id`), `${at}.call_id`)
}

function checkLength(id: string, at: string): void {
  if (id.length <= MAX_ID_CHARS) return
  throw new TypeError(
    `Invalid '${at}': string too long. It has ${id.length} characters, and ${MAX_ID_CHARS} are allowed.`,
  )
}
