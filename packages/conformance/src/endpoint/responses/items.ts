import { checkArguments } from '../call-input.ts'
import {
  byType,
  type Piece,
  type PieceReader,
  readPieces,
  readRefusal,
  readText,
  type Said,
  textOf,
} from '../conversation.ts'
import { absent, array, type Fields, pick, string, text } from '../fields.ts'
import { type Memory, RefusedRequest } from '../protocol.ts'
import { unseal } from '../seal.ts'

/** An item of an input that has been read. */
export interface ReadItem {
  /** The item itself, or the stored one that a reference names. */
  readonly item: Fields
  readonly role: Said['role']
  readonly piece: Piece
}

/**
 * Reads an item of an input. OpenAI API reference, "Create a model response", `input`.
 * @throws {TypeError} if OpenAI's API answers with 400
 * @throws {RefusedRequest} if an item is not stored
 */
export function readItem(item: Fields, at: string, memory: Memory): ReadItem {
  return pick(KINDS, item.type ?? 'message', `${at}.type`)(item, at, memory)
}

type Reader = (item: Fields, at: string, memory: Memory) => ReadItem

const KINDS: Readonly<Record<string, Reader>> = {
  message: readMessage,
  function_call: readCall,
  function_call_output: readOutput,
  reasoning: readReasoning,
  item_reference: ({ id }, at, memory) => readStored(string(id, `${at}.id`), at, memory),
}

const INPUT = byType({ input_text: readText, input_image: readFile, input_file: readFile })
const OUTPUT = byType({ output_text: readText, refusal: readRefusal })

/** OpenAI API reference: which parts a message of a role has. */
const ROLES = {
  user: ['user', INPUT],
  system: ['system', INPUT],
  developer: ['system', INPUT],
  assistant: ['assistant', OUTPUT],
} as const

function readMessage(item: Fields, at: string): ReadItem {
  const [role, read] = pick<readonly [Said['role'], PieceReader]>(ROLES, item.role, `${at}.role`)
  if (role === 'assistant' && !absent(item.id)) readId(item.id, `${at}.id`, 'msg')
  return { item, role, piece: { at, text: textOf(readPieces(item.content, `${at}.content`, read)) } }
}

function readFile(part: Fields, at: string): Piece {
  const { image_url: image, file_id: id, file_data: data, file_url: url } = part
  if ([image, id, data, url].every(absent)) throw new TypeError(`${at} holds nothing.`)
  return { at }
}

function readCall(item: Fields, at: string): ReadItem {
  if (!absent(item.id)) readId(item.id, `${at}.id`, 'fc')
  const call = {
    id: readId(item.call_id, `${at}.call_id`, ''),
    tool: string(item.name, `${at}.name`),
    arguments: checkArguments(item.arguments, `${at}.arguments`),
  }
  return { item, role: 'assistant', piece: { at, call } }
}

function readOutput(item: Fields, at: string): ReadItem {
  const callId = readId(item.call_id, `${at}.call_id`, '')
  return {
    item,
    role: 'user',
    piece: { at, result: { callId, text: textOf(readPieces(item.output, `${at}.output`, INPUT)) } },
  }
}

/** OpenAI API, error "invalid_encrypted_content". */
function readReasoning(item: Fields, at: string, memory: Memory): ReadItem {
  const { summary, encrypted_content: sealed } = item
  if (!absent(item.id)) readId(item.id, `${at}.id`, 'rs')
  readPieces(array(summary, `${at}.summary`), `${at}.summary`, byType({ summary_text: readText }))
  if (absent(sealed)) return readStored(string(item.id, `${at} has no "encrypted_content", and its id`), at, memory)
  const thought = unseal(text(sealed, `${at}.encrypted_content`))
  if (thought !== undefined) return { item, role: 'assistant', piece: { at, thought } }
  throw new RefusedRequest(400, `${at}.encrypted_content could not be verified.`, 'invalid_encrypted_content')
}

/** OpenAI API, error "Items are not persisted when `store` is set to false". */
function readStored(id: string, at: string, memory: Memory): ReadItem {
  const stored = memory.items.get(id)
  if (stored !== undefined) return readItem(stored.item, at, memory)
  throw new RefusedRequest(404, `Item with id '${id}' not found. Items are not persisted when \`store\` is false.`)
}

function readId(value: unknown, at: string, prefix: string): string {
  const id = string(value, at)
  if (id.length <= 64 && id.startsWith(prefix)) return id
  throw new TypeError(`${at} is ${JSON.stringify(id)}. It needs the form ${prefix}…, of at most 64 characters.`)
}

/**
 * Returns items as messages. What a model writes in one answer is one message: its reasoning, its text, then its calls.
 */
export function groupItems(items: readonly ReadItem[]): Said[] {
  const said: { at: string; role: Said['role']; pieces: Piece[] }[] = []
  for (const { role, piece } of items) {
    const last = said.at(-1)
    const isOfLast = piece.call !== undefined || last?.pieces.every(({ thought }) => thought !== undefined)
    if (role === 'assistant' && last?.role === role && isOfLast === true) last.pieces.push(piece)
    else said.push({ at: piece.at, role, pieces: [piece] })
  }
  return said
}

/**
 * Checks that no item is there twice, and that reasoning and the item that it led to are sent back together. OpenAI
 * API, errors "Duplicate item found with id", "was provided without its required following item", "was provided without
 * its required 'reasoning' item".
 *
 * @throws {TypeError} naming the item
 */
export function checkItems(items: readonly ReadItem[], memory: Memory): void {
  const seen = new Set<unknown>()
  for (const [index, { item, piece }] of items.entries()) {
    const { id } = item
    if (!absent(id) && seen.has(id))
      throw new TypeError(`${piece.at} is a duplicate item: ${JSON.stringify(id)} is before it.`)
    seen.add(id)
    if (piece.thought !== undefined && items[index + 1]?.role !== 'assistant') {
      throw new TypeError(`${piece.at} is reasoning without its required following item.`)
    }
    const needed = memory.items.get(String(id))?.reasoning
    if (needed !== undefined && !seen.has(needed)) {
      throw new TypeError(`${piece.at} is there without its required 'reasoning' item before it: '${needed}'.`)
    }
  }
}
