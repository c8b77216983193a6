import { absent, array, type Fields, object, string } from '../fields.ts'
import { unseal } from '../seal.ts'
import type { WireMessage } from '../wire.ts'
import { type Block, checkTurns, type Message } from './turns.ts'

/** The content of a request's messages. */
export interface Decoded {
  /** The texts of the system messages among them. */
  readonly system: readonly string[]
  readonly messages: readonly WireMessage[]
}

/**
 * Reads the messages of a request. The results of a user's message become messages of the role `tool`, and its text one
 * of the role `user` after them.
 *
 * @throws {TypeError} naming the message and the block, where Anthropic's API answers with 400
 */
export function decodeMessages(list: readonly unknown[]): Decoded {
  if (list.length === 0) throw new TypeError('"messages" is empty. At least one message is needed.')
  const messages = list.map((message, index) => decodeMessage(message, `messages.${index}`))
  checkTurns(messages)
  return {
    system: messages.flatMap(({ role, blocks }) => (role === 'system' ? [textOf(blocks)] : [])),
    messages: messages.flatMap(wireMessages),
  }
}

function wireMessages({ role, blocks }: Message): WireMessage[] {
  if (role === 'system') return []
  const text = textOf(blocks)
  if (role === 'assistant') {
    const calls = blocks.flatMap((block) => (block.kind === 'use' ? [block.call] : []))
    const thoughts = blocks.flatMap((block) => (block.kind === 'thought' ? [block.text] : []))
    const reasoning = thoughts.length === 0 ? {} : { reasoning: thoughts.join('\n') }
    return [{ role, text, ...reasoning, ...(calls.length > 0 && { calls }) }]
  }
  const results = blocks.flatMap((block): WireMessage[] =>
    block.kind === 'result' ? [{ role: 'tool', text: block.text, callId: block.callId }] : [],
  )
  return results.length < blocks.length ? [...results, { role, text }] : results
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('')
}

function decodeMessage(message: unknown, at: string): Message {
  const { role, content } = object(message, at)
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    throw new TypeError(`${at}.role is ${JSON.stringify(role)}. Known are user, assistant and system.`)
  }
  if (typeof content === 'string') return { at, role, blocks: [{ at, kind: 'text', text: notBlank(content, at) }] }
  const blocks = array(content, `${at}.content`)
  if (blocks.length === 0) throw new TypeError(`${at}.content is empty. Every message needs some content.`)
  const read = READERS[role]
  return { at, role, blocks: blocks.map((block, index) => decodeBlock(block, `${at}.content.${index}`, role, read)) }
}

type Reader = (fields: Fields, at: string) => Block

/** Reads a block by its type. Anthropic API reference, "Create a message", `messages.content`. */
const READERS: Readonly<Record<Message['role'], ReadonlyMap<unknown, Reader>>> = {
  user: new Map<unknown, Reader>([
    ['text', readText],
    ['tool_result', readResult],
    ['image', readOther],
    ['document', readOther],
    ['search_result', readOther],
    ['container_upload', readOther],
  ]),
  assistant: new Map<unknown, Reader>([
    ['text', readText],
    ['tool_use', readUse],
    ['thinking', readThinking],
    ['redacted_thinking', readRedacted],
  ]),
  system: new Map<unknown, Reader>([['text', readText]]),
}

function decodeBlock(block: unknown, at: string, role: string, readers: ReadonlyMap<unknown, Reader>): Block {
  const fields = object(block, at)
  const read = readers.get(fields.type)
  if (read !== undefined) return read(fields, at)
  const known = [...readers.keys()].join(', ')
  throw new TypeError(`${at}.type is ${JSON.stringify(fields.type)}. In a message of the role ${role} go: ${known}.`)
}

function readText(fields: Fields, at: string): Block {
  return { at, kind: 'text', text: notBlank(string(fields.text, `${at}.text`), `${at}.text`) }
}

function readUse({ id, name, input }: Fields, at: string): Block {
  const known = string(id, `${at}.id`)
  if (!/^[a-zA-Z0-9_-]+$/.test(known)) {
    throw new TypeError(`${at}.id is ${JSON.stringify(known)}. An id has letters, digits, "_" and "-".`)
  }
  const call = { id: known, tool: string(name, `${at}.name`), arguments: JSON.stringify(object(input, `${at}.input`)) }
  return { at, kind: 'use', call }
}

function readResult({ tool_use_id: id, content, is_error: isError }: Fields, at: string): Block {
  if (!absent(isError) && typeof isError !== 'boolean') throw new TypeError(`${at}.is_error is not a boolean.`)
  return { at, kind: 'result', callId: string(id, `${at}.tool_use_id`), text: resultText(content, `${at}.content`) }
}

/** Anthropic API, errors "Invalid `signature` in `thinking` block", "`thinking` blocks … cannot be modified". */
function readThinking({ thinking, signature }: Fields, at: string): Block {
  if (typeof thinking !== 'string') throw new TypeError(`${at}.thinking is not a string.`)
  const text = unseal(string(signature, `${at}.signature`))
  if (text === undefined) throw new TypeError(`${at}: Invalid \`signature\` in \`thinking\` block.`)
  if (text === thinking) return { at, kind: 'thought', text }
  throw new TypeError(`${at}: \`thinking\` blocks cannot be modified. They must remain as they were in the response.`)
}

function readRedacted({ data }: Fields, at: string): Block {
  const text = unseal(string(data, `${at}.data`))
  if (text === undefined) throw new TypeError(`${at}: Invalid \`data\` in \`redacted_thinking\` block.`)
  return { at, kind: 'thought', text }
}

function readOther(_: Fields, at: string): Block {
  return { at, kind: 'other' }
}

/** A text, or blocks whose texts are joined; a missing content is an empty result. */
function resultText(content: unknown, at: string): string {
  if (absent(content)) return ''
  if (typeof content === 'string') return content
  return array(content, at)
    .map((block, index) => {
      const fields = object(block, `${at}.${index}`)
      if (fields.type !== 'text') return ''
      if (typeof fields.text === 'string') return fields.text
      throw new TypeError(`${at}.${index}.text is not a string.`)
    })
    .join('')
}

function notBlank(text: string, at: string): string {
  if (text.trim() !== '') return text
  throw new TypeError(`${at} is blank. A text must have more in it than white space.`)
}
