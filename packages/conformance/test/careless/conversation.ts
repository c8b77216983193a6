import type { ConsentRequest, ConsentAnswer, Repertoire, SavedSession } from '@repertoire/core'
import {
  type AdapterSessionOptions,
  messageCall,
  openAdapterSession,
  unfinishedForkError,
} from '@repertoire/core/adapter'
import { type AgentParts, answerText, beginStep, callModel, callsOf, carryOut, forkOf } from './agent.ts'

/** What a conversation is made of: the agent's parts, and how its session is opened. */
export interface ConversationParts extends Omit<AgentParts, 'session'> {
  readonly repertoire: Repertoire
  readonly options: AdapterSessionOptions
  readonly saved?: SavedConversation | undefined
}

/** What is stored while a conversation rests, as JSON, for this process or another. */
export interface SavedConversation {
  readonly session: SavedSession
  readonly messages: readonly any[]
  readonly waiting?: Waiting | undefined
}

/** A person's message, or a message of the model with calls, that waits for consent. */
type Waiting = { readonly id: string; readonly text: string } | { readonly calling: any }

/** A conversation rests at an answer of the model, or at consent requests. */
export type Rest =
  | { readonly status: 'done'; readonly text: string }
  | { readonly status: 'asking'; readonly requests: readonly ConsentRequest[] }

/** Opens a conversation, or one that was saved. */
export function openConversation({ repertoire, options, saved, ...agent }: ConversationParts) {
  // 9. A turn comes before the first step, so the session is told of the host's tools here.
  const hostTools = agent.tools.map(({ name }) => name)
  const session = openAdapterSession(repertoire, { ...options, hostTools, ...(saved && { saved: saved.session }) })
  const parts: AgentParts = { ...agent, session }
  let messages: any[] = [...(saved?.messages ?? [])]
  // Apart from the messages until it is settled, so that none of them ever holds a call without its result.
  let waiting = saved?.waiting
  let step: Awaited<ReturnType<typeof beginStep>> | undefined

  /** Carries out what waited. The session has the answers, and denies what has none. */
  async function settle(signal?: AbortSignal): Promise<void> {
    const settled = waiting
    waiting = undefined
    if (settled === undefined) return
    if ('calling' in settled) {
      // Calls that waited in another process are judged by a step of this one.
      step ??= await beginStep(parts)
      messages.push(settled.calling, ...(await carryOut(parts, step, callsOf(settled.calling), signal)))
      return
    }
    messages.push({ role: 'user', content: settled.text })
    const turn = await session.beginTurn(settled.text, { id: settled.id, signal, fork: forkOf(parts) })
    if (turn.text !== undefined) messages.push({ role: 'user', content: turn.text, own: true })
  }

  async function goOn(signal?: AbortSignal): Promise<Rest> {
    for (let count = 1; ; count++) {
      await settle(signal)
      if (count > parts.maxSteps) throw unfinishedForkError(parts.maxSteps)
      const { step: begun, answer } = await callModel(parts, messages, signal)
      step = begun
      const calls = callsOf(answer)
      if (calls.length === 0) {
        messages.push(answer)
        return { status: 'done', text: answerText(parts, answer) }
      }
      waiting = { calling: answer }
      // 10. Everything that the calls of one message ask, before any of them is carried out.
      const previews = await Promise.all(calls.map((call) => begun.preview(call, { signal, asks: true })))
      const requests = previews.flatMap(({ waits }) => waits ?? [])
      if (requests.length > 0) return { status: 'asking', requests }
    }
  }

  return {
    session,
    async send(text: string, signal?: AbortSignal, answers: readonly ConsentAnswer[] = []): Promise<Rest> {
      // Who writes on instead of answering has said no.
      for (const each of answers) session.answer(each)
      for (const { id } of session.state.open) session.answer({ requestId: id, approved: false })
      await settle(signal)
      // 11. The question about `/name` comes before the turn, which is known by this id.
      waiting = { id: crypto.randomUUID(), text }
      const { waits } = await session.preview(messageCall(waiting.id, text), { signal, asks: true })
      return waits === undefined ? goOn(signal) : { status: 'asking', requests: [waits] }
    },
    /** 12. Records the answers and continues, in whatever process this is. */
    answer(answers: readonly ConsentAnswer[], signal?: AbortSignal): Promise<Rest> {
      for (const each of answers) session.answer(each)
      return goOn(signal)
    },
    /** 13. To be stored whenever the conversation rests. */
    save: (): SavedConversation => ({ session: session.save(), messages, waiting }),
    forget(): void {
      messages = []
    },
  }
}
