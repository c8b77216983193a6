import type { CatalogView } from '../../catalog/view.ts'
import { enforcedPolicy, listRules, saysNothing, unmatchedPolicy } from '@repertoire/gate/internal'
import type { CountingFailure, SessionContext, SessionParts } from '../context.ts'
import { reportEndedEarly } from '../ended-early.ts'
import type { Lifetime } from '../lifetime.ts'
import type { StepOptions } from '../session.ts'
import { type ActiveSkill, isFork, isPinned } from '../state/state.ts'
import { offeredTools, providedTools } from '../toolsets/provided-tools.ts'
import type { ShownSteps } from './shown-steps.ts'
import { type ShownSection, type StepView, viewStep } from './view.ts'
import { skillOfTool } from '../../tools/skill-tools.ts'
import { takenNames } from '../../tools/definitions.ts'
import { hasSkillTools } from '../../tools/styles.ts'
import { type Skill, quote, quoteName } from '@repertoire/skill-md/internal'
import type { SkillSearch } from '../../ports/search.ts'
import { scriptGate } from '../scripts/active-scripts.ts'
import { failureReason } from '../refusal.ts'

/** What steps are made with. */
interface StepNeeds extends SessionParts {
  readonly lifetime: Lifetime
  readonly models: SkillModels
  /** What is shown to the model. */
  readonly view: CatalogView
  /** Records what is shown. Absent: there is no audit. */
  readonly record: ShownSteps | undefined
}

/** The steps of a session, each a model call, and what the calls of its answer are judged by. */
export interface Steps {
  readonly begin: (hostTools: Iterable<string>, options?: StepOptions) => StepView
  /** Returns the stack when the step began; before the first step, the current one. */
  readonly active: () => readonly ActiveSkill[]
  /** Returns the names of the host's tools in this step; undefined where they are not known yet. */
  readonly hostTools: () => readonly string[] | undefined
  /** Identifies the message that the step's model call answers with; undefined before the first step. */
  readonly message: () => string | undefined
  /** Returns the sections of the skills that are not active, as the step shows them. */
  readonly sections: () => readonly ShownSection[]
}

/** Counts the steps of all sessions, so that none has the message of another. */
let stepCount = 0

/** Creates the steps of one session. */
export function createSteps({ context, state, lifetime, models, view, record }: StepNeeds): Steps {
  let hostTools = context.hostTools
  let stack: readonly ActiveSkill[] | undefined
  let sections: (() => readonly ShownSection[]) | undefined
  let hasJudgedRules = false
  let message: string | undefined

  return {
    begin(names, { model } = {}) {
      const given = [...names]
      // The same list for the same names.
      const toolset = context.tools.of(given)
      hostTools = toolset.names ?? given
      const skills = view.list()
      checkToolNames(hostTools, context, skills)
      const { id, active, matched, granted } = state.current()
      stack = active
      message = `step ${++stepCount}`
      models.reportUnasked()
      const none = skills.length === 0 && !isFork({ active }) ? context.noSkills() : undefined
      if (none !== undefined) reportNoSkills(context, id, none)
      else for (const problem of context.notLoaded()) context.reportProblem(problem)
      // A fork has the policy of the session above, and often fewer tools.
      if (!hasJudgedRules && hostTools.length > 0 && !isFork({ active })) reportUnmatchedPolicy(context, hostTools, id)
      hasJudgedRules ||= hostTools.length > 0
      if (lifetime.hasEnded()) reportEndedEarly({ context, state })
      context.audit?.beginStep(model, active, toolset)
      const policy = enforcedPolicy(active, context.gate, toolset)
      const shown = viewStep({
        context,
        skills: lifetime.hasEnded() ? [] : skills,
        hostTools,
        active,
        policy,
        provided: offeredTools(context, providedTools(context, active, hostTools)),
        matched,
        granted,
      })
      const failure = context.listCounting?.failure()
      if (failure !== undefined) reportCounting(context, id, failure)
      sections = shown.sections
      if (record === undefined) return shown.view
      const { view: shownView, list } = shown
      record.begin({ view: shownView, list, skills, active, policy, tools: toolset, hostTools })
      return { ...shownView, system: (own) => record.noteSystem(shownView.system(own)) }
    },
    active: () => stack ?? state.current().active,
    hostTools: () => hostTools,
    message: () => message,
    sections: () => sections?.() ?? [],
  }
}

/** @throws {TypeError} a host tool has the name of a skill tool, or stands for another tool that the host has */
function checkToolNames(
  hostTools: readonly string[],
  { toolNames, listing, scripts }: SessionContext,
  skills: readonly Skill[],
): void {
  const own = takenNames(toolNames, scripts !== undefined, listing.search !== 'never')
  const skill = hasSkillTools(listing.style) ? hostTools.find((name) => skillOfTool(skills, name)) : undefined
  if (skill !== undefined) {
    throw new TypeError(
      `The host has a tool named ${quoteName(skill)}, which is the name of a skill's own tool. Leave it out if it is the tool of that skill: in this style the session offers it. Otherwise rename it, keep the skill from this session with the option \`skills\`, or list skills in another style.`,
    )
  }
  const clash = hostTools.find((name) => own.has(name.toLowerCase()))
  if (clash !== undefined) {
    throw new TypeError(
      `The host has a tool named ${quoteName(clash)}, which is the name of a skill tool. Rename one: the skill tools take their names from the option \`toolNames\`.`,
    )
  }
}

/** What problems are reported with. */
type ReportNeeds = Pick<SessionContext, 'firstReports' | 'reportProblem'>

/** Reports once for each session that no source has a skill. It names what could not be loaded. */
function reportNoSkills({ firstReports, reportProblem }: ReportNeeds, session: string, message: string): void {
  if (firstReports.isFirst(session, 'NO_SKILLS')) reportProblem({ code: 'NO_SKILLS', message })
}

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
    cause,
  })
}

/**
 * Reports, once for each session, the rules of the host's policy that mean none of its tools: one that allows permits
 * nothing, one that denies keeps from nothing, and nobody is asked because of one that asks, which is rarely what was
 * meant. The tool that runs scripts is one of them where it is there.
 */
function reportUnmatchedPolicy(
  context: ReportNeeds & Pick<SessionContext, 'gate' | 'tools' | 'toolNames' | 'scripts'>,
  hostTools: readonly string[],
  session: string,
): void {
  const { gate, scripts, firstReports, reportProblem } = context
  if (saysNothing(gate.host)) return
  const known = scripts === undefined ? context.tools.of(hostTools) : scriptGate(context, hostTools).tools
  const said = Object.entries(unmatchedPolicy(gate.host, known))
    .filter(([, rules]) => rules.length > 0)
    .map(([list, rules]) => `\`policy.${list}\` (${listRules(rules)})`)
  // Frameworks reopen a session for every step.
  if (said.length === 0 || !firstReports.isFirst(session, 'POLICY_UNMATCHED')) return
  reportProblem({
    code: 'POLICY_UNMATCHED',
    message: `Rules of ${said.join(' and of ')} match none of your tools, so they do nothing. Name tools that the agent has, or map yours in the option \`toolMap\`, such as { searchCode: 'Grep' }.`,
  })
}

/** Reports what a search could not look at. */
export function reportIncomplete(
  diagnostics: SkillSearch['diagnostics'],
  reportProblem: SessionContext['reportProblem'],
): void {
  const [first, ...more] = diagnostics
  if (first === undefined) return
  const rest = more.length === 0 ? '' : ' There are more of this kind: search the catalog to see them all.'
  reportProblem({ code: 'SEARCH_INCOMPLETE', message: failureReason(`${first.message}${rest}`) })
}

/** The models that active skills ask for. */
interface SkillModels {
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
      report(skill, 'no `resolveModel` of the host finds one of that name.')
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
  return active.findLast((skill) => !isPinned(skill) && skill.model !== undefined && skill.model !== 'inherit')
}
