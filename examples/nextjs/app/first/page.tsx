'use client'
import { useChat } from '@ai-sdk/react'
import { isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'

export default function Page() {
  const { messages, sendMessage, addToolApprovalResponse } = useChat({
    // Sends the next request as soon as every question has an answer.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  const answer = (id: string, approved: boolean) => () => addToolApprovalResponse({ id, approved })
  return (
    <main>
      {messages.flatMap(({ id, parts }) =>
        parts.map((part, index) => {
          const key = `${id} ${index}`
          if (part.type === 'text') return <p key={key}>{part.text}</p>
          if (!isToolUIPart(part) || part.state !== 'approval-requested') return null
          return (
            <section key={key}>
              <pre>{part.approval.requestReason}</pre>
              <button onClick={answer(part.approval.id, true)}>Approve</button>{' '}
              <button onClick={answer(part.approval.id, false)}>Deny</button>
            </section>
          )
        }),
      )}
      <form action={(form) => void sendMessage({ text: form.get('text') as string })}>
        <input name="text" aria-label="Message" />
        <button>Send</button>
      </form>
    </main>
  )
}
