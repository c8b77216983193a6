import type { PatternChecker } from './fields/field.ts'
import { isObject } from './plain-value.ts'
import { quote } from './text/escape.ts'
import { stripInvisible } from './text/hidden.ts'

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>

/** Keywords that hold other schemas, by how they hold them. */
const SCHEMAS: ReadonlyMap<string, 'schema' | 'schemas' | 'schemas by name'> = new Map([
  ['properties', 'schemas by name'],
  ['additionalProperties', 'schema'],
  ['items', 'schema'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['allOf', 'schemas'],
  ['not', 'schema'],
])

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])

const isType = (value: unknown): boolean => TYPES.has(value)
const isFinite = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isCount = (value: unknown): boolean => isFinite(value) && (value as number) >= 0

/** Keywords that compare a value directly, with a test of what may stand under each. */
const COMPARISONS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['type', (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value))],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['const', () => true],
  ['required', (value) => Array.isArray(value) && value.every((name) => typeof name === 'string')],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minimum', isFinite],
  ['maximum', isFinite],
  ['exclusiveMinimum', isFinite],
  ['exclusiveMaximum', isFinite],
  ['multipleOf', (value) => isCount(value) && value !== 0],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['uniqueItems', (value) => typeof value === 'boolean'],
  ['minProperties', isCount],
  ['maxProperties', isCount],
])

/** What of a schema only tells people and models something. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  'title description default examples format deprecated readOnly writeOnly $schema $comment'.split(' '),
)

/** What holds other schemas of which not all have to fit. A pattern there cannot be compared by itself. */
const COMBINING: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'not'])
const PLAIN_COMBINING = '"anyOf", "oneOf", "allOf", "not" or "additionalProperties"'

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

/** A skill's parameters, ready to be compared with values. */
export interface ReadSchema {
  /** Without patterns and annotations: these do not decide, or are compared elsewhere. */
  readonly schema: Schema
  readonly patterns: readonly PatternPlace[]
  /** Parameters by name, in the order in which they are written. */
  readonly properties: ReadonlyMap<string, Schema>
}

/** Thrown and caught in here. */
class Unusable extends Error {}

/**
 * Reads a skill's `parameters`. Only what is certain to be compared as its author means it, in bounded time, is read:
 * no references, and no keywords that are not known here. Where the author does not say it, no other parameters are
 * taken.
 * @returns why the schema cannot be used, as the end of a sentence
 */
export function readSchema(parameters: Schema): ReadSchema | { readonly unusable: string } {
  const patterns: PatternPlace[] = []
  let count = 0

  function copy(schema: unknown, path: readonly (string | undefined)[], isCombined: boolean, depth: number): unknown {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) throw new Unusable('hold something that is not a schema')
    if (++count > MAX_SCHEMAS) throw new Unusable(`hold more than ${MAX_SCHEMAS} schemas`)
    if (depth > MAX_DEPTH) throw new Unusable(`are nested deeper than ${MAX_DEPTH} levels`)
    const copied: [string, unknown][] = []
    for (const [keyword, value] of Object.entries(schema)) {
      const kind = SCHEMAS.get(keyword)
      const fits = COMPARISONS.get(keyword)
      if (fits !== undefined) {
        if (!fits(value)) throw new Unusable(`have a "${keyword}" that does not mean anything`)
        copied.push([keyword, value])
      } else if (keyword === 'pattern') {
        if (typeof value !== 'string') throw new Unusable('have a "pattern" that is not text')
        if (isCombined) throw new Unusable(`have a "pattern" inside ${PLAIN_COMBINING}`)
        patterns.push({ path, pattern: value })
      } else if (kind === undefined) {
        if (!ANNOTATIONS.has(keyword)) throw new Unusable(`use ${quote(keyword)}, which is not supported here`)
      } else if (kind === 'schema') {
        const isItem = keyword === 'items'
        copied.push([keyword, copy(value, isItem ? [...path, undefined] : path, isCombined || !isItem, depth + 1)])
      } else if (kind === 'schemas') {
        if (!Array.isArray(value) || value.length === 0) throw new Unusable(`have a "${keyword}" that is not a list`)
        copied.push([keyword, value.map((each) => copy(each, path, true, depth + 1))])
      } else {
        if (!isObject(value)) throw new Unusable(`have "${keyword}" that are not a mapping`)
        const named = Object.entries(value).map(([name, each]) => {
          if (name === '__proto__') throw new Unusable('name "__proto__"')
          return [name, copy(each, [...path, name], isCombined, depth + 1)] as const
        })
        copied.push([keyword, Object.fromEntries(named)])
      }
    }
    return Object.fromEntries(copied)
  }

  try {
    const schema = copy(parameters, [], false, 0) as Schema
    const properties = isObject(parameters['properties']) ? Object.entries(parameters['properties']) : []
    return {
      schema: { additionalProperties: false, ...schema, type: 'object' },
      patterns,
      properties: new Map(properties.map(([name, each]) => [name, isObject(each) ? each : {}])),
    }
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
  if ('unusable' in read) return undefined
  if (Object.keys(parameters).some((keyword) => COMBINING.has(keyword) || keyword === 'enum' || keyword === 'const')) {
    return undefined
  }
  if (![...namesIn(read.schema)].every((name) => SHOWN_NAME.test(name))) return undefined
  const shown = withoutInvisible({
    ...parameters,
    type: 'object',
    properties: parameters['properties'] ?? {},
    additionalProperties: parameters['additionalProperties'] ?? false,
  }) as Record<string, unknown>
  delete shown['$schema']
  delete shown['$comment']
  return JSON.stringify(shown).length > MAX_SHOWN_CHARS ? undefined : shown
}

function* namesIn(schema: unknown): Generator<string> {
  if (Array.isArray(schema)) for (const each of schema) yield* namesIn(each)
  if (!isObject(schema)) return
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = SCHEMAS.get(keyword)
    if (kind === 'schemas by name') {
      for (const [name, each] of Object.entries(value as object)) {
        yield name
        yield* namesIn(each)
      }
    } else if (kind === 'schema' || kind === 'schemas') yield* namesIn(value)
  }
}

function withoutInvisible(value: unknown): unknown {
  if (typeof value === 'string') return stripInvisible(value)
  if (Array.isArray(value)) return value.map(withoutInvisible)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutInvisible(each)]))
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

/** Returns why the patterns of a skill's parameters cannot be used, as the end of a sentence; undefined where they can. */
export function patternProblem(places: readonly PatternPlace[], check: PatternChecker): string | undefined {
  const checked = check(places.map(({ pattern }) => pattern))
  if (checked.length < places.length) return `have more than ${checked.length} patterns`
  for (const [index, { pattern }] of places.entries()) {
    const result = checked[index]!
    if ('problem' in result) return `have a pattern ${quote(pattern)} that ${result.problem}`
  }
  return undefined
}
