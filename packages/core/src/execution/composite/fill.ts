import { BRACES, PLACEHOLDER, readReference, type ResultReference } from '../../manifest/definition/step-result.ts'
import { isObject, type Schema } from '../../manifest/parameter-schema.ts'
import { quote, quoteName } from '../../text/quote.ts'
import type { Parameters } from '../parameters/validate.ts'

/** Characters of all values together that are filled into one plan. */
const MAX_FILLED_CHARS = 1_000_000

/** Levels of objects and lists in the parameters of a step. */
const MAX_DEPTH = 64

/** Why parameters cannot be filled in: the message continues "Step 1 …". */
export class Unfillable extends Error {}

/** What steps have returned, by their names. */
export type StepResults = ReadonlyMap<string, StepData>

/** What a step has returned, as JSON data; absent: it is not that. */
export interface StepData {
  readonly data?: unknown
}

/** What is filled into the parameters of steps. */
export interface Filling {
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
export type Fill = (parameters: unknown, earlier: ReadonlySet<string>, results?: StepResults) => unknown

const WHOLE = new RegExp(`^${PLACEHOLDER.source}$`)

/** A parameter that the skill knows and that was not given. */
const ABSENT = Symbol('absent')
/** What stays as it is written. */
const WRITTEN = Symbol('written')

/** Creates what fills the steps of one plan. What was filled in is not read again. */
export function createFill({ schema, values }: Filling): Fill {
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
