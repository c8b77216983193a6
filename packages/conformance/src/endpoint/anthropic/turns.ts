import type { WireCall } from '../wire.ts'

/** A block of a message, with its position. */
export type Block =
  | { readonly at: string; readonly kind: 'text'; readonly text: string }
  | { readonly at: string; readonly kind: 'use'; readonly call: WireCall }
  | { readonly at: string; readonly kind: 'result'; readonly callId: string; readonly text: string }
  | { readonly at: string; readonly kind: 'thought'; readonly text: string }
  /** An image, a document: it counts as a block, and is not read. */
  | { readonly at: string; readonly kind: 'other' }

/** A message whose blocks have been read. */
export interface Message {
  readonly at: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly blocks: readonly Block[]
}

/**
 * Checks the order of messages: consecutive ones of a role are one turn, every call has its one result in the very next
 * turn, in front of everything else there, and the user has the first and the last word. What the system says in
 * between is not a turn, and may be between a call and its result. Anthropic API reference, "Create a message"; "Handle
 * tool calls"; errors "`tool_use` ids were found without `tool_result` blocks immediately after", "unexpected
 * `tool_use_id` found in `tool_result` blocks", "each tool_use must have a single result", "This model does not support
 * assistant message prefill".
 *
 * @throws {TypeError} naming the message and the call
 */
export function checkTurns(messages: readonly Message[]): void {
  const turns = joinTurns(messages)
  const spoken = turns.filter(({ role }) => role !== 'system')
  const [first, last] = [spoken[0], spoken.at(-1)]
  if (first?.role !== 'user') {
    throw new TypeError(`${first?.at ?? 'messages'}: the user speaks first, and has not spoken before it.`)
  }
  if (last?.role !== 'user') {
    throw new TypeError(`${last?.at} is the last message, and the assistant's. The user must have the last word.`)
  }
  const made = new Set<string>()
  let open: ReadonlySet<string> = new Set()
  for (const { at, role, blocks } of turns) {
    if (role === 'system') {
      refuseWaiting(open, at)
      continue
    }
    if (role === 'user') checkResults(blocks, open, at)
    const ids = blocks.flatMap((block) => (block.kind === 'use' ? [block.call.id] : []))
    for (const id of ids) {
      if (made.has(id)) throw new TypeError(`${at} makes a second call of the id "${id}". Ids must be unique.`)
      made.add(id)
    }
    open = new Set(ids)
  }
}

function checkResults(blocks: readonly Block[], open: ReadonlySet<string>, at: string): void {
  const waiting = new Set(open)
  for (const block of blocks) {
    if (block.kind !== 'result') {
      refuseWaiting(waiting, block.at)
      continue
    }
    if (waiting.delete(block.callId)) continue
    if (open.has(block.callId)) throw new TypeError(`${block.at} is a second result of the call "${block.callId}".`)
    throw new TypeError(`${block.at} answers the call "${block.callId}", which the turn before it does not make.`)
  }
  refuseWaiting(waiting, `the end of ${at}`)
}

function refuseWaiting(waiting: ReadonlySet<string>, at: string): void {
  if (waiting.size === 0) return
  const ids = [...waiting].map((id) => `"${id}"`).join(', ')
  throw new TypeError(`${ids} ${waiting.size === 1 ? 'is a call' : 'are calls'} without a tool_result before ${at}.`)
}

/** Anthropic's API reads consecutive messages of one role as one. */
function joinTurns(messages: readonly Message[]): Message[] {
  const turns: Message[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last?.role === message.role) {
      turns[turns.length - 1] = { ...last, blocks: [...last.blocks, ...message.blocks] }
    } else turns.push(message)
  }
  return turns
}
