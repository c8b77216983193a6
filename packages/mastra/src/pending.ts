import { standsFor } from '@repertoire/core/adapter'
import { beginStep, type Binding, stepOf } from './binding.ts'
import type { PendingConsent } from './options.ts'

/** A call that waits, as Mastra lists it. */
interface WaitingCall {
  readonly toolCallId?: string
  readonly toolName?: string
  readonly args?: unknown
  /** For the call of a sub-agent that is not streamed: the call in it that waits. */
  readonly suspendPayload?: unknown
}

/** Returns what some calls that wait ask consent to. */
export async function pendingConsents(binding: Binding, calls: readonly WaitingCall[]): Promise<PendingConsent[]> {
  const { session } = binding
  const waiting = calls.map((outer) => {
    const inner = outer.suspendPayload as WaitingCall | undefined
    const { toolCallId: id = '', toolName: tool = '', args: input } = inner?.toolCallId === undefined ? outer : inner
    const call = { id, tool, input }
    return { toolCallId: outer.toolCallId ?? '', call, turn: standsFor(call).turn?.id ?? id }
  })
  const step = await stepOf(binding, [])
  const open = session.state.open.flatMap(({ callId, approved }) => (approved === undefined ? [callId] : []))
  // A stream does not say which call of the sub-agent waits.
  const inner = new Set(open.filter((callId) => waiting.every(({ turn }) => turn !== callId)))
  const pending: PendingConsent[] = []
  for (const { toolCallId, call, turn } of waiting) {
    const isKnown = open.includes(turn)
    const ids = isKnown ? [call.id] : [...inner]
    if (ids.length === 0) continue
    // The sub-agent alone may have the tool.
    const isOwn = isKnown && call.id === toolCallId
    const tools = [...binding.hostTools, call.tool]
    const asked = isOwn ? step : await beginStep({ ...binding, steps: new Map() }, tools)
    for (const id of ids) {
      const { waits: request } = await asked.preview({ ...call, id }, { asks: true })
      if (request === undefined) continue
      pending.push({ toolCallId, request })
      inner.delete(id)
      break
    }
  }
  return pending
}
