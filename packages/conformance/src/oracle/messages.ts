import { createHash } from 'node:crypto'
import { callInput } from '../endpoint/call-input.ts'
import type { WireMessage } from '../endpoint/wire.ts'
import type { Run } from './scenario.ts'

/** A message in a form that is the same for every protocol. */
export type ReadMessage =
  /** `isWritten`: a person has written it; otherwise the session has said it. */
  | { readonly role: 'user'; readonly text: string; readonly isWritten: boolean }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[]
      readonly reasoning?: string
    }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string }

/**
 * Reads the messages of a request: user messages that a client has joined are apart, results are in the order of their
 * calls, and calls whose ids stand for several are named by their places.
 */
export function readMessages(messages: readonly WireMessage[], run: Run): readonly ReadMessage[] {
  const read: ReadMessage[] = []
  const nameOf = callNames(run)
  let joined = ''
  const flush = (): void => {
    read.push(...apart(joined, run.written))
    joined = ''
  }
  for (const { role, text, calls = [], callId = '', reasoning } of messages) {
    if (role === 'user') {
      joined += joined === '' ? text : `\n${text}`
      continue
    }
    flush()
    if (role === 'assistant') {
      const names = nameOf.message(calls.map(({ id }) => id))
      // Some frameworks give a call that was written in another case the real name.
      const named = calls.map(({ tool, arguments: written }, index) => ({
        id: names[index]!,
        tool: tool.toLowerCase(),
        input: callInput(written),
      }))
      read.push({ role, text, calls: named, ...(reasoning !== undefined && { reasoning }) })
      continue
    }
    const id = nameOf.result(callId)
    const at = read.findLastIndex((each) => each.role !== 'tool' || orderOf(each.callId, read) <= orderOf(id, read))
    read.splice(at + 1, 0, { role, callId: id, text })
  }
  flush()
  return read
}

/** Names calls by their ids, or by their places where the model's ids do not tell them apart. */
function callNames({ hasUniqueIds, hasIds }: Run) {
  const earlier = new Set<string>()
  let [ids, names]: [readonly string[], readonly string[]] = [[], []]
  let messages = 0
  const again = (id: string): string => (hasIds && earlier.has(id) ? ', with the id of an earlier one' : '')
  return {
    message(made: readonly string[]): readonly string[] {
      messages += 1
      for (const id of ids) earlier.add(id)
      ids = made
      names = made.map((id, at) => (hasUniqueIds ? id : `call ${at + 1} of message ${messages}${again(id)}`))
      return names
    },
    result: (id: string): string => names[ids.indexOf(id)] ?? id,
  }
}

/** The place of a call in the last message with calls. */
function orderOf(id: string, read: readonly ReadMessage[]): number {
  const last = read.findLast((each) => each.role === 'assistant')
  return last?.role === 'assistant' ? last.calls.findIndex((call) => call.id === id) : -1
}

/** Takes what persons have written and what the session has said apart, whatever a client has put between the two. */
function apart(joined: string, written: readonly string[]): readonly ReadMessage[] {
  const parts: ReadMessage[] = []
  let rest = joined
  while (rest.trim() !== '') {
    const found = written
      .flatMap((text) => placesOf(rest, text).map((at) => ({ at, text })))
      .toSorted((one, other) => one.at - other.at || other.text.length - one.text.length)[0]
    const before = rest.slice(0, found?.at ?? rest.length).trim()
    if (before !== '') parts.push({ role: 'user', text: before, isWritten: false })
    if (found === undefined) break
    parts.push({ role: 'user', text: found.text, isWritten: true })
    rest = rest.slice(found.at + found.text.length)
  }
  return parts
}

/** Where a message begins a line, or the text. */
function placesOf(rest: string, text: string): readonly number[] {
  if (rest.startsWith(text)) return [0]
  const at = rest.indexOf(`\n${text}`)
  if (at >= 0) return [at + 1]
  // Some clients put nothing between two parts of a message.
  const end = rest.indexOf(`>${text}`)
  return end >= 0 ? [end + 1] : []
}

/** A short name for a text of the session, which another aspect shows. */
export function textBehind(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
