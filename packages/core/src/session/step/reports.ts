import type { SkillSearch } from '../../catalog/searcher.ts'
import type { CountingFailure, SessionContext, SessionParts } from '../context.ts'
import { listRules, saysNothing, unmatchedPolicy } from '@repertoire/gate/internal'
import { scriptGate } from '../scripts/active-scripts.ts'
import { failureReason } from '../refusal.ts'
import type { ActiveSkill } from '../state/state.ts'
import { quote, quoteName } from '@repertoire/skill-md/internal'

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

/** Reports what a search could not look at. */
export function reportIncomplete(
  diagnostics: SkillSearch['diagnostics'],
  reportProblem: SessionContext['reportProblem'],
): void {
  const [first, ...more] = diagnostics
  if (first === undefined) return
  const rest =
    more.length === 0 ? '' : ` There are ${more.length} more of this kind: search the catalog to see them all.`
  reportProblem({ code: 'SEARCH_INCOMPLETE', message: failureReason(`${first.message}${rest}`) })
}

/** The models that active skills ask for. */
export interface SkillModels {
  /** Returns the model that the host finds for the one that the active skills ask for; undefined: the run's own. */
  readonly find: <Model>(resolve: ((name: string) => Model | undefined) | undefined) => Model | undefined
  /** Reports the model that the active skills ask for where nothing has asked for it in this session. */
  readonly reportUnasked: () => void
}

/** Creates the models of one session's skills. */
export function createSkillModels({ context, state }: SessionParts): SkillModels {
  let isAsked = false

  function report({ name, model = '' }: ActiveSkill, why: string): void {
    if (!context.firstReports.isFirst(state.current().id, `MODEL_NOT_USED ${name}`)) return
    context.reportProblem({
      code: 'MODEL_NOT_USED',
      skill: name,
      message: `The skill ${quoteName(name)} asks for the model ${quote(model)}, and the run goes on with its own: ${why}`,
    })
  }

  return {
    find(resolve) {
      isAsked = true
      const skill = modelSkill(state.current().active)
      if (skill?.model === undefined) return undefined
      const found = resolve?.(skill.model)
      if (found !== undefined) return found
      const why =
        resolve === undefined
          ? 'the host has no `resolveModel`.'
          : 'the `resolveModel` of the host found none of that name.'
      report(skill, why)
      return undefined
    },
    reportUnasked() {
      const skill = isAsked ? undefined : modelSkill(state.current().active)
      if (skill !== undefined) report(skill, 'the framework cannot change the model of a run.')
    },
  }
}

/** The skill that was activated last, of those of this conversation that ask for a model. A fork has its model already. */
function modelSkill(active: readonly ActiveSkill[]): ActiveSkill | undefined {
  return active.findLast(
    ({ model, inherited, forked }) =>
      inherited !== true && forked !== true && model !== undefined && model !== 'inherit',
  )
}
