import process from 'node:process'
import { parseJsonEventStream, readUIMessageStream, type UIMessage, uiMessageChunkSchema } from 'ai'

// Chats with the route of a module as `useChat` does, says yes to what it asks, and prints the question and the answer.

const { POST } = (await import(process.argv[2]!)) as { readonly POST: (request: Request) => Promise<Response> }

async function send(messages: readonly UIMessage[]): Promise<UIMessage> {
  const body = JSON.stringify({ id: 'chat', messages })
  const response = await POST(new Request('http://localhost/api/chat', { method: 'POST', body }))
  const chunks = parseJsonEventStream({ stream: response.body!, schema: uiMessageChunkSchema })
  const stream = chunks.pipeThrough(
    new TransformStream({ transform: (each, to) => to.enqueue(each.success ? each.value : undefined) }),
  )
  const before = messages.at(-1)
  let answer = before?.role === 'assistant' ? before : undefined
  for await (const message of readUIMessageStream({ stream, message: answer })) answer = message
  return answer!
}

const task: UIMessage = { id: '1', role: 'user', parts: [{ type: 'text', text: 'A commit message, please.' }] }
const asked = await send([task])
const questions: string[] = []
const parts = asked.parts.map((part) => {
  if (!('approval' in part) || part.state !== 'approval-requested') return part
  questions.push(part.approval.requestReason ?? '')
  return { ...part, state: 'approval-responded' as const, approval: { ...part.approval, approved: true } }
})
const answered = await send([task, { ...asked, parts }])
process.stdout.write(JSON.stringify({ questions, last: answered.parts.at(-1) }))
