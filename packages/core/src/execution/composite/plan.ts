import { isObject, type Schema, quote, quoteName, showName } from '@repertoire/skill-md/internal'
import type { Parameters } from '../parameters/validate.ts'
import { filledText } from '../../text/hash.ts'

/** One step of a plan, ready to be carried out. */
export interface PlanStep {
  /** From 1. */
  readonly step: number
  /** As the author wrote it: a tool of the host's, or a skill's own tool, `skill_<name>`. */
  readonly tool: string
  /** The tool's input, complete before the plan runs. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The step's purpose. */
  readonly description?: string
}

/** The most steps of one plan. */
const MAX_STEPS = 100

/**
 * Returns the plan of a composite skill: its steps with their numbers, tools and parameters. Nothing runs. In a skill
 * with `parameters`, `{{ name }}` in a step's parameters is the value of that one: where it is the whole text, as it is,
 * also a number or a list; inside a text, as text. What was filled in is not read again. In a skill without them,
 * everything stays as it is written.
 * @param steps of the definition; what a program made by itself may be anything
 * @returns what is wrong with them, as a sentence
 */
export function planOf(
  steps: unknown,
  schema: Schema | undefined,
  values: Parameters,
): readonly PlanStep[] | { readonly problem: string } {
  if (!Array.isArray(steps)) return { problem: 'It has no `steps`, or they are not a list.' }
  if (steps.length === 0) return { problem: 'It has no step.' }
  if (steps.length > MAX_STEPS) return { problem: `It has ${steps.length} steps, of at most ${MAX_STEPS}.` }
  const fill = schema === undefined ? (value: unknown) => value : createFill(schema, values)
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
    try {
      const filled = fill(parameters) as PlanStep['parameters']
      plan.push({ step, tool, parameters: filled, ...(typeof description === 'string' && { description }) })
    } catch (error) {
      if (error instanceof Unfillable) return { problem: `Step ${step} ${error.message}.` }
      throw error
    }
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

/** Characters of all values together that are filled into one plan. */
const MAX_FILLED_CHARS = 1_000_000

/** Levels of objects and lists in the parameters of a step. */
const MAX_DEPTH = 64

/** Why parameters cannot be filled in: the message continues "Step 1 …". */
class Unfillable extends Error {}

const PLACEHOLDER = /\{\{\s{0,8}([^\s{}]{1,200})\s{0,8}\}\}/g
const WHOLE = new RegExp(`^${PLACEHOLDER.source}$`)

/** A parameter that the skill knows and that was not given. */
const ABSENT = Symbol('absent')

/** Creates what fills the parameters of the steps of one plan. It throws `Unfillable`. */
function createFill(schema: Schema, values: Parameters): (parameters: unknown) => unknown {
  const properties = Object(schema['properties']) as object
  let room = MAX_FILLED_CHARS

  function valueOf(name: string): unknown {
    const isGiven = Object.hasOwn(values, name)
    if (!isGiven && !Object.hasOwn(properties, name)) {
      throw new Unfillable(`uses the parameter ${quoteName(name)}, which the skill does not have`)
    }
    const value = isGiven ? values[name] : ABSENT
    room -= filledText(value).length
    if (room < 0) throw new Unfillable(`makes the plan longer than ${MAX_FILLED_CHARS} characters`)
    return value
  }

  function fill(value: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new Unfillable(`has parameters that are nested deeper than ${MAX_DEPTH} levels`)
    if (typeof value === 'string') {
      const whole = WHOLE.exec(value.trim())?.[1]
      if (whole !== undefined) return valueOf(whole)
      return value.replace(PLACEHOLDER, (_, name: string) => filledText(valueOf(name)))
    }
    if (Array.isArray(value)) return value.map((each) => fill(each, depth + 1)).filter((item) => item !== ABSENT)
    if (!isObject(value)) return value
    const entries = Object.entries(value).map(([key, each]) => [key, fill(each, depth + 1)] as const)
    return Object.fromEntries(entries.filter(([, each]) => each !== ABSENT))
  }

  return (parameters) => fill(parameters, 0)
}
