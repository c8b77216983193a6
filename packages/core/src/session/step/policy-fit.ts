import { listRules, saysNothing, unmatchedPolicy } from '@repertoire/gate/internal'
import type { SessionContext } from '../context.ts'
import { scriptGate } from '../scripts/script-gate.ts'

/**
 * Reports, once for each session, the rules of the host's policy that mean none of its tools: one that allows permits
 * nothing, one that denies keeps from nothing, and nobody is asked because of one that asks, which is rarely what was
 * meant. The tool that runs scripts is one of them where it is there.
 */
export function reportUnmatchedPolicy(
  context: Pick<SessionContext, 'gate' | 'tools' | 'toolNames' | 'scripts' | 'modelReports' | 'reportProblem'>,
  hostTools: readonly string[],
  session: () => string,
): void {
  const { gate, scripts, modelReports, reportProblem } = context
  if (saysNothing(gate.host)) return
  const known = scripts === undefined ? context.tools.of(hostTools) : scriptGate(context, hostTools).tools
  const { allow, deny, ask } = unmatchedPolicy(gate.host, known)
  const said = [
    ...(allow.length > 0 ? [`\`policy.allow\` (${listRules(allow)})`] : []),
    ...(deny.length > 0 ? [`\`policy.deny\` (${listRules(deny)})`] : []),
    ...(ask.length > 0 ? [`\`policy.ask\` (${listRules(ask)})`] : []),
  ]
  // Frameworks reopen a session for every step. No skill has such a name.
  if (said.length === 0 || !modelReports.isFirst(session(), 'policy()')) return
  reportProblem({
    code: 'POLICY_UNMATCHED',
    message: `Rules of ${said.join(' and of ')} mean none of the host's tools here, so they do nothing. Name tools that the host has, or say in the option \`tools\` which of yours stand for these, such as { searchCode: 'Grep' }.`,
  })
}
