import type { Summarizer } from '@repertoire/core'
import type { PromptRequest, WindowMessage } from '@repertoire/core/adapter'
import type { Message, Model } from './model.ts'
import type { Protocol } from './protocol/protocol.ts'

/** How the loop's messages are counted and replaced, where a conversation is kept within the model's window. */
export const WINDOW_MESSAGES: Pick<PromptRequest<Message>, 'describe' | 'asMessage'> = {
  describe: windowMessage,
  asMessage: (content) => ({ role: 'user', content, from: 'skills' }),
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

function windowMessage(message: Message): WindowMessage {
  const { role, content: text } = message
  if (role === 'user') return { role, text, own: message.from === 'skills' ? true : undefined }
  if (role === 'tool') return { role, text, answers: [message.callId] }
  const hidden = message.provider?.content ?? []
  return { role, text, calls: message.calls, hidden: hidden.length > 0 ? JSON.stringify(hidden) : undefined }
}
