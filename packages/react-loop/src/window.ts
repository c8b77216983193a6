import type { Summarizer } from '@repertoire/core'
import type { StepWindow, WindowMessage } from '@repertoire/core/adapter'
import type { Message, Model } from './model.ts'
import type { Protocol } from './protocol/protocol.ts'

/** How the loop's messages are counted and replaced, where a conversation is kept within the model's window. */
export const WINDOW_MESSAGES: Pick<StepWindow<Message>, 'describe' | 'asMessage' | 'isCompaction'> = {
  describe: windowMessage,
  asMessage: (content) => ({ role: 'user', content, from: 'skills' }),
  isCompaction,
}

/** Asks a model for summaries, as the host would: in its protocol, and without tools. */
export function summarizerOf(model: Model, protocol: Protocol): Summarizer {
  return async ({ instructions, prompt }, { signal }) => {
    const request = protocol.request(instructions, [{ role: 'user', content: prompt }], [])
    const { text, usage, finishReason } = protocol.read(await model.complete(request, { signal }))
    if (finishReason === 'refusal' || finishReason === 'content-filter') {
      throw new Error(`The model did not write a summary (${finishReason}): ${text}`)
    }
    return { text, usage }
  }
}

/** Whether a vendor has summarised what stands before a message. */
function isCompaction(message: Message): boolean {
  return message.role === 'assistant' && (message.provider?.content ?? []).some((part) => typeOf(part) === 'compaction')
}

function windowMessage(message: Message): WindowMessage {
  const { role, content: text } = message
  if (role === 'user') return { role, text, ...(message.from === 'skills' && { own: true }) }
  if (role === 'tool') return { role, text, answers: [message.callId] }
  const hidden = (message.provider?.content ?? []).filter(isHidden)
  return {
    role,
    text,
    calls: message.calls,
    ...(hidden.length > 0 && { hidden: JSON.stringify(hidden) }),
    ...(isCompaction(message) && { compaction: true }),
  }
}

/** Text and calls stand in the message beside it: what is left is reasoning, its signatures, and the like. */
function isHidden(part: unknown): boolean {
  const { text, thought, functionCall } = part as {
    readonly text?: unknown
    readonly thought?: unknown
    readonly functionCall?: unknown
  }
  const type = typeOf(part)
  return type === undefined ? functionCall === undefined && (text === undefined || thought === true) : !SHOWN.has(type)
}

/** The parts of Anthropic's and of OpenAI's messages that hold text and calls. */
const SHOWN: ReadonlySet<unknown> = new Set(['text', 'tool_use', 'message', 'function_call'])

function typeOf(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'type' in part ? part.type : undefined
}
