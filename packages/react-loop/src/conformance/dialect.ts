import { isDeepStrictEqual } from 'node:util'
import {
  type Dialect,
  nativeTools,
  type ScriptedMessage,
  type SentMessage,
  type WireCall,
  type WireMessage,
} from '@repertoire/conformance'
import { readArguments } from '@repertoire/core/adapter'
import { encodeAssistant, parseMessage, splitSystem } from '../protocol/text.ts'

/** Translates the text protocol for the conformance suite, so that checks see the same as with native calls. */
export const textDialect: Dialect = {
  name: 'the plain-text ReAct protocol',
  decode(body, sent) {
    const wire = nativeTools.decode(body, sent)
    if (wire.tools.length > 0)
      throw new TypeError('"tools" are offered, and this protocol offers them in the system prompt.')
    const { system, tools } = splitSystem(wire.system)
    return { ...wire, system, tools, messages: decodeMessages(wire.messages, sent) }
  },
  encode({ text = '', calls, reasoning }: ScriptedMessage) {
    const thought = reasoning === undefined ? {} : { reasoning }
    if (calls.length === 0) return { content: encodeAssistant({ content: text }), ...thought }
    // Arguments are sent as in the script, valid or not, as a model would write them.
    const said = text === '' ? [] : [`Thought: ${text}`]
    const actions = calls.map((call) => `Action: ${call.tool}\nAction Input: ${call.arguments}`)
    return { content: [...said, ...actions].join('\n'), ...thought }
  },
}

function decodeMessages(messages: readonly WireMessage[], sent: readonly SentMessage[]): readonly WireMessage[] {
  const scripted = scriptedCalls(messages, sent)
  const waiting: string[] = []
  return messages.map((message, index): WireMessage => {
    if (message.role === 'assistant') {
      const { text, calls } = parseMessage(message.text)
      const made =
        scripted.get(index) ??
        calls.map(({ tool, input }, n) => ({ id: `unknown_${index}_${n}`, tool, arguments: JSON.stringify(input) }))
      waiting.push(...made.map(({ id }) => id))
      return made.length === 0 ? { role: 'assistant', text } : { role: 'assistant', text, calls: made }
    }
    const callId = waiting.shift()
    if (callId === undefined) return message
    const [, result] = /^Observation: (.*)$/s.exec(message.text) ?? []
    if (result === undefined)
      throw new TypeError(`messages[${index}] is not an observation, and the call "${callId}" waits for one.`)
    return { role: 'tool', text: result, callId }
  })
}

/**
 * The script's calls for each message: their ids are not on the wire. The messages are matched with the model's answers
 * from the end, since a conversation may have lost its beginning.
 */
function scriptedCalls(
  messages: readonly WireMessage[],
  sent: readonly SentMessage[],
): ReadonlyMap<number, readonly WireCall[]> {
  const found = new Map<number, readonly WireCall[]>()
  const rest = [...sent]
  for (const [index, { role, text }] of [...messages.entries()].toReversed()) {
    const { calls } = role === 'assistant' ? parseMessage(text) : { calls: [] }
    if (calls.length === 0) continue
    const read = calls.map(({ tool, input }) => [tool, input])
    const at = rest.findLastIndex(({ scripted }) => isDeepStrictEqual(scripted.calls.map(asRead), read))
    if (at === -1) continue
    found.set(index, rest[at]?.scripted.calls ?? [])
    rest.length = at
  }
  return found
}

function asRead(call: WireCall): readonly [string, unknown] {
  const input = readArguments(call.arguments)
  return [call.tool, typeof input === 'string' ? input.trim() : input]
}
