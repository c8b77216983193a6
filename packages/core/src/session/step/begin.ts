import type { CatalogView } from '../../catalog/view.ts'
import { enforcedPolicy } from '@repertoire/gate/internal'
import type { SessionContext, SessionParts } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import type { StepOptions } from '../session.ts'
import { type ActiveSkill, isFork } from '../state/state.ts'
import { offeredTools, providedTools } from '../toolsets/provided-tools.ts'
import { type SkillModels, reportCounting, reportEndedEarly, reportUnmatchedPolicy } from './reports.ts'
import { type ShownSection, type StepView, viewStep } from './view.ts'
import { skillOfTool } from '../../tools/skill-tools.ts'
import { hasSkillTools } from '../../tools/styles.ts'
import { type Skill, quoteName } from '@repertoire/skill-md/internal'

/** What steps are made with. */
interface StepNeeds extends SessionParts {
  readonly lifetime: Lifetime
  readonly models: SkillModels
  /** What is shown to the model. */
  readonly view: CatalogView
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
export function createSteps({ context, state, lifetime, models, view }: StepNeeds): Steps {
  let hostTools = context.hostTools
  let stack: readonly ActiveSkill[] | undefined
  let sections: (() => readonly ShownSection[]) | undefined
  let hasJudgedPolicy = false
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
      // A fork has the policy of the session above, and often fewer tools.
      if (!hasJudgedPolicy && hostTools.length > 0 && !isFork({ active })) reportUnmatchedPolicy(context, hostTools, id)
      hasJudgedPolicy ||= hostTools.length > 0
      if (lifetime.hasEnded() && !isFork({ active })) reportEndedEarly(context, id)
      context.audit?.beginStep(model, active, toolset)
      const shown = viewStep({
        context,
        skills: lifetime.hasEnded() ? [] : skills,
        hostTools,
        active,
        policy: enforcedPolicy(active, context.gate),
        provided: offeredTools(context, providedTools(context, active, hostTools)),
        matched,
        granted,
      })
      const failure = context.listCounting?.failure()
      if (failure !== undefined) reportCounting(context, id, failure)
      sections = shown.sections
      return shown.view
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
  { toolNames, listing, tools, scripts }: SessionContext,
  skills: readonly Skill[],
): void {
  const own = new Set(Object.values(toolNames).map((name) => name.toLowerCase()))
  // A host without a runner may have a tool of that name itself.
  if (scripts === undefined) own.delete(toolNames.runScript.toLowerCase())
  // And so may one that offers no search.
  if (listing.search === 'never') own.delete(toolNames.search.toLowerCase())
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
  tools.check(hostTools)
}
