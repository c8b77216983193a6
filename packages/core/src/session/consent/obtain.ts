import type { ToolCall } from '../../ports/tool.ts'
import { ask } from './ask.ts'
import { consentRequest, isSameCall } from './request.ts'
import type { SessionContext } from '../context.ts'
import type { InspectedSkill } from '../activation/inspect.ts'
import { type Grant, sameGrant, type SessionChange, type SessionState } from '../state/state.ts'

/** Where a session's agreement is kept, and who is asked. */
export interface AgreementContext {
  readonly context: SessionContext
  readonly state: () => SessionState
  readonly change: (change: SessionChange) => void
}

/** Whether a skill may be activated, and why not. */
export interface Agreement {
  readonly approved: boolean
  readonly reason?: string
}

/** Whether what a folder holds was agreed to earlier in this session. */
export function isGranted(state: SessionState, prepared: InspectedSkill): boolean {
  return prepared.whole && state.granted.some((grant) => sameGrant(grant, grantOf(prepared)))
}

/**
 * Gets the agreement to an activation: given before, asked for here, or answered since it was asked; a promise only
 * where somebody takes their time to answer. A yes holds for the rest of the session where the digest covers the whole
 * folder.
 * @throws the signal's reason
 */
export function obtainConsent(
  agreement: AgreementContext,
  call: ToolCall,
  prepared: InspectedSkill,
  args: string | undefined,
  signal: AbortSignal | undefined,
): Agreement | Promise<Agreement> {
  if (isGranted(agreement.state(), prepared)) return { approved: true }
  const given = askedOrAnswered(agreement, call, prepared, args, signal)
  return given instanceof Promise
    ? given.then((later) => granted(agreement, prepared, later))
    : granted(agreement, prepared, given)
}

function granted(agreement: AgreementContext, prepared: InspectedSkill, given: Agreement): Agreement {
  // What cannot be seen whole can change unseen: its consent is for this activation.
  if (given.approved && prepared.whole) agreement.change({ type: 'granted', grant: grantOf(prepared) })
  return given
}

function askedOrAnswered(
  { context, state, change }: AgreementContext,
  call: ToolCall,
  prepared: InspectedSkill,
  args: string | undefined,
  signal: AbortSignal | undefined,
): Agreement | Promise<Agreement> {
  const request = consentRequest(state().id, call, prepared, args)
  if (context.consent !== undefined) return ask(context.consent, request, context.consentTimeout, signal)
  const open = state().open.find(({ id }) => id === request.id)
  if (open?.approved === undefined) {
    const answered = state().open.filter(({ callId, approved }) => callId === call.id && approved !== undefined)
    if (answered.length === 0) return { approved: false, reason: 'nobody could be asked' }
    const isFolder = answered.some(({ id }) => isSameCall(id, request.id))
    const now = isFolder ? 'what the folder holds now' : 'what this call asks for'
    return { approved: false, reason: `what the answer was about is not ${now}` }
  }
  change({ type: 'settled', id: request.id })
  return { approved: open.approved, ...(open.reason !== undefined && { reason: open.reason }) }
}

function grantOf({ skill, digest }: InspectedSkill): Grant {
  return { skill: skill.name, source: skill.source, digest }
}
