import type { SentMessage } from '../dialect.ts'
import { type Fields, array, object, string } from '../fields.ts'
import type { ModelFile } from '../files.ts'
import { unseal } from '../seal.ts'
import type { WireMessage } from '../wire.ts'
import { type Call, type Content, type Result, pairCalls } from './calls.ts'
import { fieldsOf, names } from './names.ts'

const CONTENT = names('parts', 'role')
const CALL = names('args', 'id', 'name')
const BLOB = names('data', 'displayName', 'mimeType')
const RESPONSE = names('id', 'name', 'parts', 'response', 'scheduling', 'willContinue')

/** Gemini API reference, `Part`: the kinds of parts; each part has exactly one. */
const KINDS: readonly string[] = [
  'codeExecutionResult',
  'executableCode',
  'fileData',
  'functionCall',
  'functionResponse',
  'inlineData',
  'text',
  'toolCall',
  'toolResponse',
]
const PART = names(
  ...KINDS,
  'mediaProcessing',
  'mediaResolution',
  'partMetadata',
  'speechMetadata',
  'thought',
  'thoughtSignature',
  'videoMetadata',
)

/** What reading contents needs. */
export interface Reading {
  /** As the address names it. */
  readonly model: string
  /** The model's messages of this conversation, oldest first. */
  readonly sent: readonly SentMessage[]
}

/**
 * Reads the contents of a request. Function responses become messages of the role `tool`, under the ids of the calls
 * that they answer, which the client need not send.
 *
 * @throws {TypeError} naming the content and the part, where Gemini's API answers with 400
 */
export function decodeContents(list: readonly unknown[], { model, sent }: Reading): WireMessage[] {
  if (list.length === 0) throw new TypeError('contents is not specified. At least one content is needed.')
  const contents = list.map((content, index) => decodeContent(content, `contents[${index}]`))
  const paired = pairCalls(contents, sent)
  checkSignatures(contents, model)
  return contents.flatMap(({ role, text, reasoning, files, results }, index): WireMessage[] => {
    const { ids = [], calls = [] } = paired.get(index) ?? {}
    if (role === 'model') {
      return [
        {
          role: 'assistant',
          text,
          ...(reasoning !== '' && { reasoning }),
          ...(files.length > 0 && { files }),
          ...(calls.length > 0 && { calls }),
        },
      ]
    }
    if (results.length === 0) return [{ role: 'user', text }]
    return results.map((result, n) => ({ role: 'tool', text: result.text, callId: ids[n]! }))
  })
}

function decodeContent(value: unknown, at: string): Content {
  const { role = 'user', parts } = fieldsOf(value, at, CONTENT)
  if (role !== 'user' && role !== 'model' && role !== 'function') {
    throw new TypeError(`${at}.role is ${JSON.stringify(role)}. Please use a valid role: user, model.`)
  }
  const list = array(parts, `${at}.parts`)
  if (list.length === 0) throw new TypeError(`${at}.parts is empty. Every content needs a part.`)
  const read = list.map((part, index) => decodePart(part, `${at}.parts[${index}]`))
  const calls = read.flatMap(({ call }) => (call === undefined ? [] : [call]))
  const results = read.flatMap(({ result }) => (result === undefined ? [] : [result]))
  if (calls.length > 0 && role !== 'model') throw new TypeError(`${at} has a functionCall, which is the model's.`)
  if (results.length > 0 && role === 'model') throw new TypeError(`${at} has a functionResponse, which is the user's.`)
  if (results.length > 0 && read.some(({ text }) => text !== undefined)) {
    throw new TypeError(`${at} has a text beside a functionResponse. Give it a content of its own.`)
  }
  const text = read.map((part) => part.text ?? '').join('')
  const reasoning = read.flatMap(({ thought }) => thought ?? []).join('\n')
  return {
    at,
    role: role === 'model' ? 'model' : 'user',
    text,
    reasoning,
    files: read.flatMap(({ file }) => file ?? []),
    calls,
    results,
  }
}

interface ReadPart {
  /** What the signature of the part holds. */
  readonly thought?: string
  readonly file?: ModelFile
  readonly text?: string
  readonly call?: Call
  readonly result?: Result
}

function decodePart(value: unknown, at: string): ReadPart {
  const fields = fieldsOf(value, at, PART)
  const kinds = KINDS.filter((kind) => fields[kind] !== undefined)
  if (kinds.length !== 1) {
    throw new TypeError(`${at} holds ${kinds.join(' and ') || 'nothing'}. A part has exactly one of what it can hold.`)
  }
  const { text, thought, thoughtSignature: signature } = fields
  const held = typeof signature === 'string' ? unseal(signature) : undefined
  const signed = held === undefined ? {} : { thought: held }
  if (text !== undefined) {
    if (typeof text !== 'string') throw new TypeError(`${at}.text is not a string.`)
    return thought === true ? signed : { ...signed, text }
  }
  if (fields.functionCall !== undefined) {
    const { id, name, args } = fieldsOf(fields.functionCall, `${at}.function_call`, CALL)
    const call = {
      id: id === undefined ? undefined : string(id, `${at}.function_call.id`),
      tool: string(name, `${at}.function_call.name`),
      args: args === undefined ? {} : object(args, `${at}.function_call.args`),
      signed: typeof signature === 'string' && signature !== '',
    }
    return { ...signed, call }
  }
  if (fields.inlineData !== undefined) {
    const { mimeType, data } = fieldsOf(fields.inlineData, `${at}.inline_data`, BLOB)
    const mediaType = string(mimeType, `${at}.inline_data.mime_type`)
    return { ...signed, file: { mediaType, data: string(data, `${at}.inline_data.data`) } }
  }
  return fields.functionResponse === undefined ? signed : { result: decodeResult(fields.functionResponse, at) }
}

function decodeResult(value: unknown, part: string): Result {
  const at = `${part}.function_response`
  const { id, name, response } = fieldsOf(value, at, RESPONSE)
  const tool = string(name, `${at}.name`)
  return {
    at,
    id: id === undefined ? undefined : string(id, `${at}.id`),
    tool,
    text: responseText(object(response, `${at}.response`), tool),
  }
}

const OUTPUT_KEYS: ReadonlySet<unknown> = new Set(['output', 'result', 'content', 'error'])

/**
 * Returns the result of a function as text. Gemini API reference, `FunctionResponse.response`: an object
 * with keys of the client's choice, such as "output" or "result", and "error" for what went wrong. Some clients put the
 * function's name beside it.
 */
function responseText(response: Fields, tool: string): string {
  const keys = Object.keys(response).filter((key) => key !== 'name' || response.name !== tool)
  const [key] = keys
  const value = keys.length === 1 && OUTPUT_KEYS.has(key) ? response[key!] : response
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Checks that the thought signatures of calls are sent back. Gemini API guide, "Thought signatures": from Gemini 3 on,
 * in the current turn, the first call of every step must carry the signature that it was received with.
 *
 * @throws {TypeError} naming the content
 */
function checkSignatures(contents: readonly Content[], model: string): void {
  if (!/^gemini-(?!1|2)/.test(model)) return
  const turn = contents.findLastIndex(({ role, results }) => role === 'user' && results.length === 0)
  for (const { at, calls } of contents.slice(turn + 1)) {
    const [first] = calls
    if (first !== undefined && !first.signed) {
      throw new TypeError(
        `${at} gives the call of "${first.tool}" back without its thoughtSignature. Give parts back as they came.`,
      )
    }
  }
}
