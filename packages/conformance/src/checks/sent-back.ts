import { isDeepStrictEqual } from 'node:util'
import { callInput } from '../endpoint/call-input.ts'
import type { CallStep, SayStep } from '../endpoint/script.ts'
import type { WireMessage, WireRequest } from '../endpoint/wire.ts'
import { differenceFailure } from '../failure.ts'

/** A message of a conversation, in a form that can be compared. */
export type SentBack =
  /** `turn`: what the session says behind it, apart from how a client joins the two. */
  | { readonly role: 'user'; readonly text: string; readonly turn?: string }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[]
      /** Absent: none. */
      readonly reasoning?: string
    }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string }

/**
 * A person's message, and what the model says and does until the turn ends. With what the session says behind the
 * message: both texts.
 */
export type ScriptedTurn = readonly [
  message: string | readonly [message: string, turn: string],
  ...steps: readonly (CallStep | SayStep)[],
]

/**
 * The whole of a conversation as a model must be sent it back.
 * @param resultOf the text of each call's result
 */
export function conversationOf(turns: readonly ScriptedTurn[], resultOf: (callId: string) => string): SentBack[] {
  let number = 0
  return turns.flatMap(([message, ...steps]): SentBack[] => [
    typeof message === 'string'
      ? { role: 'user', text: message }
      : { role: 'user', text: message[0], turn: message[1].trim() },
    ...steps.flatMap((step): SentBack[] => {
      number += 1
      const calls = ('calls' in step ? step.calls : []).map(({ id, tool, input }, index) => ({
        id: id ?? `call_${number}_${index + 1}`,
        tool,
        input,
      }))
      const results = calls.map(({ id }): SentBack => ({ role: 'tool', callId: id, text: resultOf(id) }))
      const { text = '', reasoning } = step
      const said: SentBack = { role: 'assistant', text, calls, ...(reasoning && { reasoning: reasoning.text }) }
      return [said, ...results]
    }),
  ])
}

/**
 * Asserts that every request holds the conversation up to its own step: every message, in its order, with its
 * boundaries, its text, its calls and each call's own result.
 * @param requests the model's, oldest first
 * @param skipped how many steps of the conversation come before the first of these requests; default 0
 * @param from how many requests were made before the first of these, for their numbers; default `skipped`
 */
export function holdsConversation(
  requests: readonly WireRequest[],
  conversation: readonly SentBack[],
  { skipped = 0, from = skipped }: { readonly skipped?: number; readonly from?: number } = {},
): void {
  const steps = conversation.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  for (const [index, request] of requests.entries()) {
    const expected = conversation.slice(0, steps[index + skipped] ?? conversation.length)
    const seen = sentBack(request.messages).map((message, at) => withTurn(message, expected[at]))
    sameMessages(`request ${from + index + 1}`, seen, expected)
  }
}

/** Asserts that two lists of messages are the same, and otherwise names the first that differs. */
function sameMessages(what: string, seen: readonly SentBack[], expected: readonly SentBack[]): void {
  if (isDeepStrictEqual(seen, expected)) return
  throw differenceFailure(`the messages of ${what}`, seen.map(asLine).join('\n'), expected.map(asLine).join('\n'))
}

/**
 * Reads messages as they were sent. Results may come in any order behind the message whose calls they answer. User
 * messages that follow each other are one, since some clients join them.
 */
function sentBack(messages: readonly WireMessage[]): SentBack[] {
  const read: SentBack[] = []
  let order: readonly string[] = []
  for (const { role, text, calls = [], callId = '', reasoning } of messages) {
    const last = read.at(-1)
    if (role === 'user' && last?.role === role) read[read.length - 1] = { role, text: `${last.text}\n${text}` }
    else if (role === 'user') read.push({ role, text })
    else if (role === 'assistant') {
      order = calls.map(({ id }) => id)
      read.push({
        role,
        text,
        calls: calls.map(({ id, tool, arguments: written }) => ({ id, tool, input: callInput(written) })),
        ...(reasoning !== undefined && { reasoning }),
      })
    } else {
      const at = read.findLastIndex(
        (each) => each.role !== 'tool' || order.indexOf(each.callId) < order.indexOf(callId),
      )
      read.splice(at + 1, 0, { role, callId, text })
    }
  }
  return read
}

/** A user message with its turn apart, if it has the expected one, whatever stands between the two. */
function withTurn(seen: SentBack, expected: SentBack | undefined): SentBack {
  if (seen.role !== 'user' || expected?.role !== 'user' || expected.turn === undefined) return seen
  const { text, turn } = expected
  return seen.text.startsWith(text) && seen.text.slice(text.length).trim() === turn ? expected : seen
}

function asLine(message: SentBack): string {
  return JSON.stringify(message)
}
