import type { CatalogView } from '../../catalog/view.ts'
import { enforcedPolicy, listRules, saysNothing, type Toolset, unmatchedPolicy } from '@repertoire/gate/internal'
import type { CountingFailure, SessionContext, SessionParts } from '../context.ts'
import { isFork, isPinned, taskOf } from '../state/state.ts'
import { offeredTools, providedTools } from '../toolsets/provided-tools.ts'
import type { BegunStep } from './shown-steps.ts'
import { type ViewedStep, viewStep } from './view.ts'
import { skillOfTool } from '../../tools/skill-tools.ts'
import { takenNames } from '../../tools/definitions.ts'
import { hasSkillTools } from '../../tools/styles.ts'
import { type Skill, quote, quoteName } from '@repertoire/skill-md/internal'
import type { SkillSearch } from '../../ports/search.ts'
import { scriptGate } from '../scripts/active-scripts.ts'
import { failureReason } from '../refusal.ts'

/** Begins a step: reports what is wrong with it, and returns what it shows. */
export function beginStep(
  session: SessionParts & { readonly view: CatalogView },
  toolset: Toolset,
  hostTools: readonly string[],
): BegunStep & Pick<ViewedStep, 'sections'> {
  const { context, state, lifetime, view } = session
  const skills = lifetime.hasEnded() ? [] : view.list()
  checkToolNames(hostTools, context, skills)
  const { id, active, matched } = state.current()
  const none = skills.length === 0 && !isFork({ active }) ? context.noSkills() : undefined
  if (none !== undefined) context.reportOnce(id, 'NO_SKILLS', () => ({ code: 'NO_SKILLS', message: none }))
  else for (const problem of context.notLoaded()) context.reportProblem(problem)
  // A fork has the policy of the session above, and often fewer tools.
  if (hostTools.length > 0 && !isFork({ active })) reportUnmatchedPolicy(context, hostTools, id)
  if (lifetime.hasEnded()) reportEndedEarly(session)
  const policy = enforcedPolicy(active, context.gate, toolset)
  const provided = offeredTools(context, providedTools(context, active, hostTools))
  const viewed = viewStep({ context, skills, hostTools, active, policy, provided, matched })
  const failure = context.countingFailure()
  if (failure !== undefined) reportCounting(context, id, failure)
  return { ...viewed, skills, active, policy, tools: toolset, hostTools }
}

/** @throws {TypeError} a host tool has the name of a skill tool, or is mapped to another tool of the host */
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

/**
 * Reports once for each session that its run goes on after its end, as of a stream that the host does not await. An
 * aborted run stops late, and a fork ends with its task: neither is reported.
 */
export function reportEndedEarly({ context, state }: SessionParts, signal?: AbortSignal): void {
  const { task, reportOnce } = context
  if (taskOf(state.current()) !== task || signal?.aborted === true) return
  reportOnce(task, 'SESSION_ENDED_EARLY', () => ({
    code: 'SESSION_ENDED_EARLY',
    message:
      'The session ended before its run: the model is shown no skills, and every call is refused. Await the end of the stream in the callback of `runTask` or `withStoredSession`, or use `skillsAgent` of @repertoire/ai-sdk, which ends its session after the stream.',
  }))
}

/** Reports once for each session that lists were measured by the estimate, since the host's counter failed. */
export function reportCounting(
  { reportOnce }: SessionContext,
  session: string,
  { reason, cause }: CountingFailure,
): void {
  reportOnce(session, 'TOKENS_NOT_COUNTED', () => ({
    code: 'TOKENS_NOT_COUNTED',
    message: `The host's counter of tokens failed: ${reason}. The tokens of that text are estimated.`,
    cause,
  }))
}

/**
 * Reports, once for each session, the rules of the host's policy that mean none of its tools: one that allows permits
 * nothing, one that denies keeps from nothing, and one that asks asks about nothing, which is rarely what was
 * meant. The tool that runs scripts is one of them if it is there.
 */
function reportUnmatchedPolicy(context: SessionContext, hostTools: readonly string[], session: string): void {
  const { gate, scripts } = context
  if (saysNothing(gate.host)) return
  context.reportOnce(session, 'POLICY_UNMATCHED', () => {
    const known = scripts === undefined ? context.tools.of(hostTools) : scriptGate(context, hostTools).tools
    const said = Object.entries(unmatchedPolicy(gate.host, known))
      .filter(([, rules]) => rules.length > 0)
      .map(([list, rules]) => `\`policy.${list}\` (${listRules(rules)})`)
    if (said.length === 0) return undefined
    const message = `Rules of ${said.join(' and of ')} match no call of your tools, so they do nothing. Name tools that the agent has, or map yours in the option \`toolMap\`, such as { searchCode: 'Grep' }.`
    return { code: 'POLICY_UNMATCHED', message }
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

/** Returns the model that the host finds for the one that the active skills ask for; undefined: the run's own. */
export function findSkillModel<Model>(
  { context, state }: SessionParts,
  resolve: ((name: string) => Model | undefined) | undefined,
): Model | undefined {
  const { active, id } = state.current()
  // The skill that was activated last, of those of this conversation that ask for one. A fork has its model already.
  const skill = active.findLast((each) => !isPinned(each) && each.model !== undefined && each.model !== 'inherit')
  const { name, model } = skill ?? {}
  if (name === undefined || model === undefined) return undefined
  const found = resolve?.(model)
  if (found === undefined) reportModel(context, id, { name, model })
  return found
}

/** Reports, once for each skill of a session, that its model is not used. */
export function reportModel(
  { reportOnce }: SessionContext,
  session: string,
  { name, model }: { readonly name: string; readonly model: string },
): void {
  reportOnce(session, `MODEL_NOT_USED ${name}`, () => ({
    code: 'MODEL_NOT_USED',
    skill: name,
    message: `The skill ${quoteName(name)} asks for the model ${quote(model)}, and runs with another: no \`resolveModel\` of the host finds one of that name.`,
  }))
}
