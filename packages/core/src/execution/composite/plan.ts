import {
  BRACES,
  isStepName,
  PLACEHOLDER,
  readReference,
  type ResultReference,
  isObject,
  type Schema,
  quote,
  quoteName,
  showName,
} from '@repertoire/skill-md/internal'
import type { Parameters } from '../parameters/validate.ts'

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
const MAX_STEPS = 100

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

/** Characters of all values together that are filled into one plan. */
const MAX_FILLED_CHARS = 1_000_000

/** Levels of objects and lists in the parameters of a step. */
const MAX_DEPTH = 64

/** Why parameters cannot be filled in: the message continues "Step 1 …". */
class Unfillable extends Error {}

/** What steps have returned, by their names. */
type StepResults = ReadonlyMap<string, StepData>

/** What a step has returned, as JSON data; absent: it is not that. */
export interface StepData {
  readonly data?: unknown
}

/** What is filled into the parameters of steps. */
interface Filling {
  /** The skill's `parameters`. Absent: it has none, and only results are filled in. */
  readonly schema: Schema | undefined
  readonly values: Parameters
}

/**
 * Fills the parameters of one step.
 * @param earlier the names of the steps before it
 * @param results what these have returned; absent: none has run yet, and their placeholders stay
 * @throws {Unfillable}
 */
type Fill = (parameters: unknown, earlier: ReadonlySet<string>, results?: StepResults) => unknown

const WHOLE = new RegExp(`^${PLACEHOLDER.source}$`)

/** A parameter that the skill knows and that was not given. */
const ABSENT = Symbol('absent')
/** What stays as it is written. */
const WRITTEN = Symbol('written')

/** Creates what fills the steps of one plan. What was filled in is not read again. */
function createFill({ schema, values }: Filling): Fill {
  const properties = isObject(schema?.['properties']) ? schema['properties'] : {}
  let room = MAX_FILLED_CHARS

  function parameter(name: string): unknown {
    if (schema === undefined) return WRITTEN
    if (Object.hasOwn(values, name)) return values[name]
    if (Object.hasOwn(properties, name)) return ABSENT
    throw new Unfillable(`uses the parameter ${quoteName(name)}, which the skill does not have`)
  }

  return (parameters, earlier, results) => {
    function valueOf(placeholder: string): unknown {
      if (placeholder === BRACES) return '{{'
      const reference = readReference(placeholder)
      const value =
        reference === undefined ? parameter(placeholder) : resultOf(reference, placeholder, earlier, results)
      room -= typeof value === 'symbol' ? 0 : textOf(value).length
      if (room < 0) throw new Unfillable(`makes the plan longer than ${MAX_FILLED_CHARS} characters`)
      return value
    }

    function fill(value: unknown, depth: number): unknown {
      if (depth > MAX_DEPTH) throw new Unfillable(`has parameters that are nested deeper than ${MAX_DEPTH} levels`)
      if (typeof value === 'string') {
        const whole = WHOLE.exec(value.trim())?.[1]
        if (whole === undefined) {
          return value.replace(PLACEHOLDER, (written, name: string) => {
            const filled = valueOf(name)
            return filled === WRITTEN ? written : textOf(filled)
          })
        }
        const filled = valueOf(whole)
        return filled === WRITTEN ? value : filled
      }
      if (Array.isArray(value)) return value.map((each) => fill(each, depth + 1)).filter((item) => item !== ABSENT)
      if (!isObject(value)) return value
      const entries = Object.entries(value).map(([key, each]) => [key, fill(each, depth + 1)] as const)
      return Object.fromEntries(entries.filter(([, each]) => each !== ABSENT))
    }

    return fill(parameters, 0)
  }
}

function resultOf(
  { step, path }: ResultReference,
  placeholder: string,
  earlier: ReadonlySet<string>,
  results: StepResults | undefined,
): unknown {
  if (!earlier.has(step)) {
    throw new Unfillable(`uses the result of a step ${quoteName(step)}, and no step before it has that name`)
  }
  if (results === undefined) return WRITTEN
  const result = results.get(step)
  if (result === undefined || !('data' in result)) {
    throw new Unfillable(`uses the result of the step ${quoteName(step)}, which is not JSON data`)
  }
  let value: unknown = result.data
  for (const name of path) {
    // Own properties alone: a result is data, and nothing of what its prototype has.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      throw new Unfillable(`uses ${quote(placeholder)}, and the result of that step does not have it`)
    }
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/** Returns what a step has returned as data that is its own: what the tool changes later changes nothing here. */
export function stepData(value: unknown): StepData {
  if (typeof value === 'string') return { data: value }
  try {
    const text = JSON.stringify(value ?? null) as string | undefined
    // What a function or a symbol is written as.
    return text === undefined ? {} : { data: JSON.parse(text, withoutPrototype) as unknown }
  } catch {
    return {}
  }
}

function withoutPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === ABSENT || value === null ? '' : (JSON.stringify(value) ?? '')
}
