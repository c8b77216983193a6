import { quote, showName } from '../../text/quote.ts'
import { isObject, type Schema } from '../../manifest/parameter-schema.ts'
import { isStepName } from '../../manifest/definition/step-result.ts'
import type { Parameters } from '../parameters/validate.ts'
import { createFill, type Fill, type StepResults, Unfillable } from './fill.ts'

/** One step of a plan, ready to be carried out. */
export interface PlanStep {
  /** From 1. */
  readonly step: number
  /** By which later steps use its result. Absent: none does. */
  readonly name?: string
  /** As the author wrote it: a tool of the host's, or a skill's own tool, `skill_<name>`. */
  readonly tool: string
  /** What is known before the plan runs: `{{ steps.look.result }}` stands where the result of an earlier step comes. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The step's purpose. */
  readonly description?: string
}

/** A plan that can be carried out. */
export interface Plan {
  readonly plan: readonly PlanStep[]
  /** Returns a step with the results of those before it filled in, or why that cannot be, as a sentence. */
  readonly stepWith: (step: PlanStep, results: StepResults) => PlanStep | { readonly problem: string }
}

/** The most steps of one plan. */
export const MAX_STEPS = 100

/**
 * Returns the plan of a composite skill: its steps with their numbers, tools and parameters. Nothing runs. In a skill
 * with `parameters`, `{{ name }}` in a step's parameters is the value of that one: where it is the whole text, as it is,
 * also a number or a list; inside a text, as text. What was filled in is not read again. In a skill without them,
 * everything but the results of earlier steps stays as it is written.
 * @param steps of the definition; what a program made by itself may be anything
 * @returns what is wrong with them, as a sentence
 */
export function planOf(
  steps: unknown,
  schema: Schema | undefined,
  values: Parameters,
): Plan | { readonly problem: string } {
  if (!Array.isArray(steps)) return { problem: 'It has no `steps`, or they are not a list.' }
  if (steps.length === 0) return { problem: 'It has no step.' }
  if (steps.length > MAX_STEPS) return { problem: `It has ${steps.length} steps, of at most ${MAX_STEPS}.` }
  const fill = createFill({ schema, values })
  const plan: PlanStep[] = []
  const names = new Set<string>()
  for (const [index, step] of steps.entries()) {
    const number = index + 1
    const { name, tool, parameters = {}, description, ...others } = isObject(step) ? step : {}
    if (typeof tool !== 'string' || tool.trim() === '') return { problem: `Step ${number} names no tool.` }
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) {
      return {
        problem: `Step ${number} has ${quote(unknown)}, which is not known. A step has \`tool\`, \`parameters\`, \`name\` and \`description\`.`,
      }
    }
    if (!isObject(parameters)) return { problem: `Step ${number} has parameters that are not a mapping.` }
    if (name !== undefined && (typeof name !== 'string' || !isStepName(name) || names.has(name))) {
      return { problem: `Step ${number} has a name that another step has, or that is not a word.` }
    }
    const filled = filledStep(fill, { step: number, tool, parameters }, names)
    if ('problem' in filled) return filled
    plan.push({
      ...filled,
      ...(typeof name === 'string' && { name }),
      ...(typeof description === 'string' && { description }),
    })
    if (typeof name === 'string') names.add(name)
  }
  const fillLater = createFill({ schema, values })
  return {
    plan,
    // From what the author wrote: a parameter that was filled in may look like a placeholder, and is not one.
    stepWith: (step, results) => {
      const { parameters = {} } = steps[step.step - 1] as { readonly parameters?: PlanStep['parameters'] }
      return filledStep(fillLater, { ...step, parameters }, new Set(results.keys()), results)
    },
  }
}

function filledStep(
  fill: Fill,
  step: PlanStep,
  earlier: ReadonlySet<string>,
  results?: StepResults,
): PlanStep | { readonly problem: string } {
  try {
    return { ...step, parameters: fill(step.parameters, earlier, results) as PlanStep['parameters'] }
  } catch (error) {
    if (error instanceof Unfillable) return { problem: `Step ${step.step} ${error.message}.` }
    throw error
  }
}

/** Returns a plan as the text that a model is shown, which is to carry it out itself. */
export function planText(plan: readonly PlanStep[]): string {
  const steps = plan.map(({ step, name, tool, parameters, description }) =>
    [
      `${step}. \`${showName(tool)}\` ${JSON.stringify(parameters)}`,
      ...(name === undefined ? [] : [`   Its result is {{ steps.${name}.result }} in later steps.`]),
      ...(description === undefined ? [] : [`   ${description.replace(/\s+/g, ' ').trim()}`]),
    ].join('\n'),
  )
  return `The plan, each step with its tool and that tool's input. Carry the steps out in this order, and stop at the first that fails:\n${steps.join('\n')}`
}
