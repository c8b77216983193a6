import { applyArguments } from '../../disclosure/arguments.ts'
import { argumentsText, changedText } from '../../disclosure/skill-content.ts'
import { planOf, planText } from '../../execution/composite/plan.ts'
import { parametersFromText } from '../../execution/parameters/from-text.ts'
import { defaultsOf, isObject } from '@repertoire/skill-md/internal'
import type { InspectedSkill } from '../inspect-skill.ts'

/** What instructions are made from. */
type Instructed = Pick<InspectedSkill, 'skill' | 'manifest' | 'body' | 'definition'>

/** Returns the instructions of a skill that is activated: its body with the arguments filled in, or its plan. */
export function instructionsOf(inspected: Instructed, args: string | undefined): string {
  return planFor(inspected, args) ?? applyArguments(inspected.body, args)
}

/** Returns what later arguments change of them, as the text that the model is shown. */
export function laterArgumentsText(inspected: Instructed, args: string): string {
  const plan = planFor(inspected, args)
  const { name } = inspected.skill
  return plan === undefined ? argumentsText(name, inspected.body, args) : changedText(name, plan)
}

/** The parameters have been compared with the skill's schema before. */
function planFor({ manifest: { parameters }, definition }: Instructed, args: string | undefined): string | undefined {
  if (definition.type !== 'composite') return undefined
  const given = parametersFromText(parameters, args ?? '')
  const planned = planOf(definition.steps, parameters, { ...defaultsOf(parameters), ...(isObject(given) && given) })
  return 'plan' in planned ? planText(planned.plan) : undefined
}
