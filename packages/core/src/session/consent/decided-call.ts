import type { ToolCall } from '@repertoire/gate/internal'
import { canonicalJson } from '../../text/canonical-json.ts'
import { quote } from '@repertoire/skill-md/internal'
import { sha256Of } from '../../text/sha256.ts'
import { type Refused, refused } from '../refusal.ts'
import type { SessionState } from '../state/state.ts'
import { isSameCall } from './request-id.ts'

/** Whether somebody was asked about a call, and said no. */
export function wasCallDenied({ id, open }: SessionState, call: ToolCall): boolean {
  const denied = open.filter((each) => each.callId === call.id && each.approved === false)
  return isAnyCallRequest(
    denied.map((each) => each.id),
    id,
    call,
  )
}

/** Whether a call was approved and has begun before, in whatever process, and however far it came. */
export function wasCallUsed({ id, used = [] }: SessionState, call: ToolCall): boolean {
  return isAnyCallRequest(used, id, call)
}

/** Refuses a call that was not consented to. */
export function callDenied({ tool }: ToolCall, reason: string | undefined): Refused {
  const why = reason === undefined || reason.trim() === '' ? 'consent was not given' : reason
  return refused({
    code: 'CALL_DENIED',
    reason: `The call of ${quote(tool)} was not carried out: ${why}. Go on without it.`,
  })
}

/** Refuses a call that a handler makes while it is asked: the handler would wait for itself. */
export function deniedInHandler(call: ToolCall): Refused {
  return callDenied(
    call,
    'a function that answers a question of this session cannot call the session before it has answered',
  )
}

/** Whether one of these requests is about a call, whatever rule asks about it and whatever it would run. */
function isAnyCallRequest(ids: readonly string[], session: string, call: ToolCall): boolean {
  if (ids.length === 0) return false
  const hash = sha256Of(callText(session, call))
  return ids.some((id) => isSameCall(id, hash))
}

/** What the first part of the id of a request is made of. */
export function callText(session: string, { id, tool, input }: ToolCall): string {
  return canonicalJson(['call', session, id, tool, input ?? null])
}
