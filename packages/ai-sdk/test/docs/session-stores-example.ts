import { approvalResponses, consentRequests, withSkills } from '@repertoire/ai-sdk'
import { type ConsentAnswer, type Repertoire, type SessionStore, withStoredSession } from '@repertoire/core'
import { isStepCount, type LanguageModel, type ModelMessage, streamText, type ToolSet } from 'ai'

/** What a request of a chat comes with: all messages, or the answers to what the last one waits for. */
export interface ChatRequest {
  readonly chat: string
  readonly messages: readonly ModelMessage[]
  readonly answers?: readonly ConsentAnswer[]
}

/** Answers it, on whatever machine it arrives. */
export function answerChat(
  repertoire: Repertoire,
  store: SessionStore,
  model: LanguageModel,
  { chat, messages: before, answers = [] }: ChatRequest,
  send: (text: string) => void,
  tools: ToolSet = {},
) {
  return withStoredSession(repertoire, { store, id: chat }, async (session, { signal }) => {
    const messages = [...before]
    const asked = await consentRequests(session, messages)
    // They were used before, perhaps on another machine: nothing is done twice.
    if (asked.length === 0 && answers.length > 0) return { messages, requests: [] }
    if (asked.length > 0) messages.push(approvalResponses(asked, answers))
    const skills = withSkills(session, { tools, abortSignal: signal })
    const result = streamText({ model, messages, stopWhen: isStepCount(20), ...skills })
    for await (const text of result.textStream) send(text)
    messages.push(...(await result.responseMessages))
    const waiting = await consentRequests(session, messages)
    return { messages, requests: waiting.map(({ request }) => request) }
  })
}
