import type { Conversation, Turn } from '../../src/driver.ts'
import type { ChatBody, ChatMessage } from '../loop-driver.ts'
import type { Fault } from './break.ts'

/** Answers what is open when a person writes on. */
const writingOnMeans =
  (approved: boolean) =>
  (conversation: Conversation): Partial<Conversation> => {
    let last: Turn | undefined
    return {
      async send(text, options) {
        if (last?.status === 'asking') {
          last = await conversation.answer(last.requests.map(({ id }) => ({ requestId: id, approved })))
          return last
        }
        last = await conversation.send(text, options)
        return last
      },
      async answer(answers) {
        last = await conversation.answer(answers)
        return last
      },
    }
  }

/** Removes the calls that were denied, with their results. */
function withoutDenied(body: ChatBody): ChatBody {
  const denied = new Set(
    body.messages.flatMap((message) =>
      String(message['content']).includes('CONSENT_DENIED') ? [message['tool_call_id']] : [],
    ),
  )
  const calls = (message: ChatMessage) => (message['tool_calls'] ?? []) as readonly { readonly id: string }[]
  const isDropped = (message: ChatMessage): boolean =>
    denied.has(message['tool_call_id'] ?? {}) || calls(message).some(({ id }) => denied.has(id))
  return { ...body, messages: body.messages.filter((message) => !isDropped(message)) }
}

export const waitingCallsFaults: readonly Fault[] = [
  {
    wrong: 'runs host calls while another call of their message is asked about, and again after the answer',
    caughtBy: ['consent-beside-once'],
    session: (session, task) => ({
      async openConsent(call, options) {
        const tool = task.tools.find(({ name }) => 'tool' in call && name === call.tool)
        if ('tool' in call) await tool?.execute(call.input, { callId: call.id })
        return session.openConsent(call, options)
      },
    }),
  },
  {
    wrong: 'takes a message that is written in place of an answer as a yes',
    caughtBy: ['consent-written-instead'],
    conversation: writingOnMeans(true),
  },
  {
    wrong: 'drops the call that waits where a message is written in place of an answer',
    caughtBy: ['consent-written-instead'],
    conversation: writingOnMeans(false),
    body: withoutDenied,
  },
]
