import { FIELDS, findDoubtful, findMeant, findMisplaced, SYNONYMS } from '../fields/fields.ts'
import { FOREIGN_TOOL_NAMES, findForeignRules } from '../fields/tool-names.ts'
import type { YamlMap, YamlNode } from '../yaml/tree.ts'

/** Whether the parser warns of a key, or refuses it: it misspells a known field, or holds one that has no effect there. */
export function isSuspicious(frontmatter: Readonly<Record<string, unknown>>): boolean {
  const root = toNode(frontmatter) as YamlMap
  return root.entries.some(({ key, value }) => {
    if (FIELDS.has(key)) return key === 'metadata' && findMisplaced(value) !== undefined
    return (
      findMeant(key, value) !== undefined ||
      findForeignRules(key, value, root) !== undefined ||
      findMisplaced(value) !== undefined ||
      findDoubtful(key) !== undefined
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

/** Names with more letters are compared with one edit: all names with two would make a schema of hundreds of kilobytes. */
const MAX_SHORT = 8

/**
 * What JSON Schema can say about keys that misspell a field: other spellings of all fields, other words for restrictions of
 * tools, and restricting fields with one letter wrong, or two in a short name.
 */
export function keywordsOfMisspellings(): Readonly<Record<string, unknown>> {
  const known = [...FIELDS.keys()]
  const isNoField = `(?!(?:${known.join('|')})$)`
  const spelled = (name: string, edits = 0): string => `^${isNoField}${BETWEEN}${near(lettersOf(name), edits)}$`
  const restricting = [...FIELDS].filter(([, field]) => field.restricts === true).map(([name]) => name)
  const long = restricting.filter((name) => lettersOf(name).length > MAX_SHORT)
  const never = [
    ...known.map((name) => spelled(name)),
    ...[...SYNONYMS.keys()].map((name) => spelled(name)),
    ...long.map((name) => spelled(name, 1)),
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
    patternProperties: {
      [spelled('scope', 2)]: {
        not: {
          type: 'object',
          minProperties: 1,
          propertyNames: { enum: ['agents', 'tenants', 'environments', 'agent', 'tenant', 'environment'] },
        },
      },
      [spelled('status', 2)]: { not: { enum: ['draft', 'disabled'] } },
    },
    allOf: [
      { anyOf: [{ required: ['allowed-tools'] }, { properties: { tools: noRules, tool: noRules } }] },
      { anyOf: [{ required: ['status'] }, { properties: offSwitches }] },
    ],
  }
}

/** Of `metadata`: no restricting field with a long name stands in it, in any spelling of it. */
export function keywordsOfMetadata(): Readonly<Record<string, unknown>> {
  const long = [...FIELDS]
    .filter(([name, field]) => field.restricts === true && lettersOf(name).length > MAX_SHORT)
    .map(([name]) => lettersOf(name))
  const never = [...long.map((name) => near(name, 0)), ...[...SYNONYMS.keys()].map((name) => near(name, 0))]
  return { propertyNames: { not: { anyOf: never.map((pattern) => ({ pattern: `^${BETWEEN}${pattern}$` })) } } }
}

function swaps(name: string): readonly string[] {
  return Array.from({ length: name.length - 1 }, (_, at) => {
    return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2)
  })
}
