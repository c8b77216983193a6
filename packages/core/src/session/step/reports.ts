import type { CountingFailure, SessionContext } from '../context.ts'
import { listRules, saysNothing, unmatchedPolicy } from '@repertoire/gate/internal'
import { scriptGate } from '../scripts/active-scripts.ts'

/** What problems are reported with. */
type ReportNeeds = Pick<SessionContext, 'firstReports' | 'reportProblem'>

/** Reports once for each session that lists were measured by the estimate, since the host's counter failed. */
export function reportCounting(
  { firstReports, reportProblem }: ReportNeeds,
  session: string,
  { reason, cause }: CountingFailure,
): void {
  if (!firstReports.isFirst(session, 'TOKENS_NOT_COUNTED')) return
  reportProblem({
    code: 'TOKENS_NOT_COUNTED',
    message: `The host's counter of tokens failed: ${reason}. The tokens of that text are estimated.`,
    ...(cause !== undefined && { cause }),
  })
}

/** Reports once for each session that a model call came after its end, as of a stream that nobody awaits. */
export function reportEndedEarly({ firstReports, reportProblem }: ReportNeeds, session: string): void {
  if (!firstReports.isFirst(session, 'SESSION_ENDED_EARLY')) return
  reportProblem({
    code: 'SESSION_ENDED_EARLY',
    message:
      'The session ended before its run: the model is shown no skills, and every call is refused. Return from `runTask`, or end the session, only when the run is done: await the end of a stream.',
  })
}

/**
 * Reports, once for each session, the rules of the host's policy that mean none of its tools: one that allows permits
 * nothing, one that denies keeps from nothing, and nobody is asked because of one that asks, which is rarely what was
 * meant. The tool that runs scripts is one of them where it is there.
 */
export function reportUnmatchedPolicy(
  context: ReportNeeds & Pick<SessionContext, 'gate' | 'tools' | 'toolNames' | 'scripts'>,
  hostTools: readonly string[],
  session: string,
): void {
  const { gate, scripts, firstReports, reportProblem } = context
  if (saysNothing(gate.host)) return
  const known = scripts === undefined ? context.tools.of(hostTools) : scriptGate(context, hostTools).tools
  const { allow, deny, ask } = unmatchedPolicy(gate.host, known)
  const said = [
    ...(allow.length > 0 ? [`\`policy.allow\` (${listRules(allow)})`] : []),
    ...(deny.length > 0 ? [`\`policy.deny\` (${listRules(deny)})`] : []),
    ...(ask.length > 0 ? [`\`policy.ask\` (${listRules(ask)})`] : []),
  ]
  // Frameworks reopen a session for every step.
  if (said.length === 0 || !firstReports.isFirst(session, 'POLICY_UNMATCHED')) return
  reportProblem({
    code: 'POLICY_UNMATCHED',
    message: `Rules of ${said.join(' and of ')} mean none of the host's tools here, so they do nothing. Name tools that the host has, or say in the option \`tools\` which of yours stand for these, such as { searchCode: 'Grep' }.`,
  })
}
