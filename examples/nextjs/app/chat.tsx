'use client'
import { useChat } from '@ai-sdk/react'
import { getToolName, isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai'

/** @param kept a chat that goes on; without it a new one begins */
export function Chat({ kept }: { kept?: { id: string; messages: UIMessage[] } }) {
  const { messages, sendMessage, stop, status, error, addToolApprovalResponse } = useChat({
    ...kept,
    // Sends the next request as soon as every question has an answer.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })

  function partOf(part: UIMessage['parts'][number], key: number) {
    if (part.type === 'text') return <p key={key}>{part.text}</p>
    if (!isToolUIPart(part)) return null
    if (part.state !== 'approval-requested')
      return (
        <pre key={key} style={{ whiteSpace: 'pre-wrap' }}>
          {getToolName(part)} {part.state}: {part.errorText}
        </pre>
      )
    const answer = (approved: boolean) => () => addToolApprovalResponse({ id: part.approval.id, approved })
    return (
      <section key={key} style={{ border: '1px solid', padding: '1rem' }}>
        <pre style={{ whiteSpace: 'pre-wrap' }}>
          {part.approval.requestReason ?? `${getToolName(part)} ${JSON.stringify(part.input)}`}
        </pre>
        <button onClick={answer(true)}>Approve</button> <button onClick={answer(false)}>Deny</button>
      </section>
    )
  }

  return (
    <main>
      {messages.map(({ id: key, role, parts }) => (
        <article key={key}>
          <b>{role}</b>
          {parts.map(partOf)}
        </article>
      ))}
      {error && <p role="alert">No answer. The log of the server says why.</p>}
      <form action={(form) => void sendMessage({ text: form.get('text') as string })}>
        <input name="text" aria-label="Message" placeholder="A message, or /name of a skill" size={50} />
        <button disabled={status !== 'ready' && status !== 'error'}>Send</button>{' '}
        <input type="button" onClick={stop} value="Stop" />
      </form>
    </main>
  )
}
