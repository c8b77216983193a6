import type { PatternChecker } from './fields/field.ts'
import { isObject } from './plain-value.ts'
import { quote } from './text/escape.ts'
import { stripInvisible } from './text/hidden.ts'

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

const isCount = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0
const isFilled = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0

/** Keywords that compare a value directly, with a test of what may stand under each. */
const COMPARISONS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['type', (value) => [value].flat().every((type) => TYPES.includes(type))],
  ['enum', isFilled],
  ['const', () => true],
  ['required', (value) => Array.isArray(value) && value.every((name) => typeof name === 'string')],
  ['uniqueItems', (value) => typeof value === 'boolean'],
  ['minimum', Number.isFinite],
  ['maximum', Number.isFinite],
  ['exclusiveMinimum', Number.isFinite],
  ['exclusiveMaximum', Number.isFinite],
  ['multipleOf', (value) => isCount(value) && value !== 0],
  ...'minLength maxLength minItems maxItems minProperties maxProperties'
    .split(' ')
    .map((keyword) => [keyword, isCount] as const),
])

/** What of a schema only tells people and models something. */
const ANNOTATIONS = 'title description default examples format deprecated readOnly writeOnly $schema $comment'.split(
  ' ',
)

/** What holds other schemas of which not all have to fit. A pattern there cannot be compared by itself. */
const COMBINING = ['anyOf', 'oneOf', 'allOf', 'not']

/** Schemas in a schema. Each is compared with a value at most once, since there are no references. */
const MAX_SCHEMAS = 500

/** Levels of schemas. */
const MAX_DEPTH = 16

/** Characters of a schema as JSON that a model is shown for one tool. */
const MAX_SHOWN_CHARS = 8_000

/** Names of properties that all providers take. */
const SHOWN_NAME = /^[a-zA-Z0-9_.-]{1,64}$/

/** Where values must match a pattern: names of properties; undefined: every item of a list. */
export interface PatternPlace {
  readonly path: readonly (string | undefined)[]
  readonly pattern: string
}

/** Thrown and caught in here. */
class Unusable extends Error {}

/**
 * Reads a skill's `parameters`. Only what is certain to be compared as its author means it, in bounded time, is read:
 * no references, and no keywords that are not known here. Where the author does not say it, no other parameters are
 * taken.
 * @returns the schema without patterns and annotations, which do not decide or are compared elsewhere; the patterns;
 * the names of all properties; or why the schema cannot be used, as the end of a sentence
 */
export function readSchema(
  parameters: Schema,
):
  | { readonly schema: Schema; readonly patterns: readonly PatternPlace[]; readonly names: readonly string[] }
  | { readonly unusable: string } {
  const patterns: PatternPlace[] = []
  const names: string[] = []
  let count = 0

  function copyNamed(schemas: unknown, path: PatternPlace['path'], isCombined: boolean, depth: number): unknown {
    if (!isObject(schemas)) throw new Unusable('have "properties" that are not a mapping')
    return Object.fromEntries(
      Object.entries(schemas).map(([name, each]) => {
        if (name === '__proto__') throw new Unusable('name "__proto__"')
        names.push(name)
        return [name, copy(each, [...path, name], isCombined, depth)]
      }),
    )
  }

  function copy(schema: unknown, path: PatternPlace['path'], isCombined: boolean, depth: number): unknown {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) throw new Unusable('hold something that is not a schema')
    if (++count > MAX_SCHEMAS) throw new Unusable(`hold more than ${MAX_SCHEMAS} schemas`)
    if (depth > MAX_DEPTH) throw new Unusable(`are nested deeper than ${MAX_DEPTH} levels`)
    const copied: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(schema)) {
      const fits = COMPARISONS.get(keyword)
      if (fits !== undefined) {
        if (!fits(value)) throw new Unusable(`have a "${keyword}" that does not mean anything`)
        copied[keyword] = value
      } else if (keyword === 'pattern') {
        if (typeof value !== 'string') throw new Unusable('have a "pattern" that is not text')
        if (isCombined)
          throw new Unusable('have a "pattern" inside "anyOf", "oneOf", "allOf", "not" or "additionalProperties"')
        patterns.push({ path, pattern: value })
      } else if (keyword === 'properties') copied[keyword] = copyNamed(value, path, isCombined, depth + 1)
      else if (keyword === 'items') copied[keyword] = copy(value, [...path, undefined], isCombined, depth + 1)
      else if (keyword === 'not' || keyword === 'additionalProperties') {
        copied[keyword] = copy(value, path, true, depth + 1)
      } else if (COMBINING.includes(keyword)) {
        if (!isFilled(value)) throw new Unusable(`have a "${keyword}" that is not a list`)
        copied[keyword] = value.map((each) => copy(each, path, true, depth + 1))
      } else if (!ANNOTATIONS.includes(keyword))
        throw new Unusable(`use ${quote(keyword)}, which is not supported here`)
    }
    return copied
  }

  try {
    const schema = copy(parameters, [], false, 0) as Schema
    return { schema: { additionalProperties: false, ...schema, type: 'object' }, patterns, names }
  } catch (error) {
    if (error instanceof Unusable) return { unusable: error.message }
    throw error
  }
}

/**
 * Returns a skill's `parameters` as the input of a tool that every provider takes, without invisible characters;
 * undefined where they cannot be one: a single tool that a provider does not take fails every request.
 */
export function shownSchema(parameters: Schema): Schema | undefined {
  const read = readSchema(parameters)
  if ('unusable' in read || !read.names.every((name) => SHOWN_NAME.test(name))) return undefined
  if ([...COMBINING, 'enum', 'const'].some((keyword) => keyword in parameters)) return undefined
  const unsaid = { $schema: undefined, $comment: undefined }
  const shown = JSON.stringify({
    properties: {},
    additionalProperties: false,
    ...parameters,
    type: 'object',
    ...unsaid,
  })
  if (shown.length > MAX_SHOWN_CHARS) return undefined
  // Names of properties hold no controls, which JSON escapes.
  return JSON.parse(stripInvisible(shown), (_, value: unknown) =>
    typeof value === 'string' ? stripInvisible(value) : value,
  ) as Schema
}

/** Returns the defaults of parameters that have one, by name. */
export function defaultsOf(schema: Schema | undefined): Readonly<Record<string, unknown>> {
  const properties = schema?.['properties']
  if (!isObject(properties)) return {}
  const defaults = Object.entries(properties).flatMap(([name, each]) =>
    isObject(each) && Object.hasOwn(each, 'default') ? [[name, each['default']] as const] : [],
  )
  return structuredClone(Object.fromEntries(defaults))
}

/** Returns why the patterns of a skill's parameters cannot be used, as a sentence's end; undefined if they can. */
export function patternProblem(places: readonly PatternPlace[], check: PatternChecker): string | undefined {
  const checked = check(places.map(({ pattern }) => pattern))
  for (const [index, { pattern }] of places.entries()) {
    const result = checked[index]!
    if ('problem' in result) return `have a pattern ${quote(pattern)} that ${result.problem}`
  }
  return undefined
}
