import type { SessionProblem } from '../../ports/problem.ts'
import type { SessionContext, ModelReports } from '../context.ts'
import type { StateHolder } from '../state/holder.ts'
import type { ActiveSkill } from '../state/state.ts'
import { quote, quoteName } from '@repertoire/skill-md/internal'

/** Skills whose reports are remembered. */
const MAX_REPORTS = 10_000

/** Creates an empty record of reports. */
export function createModelReports(): ModelReports {
  const known = new Set<string>()
  return {
    isFirst(session, skill) {
      const key = JSON.stringify([session, skill])
      if (known.has(key)) return false
      known.add(key)
      for (const oldest of known) {
        if (known.size <= MAX_REPORTS) break
        known.delete(oldest)
      }
      return true
    },
  }
}

/** What the models of skills are found with. */
export interface SkillModelsContext {
  readonly context: Pick<SessionContext, 'modelReports' | 'reportProblem'>
  readonly state: Pick<StateHolder, 'current'>
}

/** The models that active skills ask for. */
export interface SkillModels {
  /** Returns the model that the host finds for the one that the active skills ask for; undefined: the run's own. */
  readonly find: <Model>(resolve: ((name: string) => Model | undefined) | undefined) => Model | undefined
  /** Reports the model that the active skills ask for where nothing has asked for it in this session. */
  readonly reportUnasked: () => void
}

/** Creates the models of one session's skills. */
export function createSkillModels(models: SkillModelsContext): SkillModels {
  return new ModelsOfSkills(models)
}

/** A class, since frameworks open a session for every call. */
class ModelsOfSkills implements SkillModels {
  readonly #models: SkillModelsContext
  #isAsked = false

  constructor(models: SkillModelsContext) {
    this.#models = models
  }

  find<Model>(resolve: ((name: string) => Model | undefined) | undefined): Model | undefined {
    this.#isAsked = true
    const skill = this.#skill()
    if (skill?.model === undefined) return undefined
    const found = resolve?.(skill.model)
    if (found !== undefined) return found
    const why =
      resolve === undefined
        ? 'the host has no `resolveModel`.'
        : 'the `resolveModel` of the host found none of that name.'
    this.#report(skill, why)
    return undefined
  }

  reportUnasked(): void {
    if (this.#isAsked) return
    const skill = this.#skill()
    if (skill !== undefined) this.#report(skill, 'the framework cannot change the model of a run.')
  }

  #skill(): ActiveSkill | undefined {
    const { active } = this.#models.state.current()
    return active.length === 0 ? undefined : modelSkill(active)
  }

  #report({ name, model = '' }: ActiveSkill, why: string): void {
    const { context, state } = this.#models
    if (!context.modelReports.isFirst(state.current().id, name)) return
    const problem: SessionProblem = {
      code: 'MODEL_NOT_USED',
      skill: name,
      message: `The skill ${quoteName(name)} asks for the model ${quote(model)}, and the run goes on with its own: ${why}`,
    }
    context.reportProblem(problem)
  }
}

/** The skill that was activated last, of those of this conversation that ask for a model. A fork has its model already. */
function modelSkill(active: readonly ActiveSkill[]): ActiveSkill | undefined {
  return active.findLast(
    ({ model, inherited, forked }) =>
      inherited !== true && forked !== true && model !== undefined && model !== 'inherit',
  )
}
