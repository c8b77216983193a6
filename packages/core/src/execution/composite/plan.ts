import { isObject, quote, showName } from '@repertoire/skill-md/internal'

/** One step of a plan, ready to be carried out. */
export interface PlanStep {
  /** From 1. */
  readonly step: number
  /** As the author wrote it: a tool of the host's, or a skill's own tool, `skill_<name>`. */
  readonly tool: string
  /** The tool's input, as it is written. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The step's purpose. */
  readonly description?: string
}

export const PLAN_WITH_PARAMETERS = 'A plan takes no parameters: write the values into its steps.'

const MAX_STEPS = 100

/**
 * Returns the plan of a composite skill: its steps with their numbers, tools and parameters, as they are written.
 * @param steps of the definition; what a program made by itself may be anything
 * @returns what is wrong with them, as a sentence
 */
export function planOf(steps: unknown): readonly PlanStep[] | { readonly problem: string } {
  if (!Array.isArray(steps)) return { problem: 'It has no `steps`, or they are not a list.' }
  if (steps.length === 0) return { problem: 'It has no step.' }
  if (steps.length > MAX_STEPS) return { problem: `It has ${steps.length} steps, of at most ${MAX_STEPS}.` }
  const plan: PlanStep[] = []
  for (const [index, each] of steps.entries()) {
    const step = index + 1
    const { tool, parameters = {}, description, ...others } = isObject(each) ? each : {}
    if (typeof tool !== 'string' || tool.trim() === '') return { problem: `Step ${step} names no tool.` }
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) {
      return {
        problem: `Step ${step} has ${quote(unknown)}, which is not known. A step has \`tool\`, \`parameters\` and \`description\`.`,
      }
    }
    if (!isObject(parameters)) return { problem: `Step ${step} has parameters that are not a mapping.` }
    plan.push({ step, tool, parameters, ...(typeof description === 'string' && { description }) })
  }
  return plan
}

/** Returns a plan as the text that a model is shown, which is to carry it out itself. */
export function planText(plan: readonly PlanStep[]): string {
  const steps = plan.map(({ step, tool, parameters, description }) =>
    [
      `${step}. \`${showName(tool)}\` ${JSON.stringify(parameters)}`,
      ...(description === undefined ? [] : [`   ${description.replace(/\s+/g, ' ').trim()}`]),
    ].join('\n'),
  )
  return `The plan, each step with its tool and that tool's input. Carry the steps out in this order, and stop at the first that fails:\n${steps.join('\n')}`
}
