import type { SessionParts } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import { quote, quoteName } from '@repertoire/skill-md/internal'

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
