import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { SessionAudit } from './recorder.ts'

/** Returns a call's outcome, after recording it if it is a refusal. */
export function recordIfRefused(
  audit: Pick<SessionAudit, 'recordRefusal'> | undefined,
  call: ToolCall,
  active: readonly ActiveSkill[],
  outcome: Outcome,
): Outcome | Promise<Outcome> {
  if (outcome.ok || audit === undefined) return outcome
  return audit.recordRefusal(call, active, outcome.refusal).then(() => outcome)
}
