import type { OutputUnit } from '@cfworker/json-schema'
import {
  loadPatternChecker,
  patternProblem,
  defaultsOf,
  isObject,
  type PatternPlace,
  readSchema,
  type Schema,
  quote,
  quoteName,
} from '@repertoire/skill-md/internal'
import { jsonOf } from '../../text/hash.ts'

/** Parameters of a skill, by name. */
export type Parameters = Readonly<Record<string, unknown>>

/**
 * The parameters that a skill is executed with; or what is wrong with those that were given, each by its name; or why
 * the skill's schema cannot be used, as the end of a sentence.
 */
export type ReadParameters =
  | { readonly values: Parameters }
  | { readonly problems: readonly string[] }
  | { readonly unusable: string }

type Check = (values: Parameters) => readonly string[]

/** Values in all parameters together, at any depth. */
const MAX_VALUES = 10_000

/** Levels of objects and lists in parameters. */
const MAX_DEPTH = 64

const MAX_PROBLEMS = 20

/** By the schema: a skill is executed more than once. */
const known = new WeakMap<Schema, Promise<Check | { readonly unusable: string }>>()

/**
 * Reads the parameters that a skill is given: JSON data and nothing else, compared with the skill's own schema, with
 * the defaults of those that are missing. Nothing of what a pattern or a schema does takes more than linear time.
 * @param schema the skill's `parameters`; absent: it takes any
 */
export async function readParameters(schema: Schema | undefined, input: unknown): Promise<ReadParameters> {
  const copy = copyJson(input)
  if ('problem' in copy) return { problems: [copy.problem] }
  if (schema === undefined) return { values: copy.values }
  const check = await checkOf(schema)
  if ('unusable' in check) return check
  const values = { ...defaultsOf(schema), ...copy.values }
  const problems = check(values)
  return problems.length === 0 ? { values } : { problems: problems.slice(0, MAX_PROBLEMS) }
}

/** Returns why a schema cannot be used, as the end of a sentence; undefined if it can. */
export async function schemaProblem(schema: Schema): Promise<string | undefined> {
  const check = await checkOf(schema)
  return 'unusable' in check ? check.unusable : undefined
}

function checkOf(schema: Schema): Promise<Check | { readonly unusable: string }> {
  const made = known.get(schema) ?? makeCheck(schema)
  known.set(schema, made)
  return made
}

async function makeCheck(parameters: Schema): Promise<Check | { readonly unusable: string }> {
  const read = readSchema(parameters)
  if ('unusable' in read) return read
  const { schema, patterns } = read
  const matchers = await matchersOf(patterns)
  if ('unusable' in matchers) return matchers
  // Uses no `eval`, so it also runs if that is forbidden.
  const { Validator } = await import('@cfworker/json-schema')
  const validator = new Validator(schema, '2020-12', false)
  return (values) => {
    if (!isQuick(schema, values)) return ['the input holds more than can be compared with what the skill takes']
    const { errors } = validator.validate(values)
    return [...new Set([...errors.flatMap(problemOf), ...matchers.flatMap((matcher) => matcher(values))])]
  }
}

/** Patterns come from skills: they are run in linear time, and the validator's own would not be. */
async function matchersOf(places: readonly PatternPlace[]): Promise<readonly Check[] | { readonly unusable: string }> {
  if (places.length === 0) return []
  const checkPatterns = await loadPatternChecker()
  const unusable = patternProblem(places, checkPatterns)
  if (unusable !== undefined) return { unusable }
  const checked = checkPatterns(places.map(({ pattern }) => pattern))
  const matchers: Check[] = []
  for (const [index, { path, pattern }] of places.entries()) {
    const result = checked[index]!
    if ('problem' in result) continue
    matchers.push((values) =>
      [...valuesAt(values, path, [])].flatMap(({ at, value }) =>
        typeof value !== 'string' || result.engine.matcher(value).find()
          ? []
          : [`${shownPath(at)} does not match the pattern ${quote(pattern)}`],
      ),
    )
  }
  return matchers
}

function* valuesAt(
  value: unknown,
  path: readonly (string | undefined)[],
  at: readonly string[],
): Generator<{ readonly at: readonly string[]; readonly value: unknown }> {
  const [name, ...rest] = path
  if (path.length === 0) yield { at, value }
  else if (name === undefined) {
    if (!Array.isArray(value)) return
    for (const [index, each] of value.entries()) yield* valuesAt(each, rest, [...at, String(index)])
  } else if (isObject(value) && Object.hasOwn(value, name)) yield* valuesAt(value[name], rest, [...at, name])
}

/** What only says that something further inside does not fit. */
const OUTER: ReadonlySet<string> = new Set(['properties', 'items', 'additionalProperties', 'allOf'])

function problemOf({ keyword, error, instanceLocation }: OutputUnit): readonly string[] {
  if (OUTER.has(keyword)) return []
  const path = instanceLocation
    .split('/')
    .slice(1)
    .map((part) => decodeURI(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'false') return [`${shownPath(path)} is not a parameter`]
  const required = /^Instance does not have required property (".*")\.$/s.exec(error)?.[1]
  if (required !== undefined) return [`${shownPath([...path, required.slice(1, -1)])} is missing`]
  return [`${shownPath(path)}: ${error.replace(/^Instance\b/, 'the value').replace(/\.$/, '')}`]
}

function shownPath(path: readonly string[]): string {
  return path.length === 0 ? 'the input' : quoteName(path.join('.'))
}

/** Half of a character can neither be passed to a program nor be shown, and the validator throws at it. */
function wellFormed(text: string): string {
  if (text.isWellFormed()) return text
  throw new RangeError('it holds half of a character')
}

/** Copies JSON data: no getter, method or prototype of a foreign object is left in what is executed. */
function copyJson(input: unknown): { readonly values: Parameters } | { readonly problem: string } {
  let count = 0
  const copy = (value: unknown, depth: number): unknown => {
    if (++count > MAX_VALUES) throw new RangeError(`there are more than ${MAX_VALUES} values in it`)
    if (depth > MAX_DEPTH) throw new RangeError(`it is nested deeper than ${MAX_DEPTH} levels`)
    if (typeof value === 'string') return wellFormed(value)
    if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        if (key === '__proto__') throw new RangeError('it names "__proto__"')
        return [wellFormed(key), copy(each, depth + 1)]
      }),
    )
  }
  try {
    const data: unknown = JSON.parse(jsonOf(input ?? {}))
    if (!isObject(data)) return { problem: 'the input is not an object with the parameters by name' }
    return { values: copy(data, 0) as Parameters }
  } catch (error) {
    const why = error instanceof RangeError ? error.message : 'it is not JSON'
    return { problem: `the input cannot be used: ${why}` }
  }
}

/** The most that comparing parameters with a schema may take: values, each with every part of the schema. */
const MAX_EFFORT = 400_000

/**
 * Whether comparing values with a schema is certain to end within seconds. Both are limited by themselves, and together
 * they are multiplied: 10,000 values, each compared with 500 alternatives, took a minute. Where items must be
 * different, each is compared with all others.
 */
function isQuick(schema: Schema, values: Parameters): boolean {
  const count = sizeOf(values)
  const pairs = JSON.stringify(schema).includes('"uniqueItems":true') ? PAIR * count * count : 0
  return count * sizeOf(schema) + pairs <= MAX_EFFORT
}

/** What one comparison of two items takes. */
const PAIR = 0.02

/** The number of values in a value, itself included. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, each) => sum + sizeOf(each), 1)
}
