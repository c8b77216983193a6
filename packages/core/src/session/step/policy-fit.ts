import { listRules, unmatchedPolicy } from '../../gate/index.ts'
import type { SessionContext } from '../context.ts'

/**
 * Reports the rules of the host's policy that mean none of its tools: one that allows permits nothing, one that denies
 * keeps from nothing, and nobody is asked because of one that asks, which is rarely what was meant.
 */
export function reportUnmatchedPolicy(
  { gate, tools, reportProblem }: Pick<SessionContext, 'gate' | 'tools' | 'reportProblem'>,
  hostTools: readonly string[],
): void {
  const { lists, denied = [], asked = [] } = gate.host
  if (lists.length === 0 && denied.length === 0 && asked.length === 0) return
  const { allow, deny, ask } = unmatchedPolicy(gate.host, tools.of(hostTools))
  const said = [
    ...(allow.length > 0 ? [`\`policy.allow\` (${listRules(allow)})`] : []),
    ...(deny.length > 0 ? [`\`policy.deny\` (${listRules(deny)})`] : []),
    ...(ask.length > 0 ? [`\`policy.ask\` (${listRules(ask)})`] : []),
  ]
  if (said.length === 0) return
  reportProblem({
    code: 'POLICY_UNMATCHED',
    message: `Rules of ${said.join(' and of ')} mean none of the host's tools here, so they do nothing. Name tools that the host has, or say in the option \`tools\` which of yours stand for these, such as { searchCode: 'Grep' }.`,
  })
}
