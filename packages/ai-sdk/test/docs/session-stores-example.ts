import { approvalResponses, consentRequests, withSkills } from '@repertoire/ai-sdk'
import { type ConsentAnswer, type Repertoire, type SessionStore, withStoredSession } from '@repertoire/core'
import { isStepCount, type LanguageModel, type ModelMessage, streamText } from 'ai'

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
) {
  return withStoredSession(repertoire, { store, id: chat }, async (session, { signal }) => {
    const messages = [...before]
    if (answers.length > 0) messages.push(approvalResponses(await consentRequests(session, messages), answers))
    const skills = withSkills(session, { abortSignal: signal })
    const result = streamText({ model, messages, stopWhen: isStepCount(20), ...skills })
    for await (const text of result.textStream) send(text)
    messages.push(...(await result.responseMessages))
    const waiting = await consentRequests(session, messages)
    return { messages, requests: waiting.map(({ request }) => request) }
  })
}
