import type { z } from 'zod'
import {
  BY_LETTERS,
  FIELDS,
  findForeignRules,
  findMeant,
  findMisplaced,
  FOREIGN_TOOL_NAMES,
  OTHER_WORDS,
} from '../fields/fields.ts'
import { oneOf } from '../options/kinds.ts'
import { checkArgument } from '../options/table.ts'
import { type Profile, PROFILES } from '../ports/manifest.ts'
import { findHidden } from '../text/hidden.ts'
import type { YamlMap, YamlNode } from '../yaml/tree.ts'
import { createShapeReader, type Zod } from './shapes.ts'

/** A schema of parsed frontmatter, with the keys of the file. */
export type FrontmatterSchema = z.ZodType<Readonly<Record<string, unknown>>>

const REQUIRED: ReadonlySet<string> = new Set(['name', 'description'])

/**
 * Returns the zod schema of a frontmatter, made from the same data that the parser's rules use. The parser reads what the
 * schema accepts without an error or a warning, except for what a value does not show: whether the name equals the
 * folder's, whether other clients accept its letters, and whether text without quotes could be a date. The first call
 * imports zod.
 * @param profile `strict` accepts only the standard's fields; default `default`
 * @throws {TypeError} the profile does not exist
 */
export async function loadFrontmatterSchema(profile: Profile = 'default'): Promise<FrontmatterSchema> {
  return frontmatterSchema(await import('zod'), profile)
}

/**
 * Returns the same as JSON Schema, draft 7, which editors read. It cannot express everything in the zod schema: invisible
 * characters, restricting fields with two letters wrong, and fields that stand deeper than directly under `metadata`.
 * @param profile see `loadFrontmatterSchema`
 */
export async function frontmatterJsonSchema(profile: Profile = 'default'): Promise<Readonly<Record<string, unknown>>> {
  const zod = await import('zod')
  return zod.z.toJSONSchema(frontmatterSchema(zod, profile), { target: 'draft-7' })
}

function frontmatterSchema(zod: Zod, profile: Profile): FrontmatterSchema {
  checkArgument('frontmatter schema', 'profile', oneOf(...PROFILES), profile)
  const { z: build } = zod
  const read = createShapeReader(zod, profile)
  const fields: Record<string, z.ZodType> = {}
  for (const [key, field] of FIELDS) {
    if (profile === 'strict' && field.origin !== 'standard') continue
    const keywords = key === 'metadata' ? keywordsOfMetadata() : {}
    const schema = read(field.shape).meta({ description: field.summary, ...keywords })
    fields[key] = REQUIRED.has(key) ? schema : schema.optional()
  }
  const root = profile === 'strict' ? build.strictObject(fields) : build.looseObject(fields)
  return root
    .refine((value) => !isSuspicious(value), {
      error: 'A key misspells a known field, or a field is at a place where it has no effect.',
    })
    .refine((value) => Object.entries(value).every(isFreeOfHidden), {
      error: 'A text holds characters that are not shown.',
    })
    .refine((value) => value['agent'] === undefined || value['context'] === 'fork', {
      path: ['agent'],
      error: 'It has an effect only with "context: fork".',
    })
    .meta({
      title: 'Frontmatter of a SKILL.md',
      ...(profile !== 'strict' && keywordsOfMisspellings()),
      ...(profile !== 'strict' && {
        anyOf: [
          { not: { required: ['agent'] } },
          { required: ['context'], properties: { context: { const: 'fork' } } },
        ],
      }),
    })
}

/** Whether a field holds no hidden characters. If its rule checks for them itself, its shape does too. */
function isFreeOfHidden([key, value]: readonly [string, unknown]): boolean {
  return !holdsHidden(key) && (FIELDS.get(key)?.looksForHidden === true || !holdsHidden(value))
}

function holdsHidden(value: unknown): boolean {
  if (typeof value === 'string') return findHidden(value) !== undefined
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => holdsHidden(key) || holdsHidden(inner))
}

/** Whether the parser warns of a key, or refuses it: it misspells a known field, or holds one that has no effect there. */
function isSuspicious(frontmatter: Readonly<Record<string, unknown>>): boolean {
  const root = toNode(frontmatter) as YamlMap
  return root.entries.some(({ key, value }) => {
    if (FIELDS.has(key)) return key === 'metadata' && findMisplaced(value) !== undefined
    return (
      findMeant(key) !== undefined ||
      findForeignRules(key, value, root) !== undefined ||
      findMisplaced(value) !== undefined
    )
  })
}

function toNode(value: unknown): YamlNode {
  const line = 1
  if (Array.isArray(value)) return { kind: 'list', line, items: value.map(toNode) }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => ({ key, line, value: toNode(item) }))
    return { kind: 'map', line, entries }
  }
  const scalar = value as string | number | boolean | null
  return { kind: 'scalar', line, value: scalar, source: String(scalar), plain: typeof scalar !== 'string' }
}

/** Between the letters of a key, and the letters in any case: `Allowed_Tools` is `allowed-tools`. */
const BETWEEN = '[-_. ]*'

function letter(character: string): string {
  return `[${character}${character.toUpperCase()}]${BETWEEN}`
}

/** A regular expression for names with at most so many letters added, left out or replaced. */
function near(name: string, edits: number): string {
  const rest = Array.from(name, letter).join('')
  if (edits === 0 || name === '') return edits === 0 ? rest : `${rest}(?:[a-zA-Z]${BETWEEN}){0,${edits}}`
  const [first = ''] = name
  const after = name.slice(1)
  const any = `[a-zA-Z]${BETWEEN}`
  const others = [`${any}${near(name, edits - 1)}`, `${any}${near(after, edits - 1)}`, near(after, edits - 1)]
  return `(?:${letter(first)}${near(after, edits)}|${others.join('|')})`
}

const lettersOf = (key: string): string => key.toLowerCase().replaceAll(/[^a-z]/g, '')

const RESTRICTING = [...FIELDS].filter(([, field]) => field.restricts === true).map(([name]) => name)

/**
 * What JSON Schema can say about keys that misspell a field: other spellings of all fields, other words for
 * restrictions, and restricting fields with one letter wrong, or two letters swapped in a short name.
 */
function keywordsOfMisspellings(): Readonly<Record<string, unknown>> {
  const isNoField = `(?!(?:${[...FIELDS.keys(), ...OTHER_WORDS].join('|')})$)`
  const spelled = (name: string, edits = 0): string => `^${isNoField}${BETWEEN}${near(lettersOf(name), edits)}$`
  const never = [
    ...[...BY_LETTERS.keys()].map((name) => spelled(name)),
    ...RESTRICTING.map((name) => spelled(name, 1)),
    ...['scope', 'status'].flatMap((name) => swaps(name).map((swapped) => spelled(swapped))),
  ]
  const offSwitches = { disabled: { not: { const: true } }, enabled: { not: { const: false } } }
  const tools = `(?:${[...FOREIGN_TOOL_NAMES].join('|')}|mcp__[\\w.:/*-]+)(?:\\([^()]+\\))?`
  const noRules = {
    not: {
      anyOf: [
        { type: 'string', pattern: `^[\\s,]*${tools}(?:[\\s,]+${tools})*[\\s,]*$` },
        { type: 'array', minItems: 1, items: { type: 'string', pattern: `^\\s*${tools}\\s*$` } },
      ],
    },
  }
  return {
    propertyNames: { not: { anyOf: never.map((pattern) => ({ pattern })) } },
    allOf: [
      { anyOf: [{ required: ['allowed-tools'] }, { properties: { tools: noRules, tool: noRules } }] },
      { anyOf: [{ required: ['status'] }, { properties: offSwitches }] },
    ],
  }
}

/** Of `metadata`: no restricting field stands in it, in any spelling of it. */
function keywordsOfMetadata(): Readonly<Record<string, unknown>> {
  const never = [...BY_LETTERS].filter(([, name]) => RESTRICTING.includes(name)).map(([letters]) => near(letters, 0))
  return { propertyNames: { not: { anyOf: never.map((pattern) => ({ pattern: `^${BETWEEN}${pattern}$` })) } } }
}

function swaps(name: string): readonly string[] {
  return Array.from({ length: name.length - 1 }, (_, at) => {
    return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2)
  })
}
