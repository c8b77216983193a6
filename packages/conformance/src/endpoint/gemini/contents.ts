import { isDeepStrictEqual } from 'node:util'
import { callInput } from '../call-input.ts'
import type { Piece, Said } from '../conversation.ts'
import type { SentMessage } from '../dialect.ts'
import { type Fields, list, object, pick, string, text } from '../fields.ts'
import { unseal } from '../seal.ts'
import type { WireCall } from '../wire.ts'
import { fieldsOf } from './fields.ts'

/** A content whose parts have been read; its calls and results have no ids if the client keeps none. */
interface Content extends Said {
  readonly pieces: readonly Part[]
}

interface Part extends Piece {
  /** The function that was called, in a result. */
  readonly tool?: string
  /** Whether a call carries a thought signature. */
  readonly signed?: boolean
}

/**
 * Reads the contents of a request. Function responses are results of the calls that they answer, whose ids the client
 * need not send.
 *
 * @param model as the address names it
 * @param sent the model's messages of this conversation, oldest first
 * @throws {TypeError} naming the content and the part, where Gemini's API answers with 400
 */
export function readContents(value: unknown, model: string, sent: readonly SentMessage[]): Said[] {
  const contents = list(value, 'contents', readContent)
  if (contents.length === 0) throw new TypeError('contents is empty. At least one content is needed.')
  checkTurns(contents, model)
  return nameCalls(contents, sent)
}

function readContent(value: Fields, at: string): Content {
  const fields = fieldsOf(value, at, ['parts', 'role'])
  const role = pick(
    { user: 'user', model: 'assistant', function: 'user' } as const,
    fields.role ?? 'user',
    `${at}.role`,
  )
  const pieces = list(fields.parts, `${at}.parts`, readPart)
  if (pieces.length === 0) throw new TypeError(`${at}.parts is empty. Every content needs a part.`)
  const has = (field: keyof Part): boolean => pieces.some((piece) => piece[field] !== undefined)
  if (has(role === 'user' ? 'call' : 'result')) {
    throw new TypeError(`${at} has what is not its own: the model has functionCalls, the user functionResponses.`)
  }
  if (has('result') && has('text')) {
    throw new TypeError(`${at} has a text beside a functionResponse. Give it a content of its own.`)
  }
  return { at, role, pieces }
}

type Reader = (value: unknown, at: string, part: Fields) => Omit<Part, 'at'>

const skip: Reader = () => ({})

/** Gemini API reference, `Part`: the kinds of parts; each part has exactly one. */
const KINDS: Readonly<Record<string, Reader>> = {
  codeExecutionResult: skip,
  executableCode: skip,
  fileData: skip,
  functionCall: readCall,
  functionResponse: readResult,
  inlineData: readFile,
  text: (value, at, { thought }) => (thought === true ? {} : { text: text(value, at) }),
  toolCall: skip,
  toolResponse: skip,
}
const PART = [
  ...Object.keys(KINDS),
  'mediaProcessing',
  'mediaResolution',
  'partMetadata',
  'speechMetadata',
  'thought',
  'thoughtSignature',
  'videoMetadata',
]

function readPart(value: Fields, at: string): Part {
  const part = fieldsOf(value, at, PART)
  const [kind, more] = Object.keys(KINDS).filter((name) => part[name] !== undefined)
  if (kind === undefined || more !== undefined) {
    const found = kind === undefined ? 'nothing' : `${kind} and ${more}`
    throw new TypeError(`${at} holds ${found}. A part has exactly one of what it can hold.`)
  }
  // What the signature of the part holds.
  const thought = typeof part.thoughtSignature === 'string' ? unseal(part.thoughtSignature) : undefined
  return { at, ...(thought !== undefined && { thought }), ...KINDS[kind]!(part[kind], `${at}.${kind}`, part) }
}

function readCall(value: unknown, at: string, { thoughtSignature: signature = '' }: Fields): Omit<Part, 'at'> {
  const { id = '', name, args = {} } = fieldsOf(value, at, ['args', 'id', 'name'])
  const call = {
    id: text(id, `${at}.id`),
    tool: string(name, `${at}.name`),
    arguments: JSON.stringify(object(args, `${at}.args`)),
  }
  return { call, signed: signature !== '' }
}

function readFile(value: unknown, at: string): Omit<Part, 'at'> {
  const { mimeType, data } = fieldsOf(value, at, ['data', 'displayName', 'mimeType'])
  return { file: { mediaType: string(mimeType, `${at}.mimeType`), data: string(data, `${at}.data`) } }
}

const RESPONSE = ['id', 'name', 'parts', 'response', 'scheduling', 'willContinue']

function readResult(value: unknown, at: string): Omit<Part, 'at'> {
  const { id = '', name, response } = fieldsOf(value, at, RESPONSE)
  const tool = string(name, `${at}.name`)
  const shown = responseText(object(response, `${at}.response`), tool)
  return { tool, result: { callId: text(id, `${at}.id`), text: shown } }
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
 * Checks that calls come directly behind the user, and carry the signature that they were received with: from Gemini 3
 * on, the first of every step in the current turn. Gemini API, error "Please ensure that function call turn comes
 * immediately after a user turn or after a function response turn"; guide, "Thought signatures".
 */
function checkTurns(contents: readonly Content[], model: string): void {
  const needsSignature = /^gemini-(?!1|2)/.test(model)
  const turn = contents.findLastIndex(({ role, pieces }) => role === 'user' && pieces.every(({ result }) => !result))
  for (const [index, { at, pieces }] of contents.entries()) {
    const first = pieces.find(({ call }) => call !== undefined)
    if (first === undefined) continue
    if (contents[index - 1]?.role !== 'user') {
      throw new TypeError(`${at} has a functionCall, and comes neither behind the user nor behind functionResponses.`)
    }
    if (needsSignature && index > turn && first.signed !== true) {
      throw new TypeError(`${first.at} is given back without its thoughtSignature. Give parts back as they came.`)
    }
  }
}

/**
 * Gives every call its id, and every result the id of its call: matched by id if the client keeps ids, otherwise by
 * name and order.
 */
function nameCalls(contents: readonly Content[], sent: readonly SentMessage[]): Said[] {
  const scripted = scriptedIds(contents, sent)
  let waiting: WireCall[] = []
  return contents.map(({ at, role, pieces }, index) => ({
    at,
    role,
    pieces: pieces.map((piece): Piece => {
      const { call, result, tool } = piece
      if (call !== undefined) {
        const id = call.id || (scripted.get(call) ?? `unknown_${index + 1}_${waiting.length + 1}`)
        const named = { ...call, id }
        waiting.push(named)
        return { ...piece, call: named }
      }
      if (result === undefined) return piece
      const keepsIds =
        contents[index - 1]?.pieces.some((each) => each.call !== undefined && each.call.id !== '') === true
      const called = waiting.filter((each) => each.tool === tool)
      const byName = keepsIds && result.callId !== '' ? undefined : called[0]
      const found = called.find(({ id }) => id === result.callId) ?? byName
      if (found === undefined) {
        throw new TypeError(`${piece.at} is a result of "${tool}", and no such call before it waits for one.`)
      }
      waiting = waiting.filter((each) => each !== found)
      return { ...piece, result: { ...result, callId: found.id } }
    }),
  }))
}

/**
 * Finds the ids of calls that the client sent back without ids: by the messages that the model sent, from the end,
 * since a conversation may have lost its beginning. Calls that a client has repaired match by their names.
 */
function scriptedIds(contents: readonly Content[], sent: readonly SentMessage[]): ReadonlyMap<WireCall, string> {
  const ids = new Map<WireCall, string>()
  let rest = sent.map(({ scripted }) => scripted.calls)
  for (const { pieces } of contents.toReversed()) {
    const calls = pieces.flatMap(({ call }) => call ?? [])
    const hasSameTools = (said: readonly WireCall[]): boolean =>
      said.length === calls.length && said.every(({ tool }, n) => tool === calls[n]?.tool)
    const hasSameCalls = (said: readonly WireCall[]): boolean =>
      hasSameTools(said) &&
      said.every((call, n) => isDeepStrictEqual(callInput(call.arguments), callInput(calls[n]!.arguments)))
    const last = rest.findLastIndex(hasSameCalls)
    const at = last === -1 ? rest.findLastIndex(hasSameTools) : last
    if (calls.length === 0 || at === -1) continue
    for (const [n, call] of calls.entries()) ids.set(call, rest[at]![n]!.id)
    rest = rest.slice(0, at)
  }
  return ids
}
