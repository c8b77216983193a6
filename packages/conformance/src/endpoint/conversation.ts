import { type Fields, list, pick, text } from './fields.ts'
import type { ModelFile, WireCall, WireMessage, WireRequest } from './wire.ts'

/** A message of a request as its wire groups it: a message, a content, or the items of one answer. */
export interface Said {
  readonly at: string
  readonly role: 'system' | 'user' | 'assistant'
  readonly pieces: readonly Piece[]
}

/** A block, part or item of a message. One without any of these holds something that is not read, such as an image. */
export interface Piece {
  readonly at: string
  readonly text?: string
  /** What the model thought. */
  readonly thought?: string
  readonly file?: ModelFile
  readonly call?: WireCall
  readonly result?: { readonly callId: string; readonly text: string }
}

export type PieceReader = (fields: Fields, at: string) => Piece

/** A piece that holds text. */
export const readText: PieceReader = (part, at) => ({ at, text: text(part.text, `${at}.text`) })

/** A piece in which the model refuses. */
export const readRefusal: PieceReader = (part, at) => ({ at, text: text(part.refusal, `${at}.refusal`) })

/** A piece that is not read, such as an image. */
export const skip: PieceReader = (_, at) => ({ at })

/** A piece that holds text, or is not read. */
export const readTextOrSkip: PieceReader = (piece, at) => (piece.type === 'text' ? readText : skip)(piece, at)

/** Returns the reader of pieces that have one of the types of a table. */
export function byType(readers: Readonly<Record<string, PieceReader>>): PieceReader {
  return (piece, at) => pick(readers, piece.type, `${at}.type`)(piece, at)
}

/**
 * Returns the pieces of a content, which is a text or a list of pieces.
 * @throws {TypeError} if it is neither
 */
export function readPieces(content: unknown, at: string, read: PieceReader): Piece[] {
  if (typeof content === 'string') return [{ at, text: content }]
  if (!Array.isArray(content)) throw new TypeError(`${at} is neither a string nor an array of parts.`)
  return list(content, at, read)
}

/** How strictly a vendor wants results behind their calls. Without any rule: behind their message, before all else. */
export interface CallRules {
  /** Anywhere behind the call. */
  readonly anywhere?: boolean
  /** All results of a message stand in one message. */
  readonly together?: boolean
  /** Messages of the assistant that follow each other are one. */
  readonly joined?: boolean
  /** No later call may have the id of an earlier one. */
  readonly once?: boolean
}

/**
 * Returns the messages of a request in the shape that all protocols share, and the texts of the system among them.
 * @param prompt what the system says first, if it has its own place
 * @throws {TypeError} if a call has no result, or a result no call, where the vendor wants it
 */
export function readConversation(
  said: readonly Said[],
  rules: CallRules,
  prompt: readonly Piece[] = [],
): Pick<WireRequest, 'system' | 'messages'> {
  checkCalls(said, rules)
  const texts = said.flatMap(({ role, pieces }) => (role === 'system' ? [textOf(pieces)] : []))
  const system = [textOf(prompt), ...texts].filter((each) => each !== '').join('\n\n')
  return { system, messages: said.flatMap(wireMessages) }
}

function wireMessages({ role, pieces }: Said): WireMessage[] {
  if (role === 'system') return []
  const said = textOf(pieces)
  if (role === 'user') {
    const results = pieces.flatMap(({ result }) => (result === undefined ? [] : [{ role: 'tool' as const, ...result }]))
    const isOnlyResults = results.length > 0 && results.length === pieces.length
    return isOnlyResults ? results : [...results, { role, text: said }]
  }
  const reasoning = pieces.flatMap(({ thought }) => thought ?? []).join('\n')
  const files = pieces.flatMap(({ file }) => file ?? [])
  const calls = pieces.flatMap(({ call }) => call ?? [])
  return [
    {
      role,
      text: said,
      ...(reasoning !== '' && { reasoning }),
      ...(files.length > 0 && { files }),
      ...(calls.length > 0 && { calls }),
    },
  ]
}

/** Returns the texts of pieces, joined. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.text ?? '').join('')
}

/**
 * Checks that every call has its one result behind it. OpenAI API, "An assistant message with 'tool_calls' must be
 * followed by tool messages responding to each 'tool_call_id'"; Anthropic API, "`tool_use` ids were found without
 * `tool_result` blocks immediately after"; Gemini API, "the number of function response parts is equal to the number of
 * function call parts of the function call turn".
 */
function checkCalls(said: readonly Said[], { anywhere, together, joined, once }: CallRules): void {
  const open = new Set<string>()
  const made = new Set<string>()
  const refuseOpen = (at: string): void => {
    if (open.size === 0) return
    const ids = [...open].map((id) => `"${id}"`).join(', ')
    throw new TypeError(`${at} comes before the results of these calls: ${ids}. Send the result of every call.`)
  }
  for (const [index, { at, role, pieces }] of said.entries()) {
    const goesOn = joined === true && role === 'assistant' && said[index - 1]?.role === 'assistant'
    if (role === 'assistant' && anywhere !== true && !goesOn) refuseOpen(at)
    for (const { at: here, call, result } of pieces) {
      if (result !== undefined) {
        if (open.delete(result.callId)) continue
        throw new TypeError(`${here} is a result of the call "${result.callId}", which waits for none there.`)
      }
      if (role !== 'assistant' && anywhere !== true) refuseOpen(here)
      if (call === undefined) continue
      if (open.has(call.id) || (once === true && made.has(call.id))) {
        throw new TypeError(`${here} is a second call of the id "${call.id}". Ids must be unique.`)
      }
      open.add(call.id)
      made.add(call.id)
    }
    if (together === true && role === 'user') refuseOpen(`The end of ${at}`)
  }
  refuseOpen('The end of the conversation')
}
