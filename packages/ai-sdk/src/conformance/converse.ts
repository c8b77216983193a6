import type { Conversation, TaskSetup, Turn } from '@repertoire/conformance'
import type { ConsentAnswer } from '@repertoire/core'
import type { ModelMessage, ToolApprovalResponse } from 'ai'
import { approvalResponses, consentRequests } from '../answers.ts'
import { partsOf } from '../parts.ts'
import type { Place, Saved } from './place.ts'

/** @param onMessages called with the messages of each step, also of a run that fails later */
type OpenPlace = (task: TaskSetup, saved: Saved | undefined, onMessages: (messages: ModelMessage[]) => void) => Place

/** A conversation with an agent of the AI SDK, of either version. */
export function converse(task: TaskSetup, openPlace: OpenPlace): Promise<Conversation> {
  const saved = task.saved as Saved | undefined
  let messages: ModelMessage[] = [...(saved?.messages ?? [])]
  const { run, within, save, active, end } = openPlace(task, saved, (sent) => (messages = sent))

  async function goOn(message: ModelMessage, abortSignal?: AbortSignal): Promise<Turn> {
    messages = [...messages, message]
    const text = await run({
      messages,
      abortSignal,
      onStepEnd({ response }) {
        messages = [...messages, ...response.messages]
      },
    })
    const pending = await within((session) => consentRequests(session, messages))
    if (pending.length > 0) return { status: 'asking', requests: pending.map(({ request }) => request) }
    const approved = await approvals(task, messages)
    if (approved.length > 0) return goOn({ role: 'tool', content: approved }, abortSignal)
    return { status: 'done', text }
  }

  /** Answers everything that the last run waits for in one message: AI SDK reads answers from the last message only. */
  async function answersTo(answers: readonly ConsentAnswer[]): Promise<ModelMessage> {
    const { content } = approvalResponses(await within((session) => consentRequests(session, messages)), answers)
    return { role: 'tool', content: [...content, ...(await approvals(task, messages))] }
  }

  return Promise.resolve({
    async send(text, { signal, answers = [] } = {}) {
      if (answers.length > 0) messages = [...messages, await answersTo(answers)]
      return goOn({ role: 'user', content: text }, signal)
    },
    answer: async (answers, { signal } = {}) => goOn(await answersTo(answers), signal),
    save: async () => ({ messages, session: await save() }) satisfies Saved,
    forget: async () => void (messages = []),
    active,
    end,
  })
}

/** Asks the person about calls of the host's tools that need approval. */
async function approvals({ approval }: TaskSetup, messages: readonly ModelMessage[]): Promise<ToolApprovalResponse[]> {
  if (approval === undefined) return []
  const parts = messages.flatMap(partsOf)
  const answered = new Set(parts.map((part) => (part.type === 'tool-approval-response' ? part.approvalId : undefined)))
  const answers: ToolApprovalResponse[] = []
  for (const part of parts) {
    if (part.type !== 'tool-approval-request' || part.isAutomatic === true || answered.has(part.approvalId)) continue
    const call = parts.find((each) => each.type === 'tool-call' && each.toolCallId === part.toolCallId)
    if (call?.type !== 'tool-call' || !approval.tools.includes(call.toolName)) continue
    const answer = await approval.ask({ tool: call.toolName, input: structuredClone(call.input) })
    answers.push({ type: 'tool-approval-response', approvalId: part.approvalId, ...answer })
  }
  return answers
}
