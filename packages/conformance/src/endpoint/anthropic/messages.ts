import {
  byType,
  type Piece,
  type PieceReader,
  readPieces,
  readText,
  readTextOrSkip,
  type Said,
  skip,
  textOf,
} from '../conversation.ts'
import { absent, type Fields, flag, list, object, oneOf, string, text } from '../fields.ts'
import { unseal } from '../seal.ts'

/**
 * Reads the messages of a request.
 * @throws {TypeError} naming the message and the block, where Anthropic's API answers with 400
 */
export function readMessages(value: unknown): Said[] {
  const said = list(value, 'messages', readMessage)
  const spoken = said.filter(({ role }) => role !== 'system')
  const [first, last] = [spoken[0], spoken.at(-1)]
  if (first?.role !== 'user' || last?.role !== 'user') {
    const at = first?.role === 'user' ? `${last?.at} is the last message, and` : `${first?.at ?? 'messages'}:`
    throw new TypeError(`${at} the user must have the first and the last word.`)
  }
  return said
}

/** Anthropic API reference, "Create a message", `messages.content`. */
const ROLES: Readonly<Record<Said['role'], Readonly<Record<string, PieceReader>>>> = {
  user: {
    text: readText,
    tool_result: readResult,
    image: skip,
    document: skip,
    search_result: skip,
    container_upload: skip,
  },
  assistant: {
    text: readText,
    tool_use: readUse,
    thinking: readThinking,
    redacted_thinking: ({ data }, at) => ({ at, thought: unsealed(data, `${at}.data`) }),
  },
  system: { text: readText },
}

function readMessage({ role: given, content }: Fields, at: string): Said {
  const role = oneOf(Object.keys(ROLES), given, `${at}.role`) as Said['role']
  return { at, role, pieces: notBlank(readPieces(content, `${at}.content`, byType(ROLES[role])), `${at}.content`) }
}

/** Anthropic refuses contents without a block, and texts without a word. */
export function notBlank(pieces: readonly Piece[], at: string): readonly Piece[] {
  if (pieces.length === 0) throw new TypeError(`${at} is empty. It needs a block.`)
  const blank = pieces.find((piece) => piece.text?.trim() === '')
  if (blank === undefined) return pieces
  throw new TypeError(`${blank.at} is blank. A text must have more in it than white space.`)
}

function readUse({ id: given, name, input }: Fields, at: string): Piece {
  const id = string(given, `${at}.id`)
  if (!/^[a-zA-Z0-9_-]+$/.test(id)) {
    throw new TypeError(`${at}.id is ${JSON.stringify(id)}. An id has letters, digits, "_" and "-".`)
  }
  const call = { id, tool: string(name, `${at}.name`), arguments: JSON.stringify(object(input, `${at}.input`)) }
  return { at, call }
}

function readResult({ tool_use_id: id, content, is_error: isError }: Fields, at: string): Piece {
  flag(isError, `${at}.is_error`)
  const callId = string(id, `${at}.tool_use_id`)
  return {
    at,
    result: { callId, text: absent(content) ? '' : textOf(readPieces(content, `${at}.content`, readTextOrSkip)) },
  }
}

/** Anthropic API, errors "Invalid `signature` in `thinking` block", "`thinking` blocks … cannot be modified". */
function readThinking({ thinking, signature }: Fields, at: string): Piece {
  const thought = unsealed(signature, `${at}.signature`)
  if (text(thinking, `${at}.thinking`) === thought) return { at, thought }
  throw new TypeError(`${at}: \`thinking\` blocks cannot be modified. They must remain as they were in the response.`)
}

function unsealed(signature: unknown, at: string): string {
  const thought = unseal(string(signature, at))
  if (thought !== undefined) return thought
  throw new TypeError(`${at} is invalid: it is not what the model sent with its thinking.`)
}
