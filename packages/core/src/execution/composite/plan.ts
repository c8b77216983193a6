import { quoteName, showName } from '../../text/quote.ts'
import { isObject, type Schema } from '../../manifest/parameter-schema.ts'
import type { Parameters } from '../parameters/validate.ts'

/** One step of a plan, ready to be carried out. */
export interface PlanStep {
  /** From 1. */
  readonly step: number
  /** As the author wrote it: a tool of the host's, or a skill's own tool, `skill_<name>`. */
  readonly tool: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** The step's purpose. */
  readonly description?: string
}

/** The most steps of one plan. */
export const MAX_STEPS = 100

/** Characters of all values together that are filled into one plan. */
const MAX_FILLED_CHARS = 1_000_000

/** Thrown and caught in here. */
class Wrong extends Error {}

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
): { readonly plan: readonly PlanStep[] } | { readonly problem: string } {
  if (!Array.isArray(steps)) return { problem: 'It has no `steps`, or they are not a list.' }
  if (steps.length === 0) return { problem: 'It has no step.' }
  if (steps.length > MAX_STEPS) return { problem: `It has ${steps.length} steps, of at most ${MAX_STEPS}.` }
  const fill = schema === undefined ? (value: unknown) => value : filler(schema, values)
  const plan: PlanStep[] = []
  for (const [index, step] of steps.entries()) {
    const number = index + 1
    const { tool, parameters = {}, description } = isObject(step) ? step : {}
    if (typeof tool !== 'string' || tool.trim() === '') return { problem: `Step ${number} names no tool.` }
    if (!isObject(parameters)) return { problem: `Step ${number} has parameters that are not a mapping.` }
    try {
      plan.push({
        step: number,
        tool,
        parameters: fill(parameters) as PlanStep['parameters'],
        ...(typeof description === 'string' && { description }),
      })
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      return { problem: `Step ${number} ${error.message}.` }
    }
  }
  return { plan }
}

const PLACEHOLDER = /\{\{\s{0,8}([^\s{}]{1,80})\s{0,8}\}\}/g
const WHOLE = new RegExp(`^${PLACEHOLDER.source}$`)

/** A parameter that the skill knows and that was not given. */
const ABSENT = Symbol('absent')

function filler(schema: Schema, values: Parameters): (value: unknown) => unknown {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  let room = MAX_FILLED_CHARS

  const valueOf = (name: string): unknown => {
    const isGiven = Object.hasOwn(values, name)
    if (!isGiven && !Object.hasOwn(properties, name)) {
      throw new Wrong(`uses the parameter ${quoteName(name)}, which the skill does not have`)
    }
    const value = isGiven ? values[name] : ABSENT
    room -= value === ABSENT ? 0 : textOf(value).length
    if (room < 0) throw new Wrong(`makes the plan longer than ${MAX_FILLED_CHARS} characters`)
    return value
  }

  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const whole = WHOLE.exec(value.trim())?.[1]
      if (whole !== undefined) return valueOf(whole)
      return value.replace(PLACEHOLDER, (_written, name: string) => textOf(valueOf(name)))
    }
    if (Array.isArray(value)) return value.map(fill).filter((item) => item !== ABSENT)
    if (!isObject(value)) return value
    const entries = Object.entries(value).map(([key, each]) => [key, fill(each)] as const)
    return Object.fromEntries(entries.filter(([, each]) => each !== ABSENT))
  }
  return fill
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === ABSENT || value === null ? '' : (JSON.stringify(value) ?? '')
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
