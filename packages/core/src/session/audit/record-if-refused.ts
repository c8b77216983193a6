import type { Outcome, ToolCall } from '@repertoire/gate/internal'
import type { ActiveSkill } from '../state/state.ts'
import type { SessionAudit } from './recorder.ts'

/** Returns a call's outcome, after recording it if it is a refusal. */
export async function recordIfRefused(
  audit: Pick<SessionAudit, 'recordRefusal'> | undefined,
  call: ToolCall,
  active: readonly ActiveSkill[],
  outcome: Outcome,
): Promise<Outcome> {
  if (!outcome.ok) await audit?.recordRefusal(call, active, outcome.refusal)
  return outcome
}
