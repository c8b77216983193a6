import type { Fault } from '../diagnostics.ts'

/**
 * The content of a frontmatter, independent of the library that read it. Every node has its line in the file, and every
 * scalar its spelling, because `version: 1.10` must stay `1.10`.
 */
export type YamlNode = YamlScalar | YamlList | YamlMap

export interface YamlScalar {
  readonly kind: 'scalar'
  readonly line: number
  /** By the core schema of YAML 1.2. */
  readonly value: string | number | boolean | null
  /** A plain scalar as written; for a quoted or block scalar, its text. */
  readonly source: string
  /** Whether it is written without quotes, so that its type was inferred. */
  readonly plain: boolean
}

export interface YamlList {
  readonly kind: 'list'
  readonly line: number
  readonly items: readonly YamlNode[]
}

export interface YamlMap {
  readonly kind: 'map'
  readonly line: number
  /** In the order of the file. Keys are unique. */
  readonly entries: readonly YamlEntry[]
}

export interface YamlEntry {
  readonly key: string
  readonly line: number
  readonly value: YamlNode
}

/** The root node, or why it is missing. */
type YamlResult = { readonly root: YamlNode } | { readonly fault: Fault }

/**
 * Reads one YAML 1.2 document by the core schema.
 * @param firstLine the file's line on which `text` begins, 1-based
 */
export type YamlReader = (text: string, firstLine: number) => YamlResult

/** Plain scalars that YAML 1.1 reads as a date (the timestamp type) and YAML 1.2 as text. */
const TIMESTAMP =
  /^\d{4}-\d\d-\d\d$|^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/

/** Returns a node's type in words, for messages. */
export function describeType(node: YamlNode): string {
  if (node.kind === 'list') return 'a list'
  if (node.kind === 'map') return 'a mapping'
  if (node.value === null) return 'null'
  if (typeof node.value !== 'string') return `a ${typeof node.value}`
  return readText(node) === undefined ? 'a date' : 'text'
}

const NINE = 0x39

/** Returns the text of a node that every YAML reader reads as text; undefined for any other. No value is coerced. */
export function readText(node: YamlNode): string | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return undefined
  const { plain, source, value } = node
  return plain && source.charCodeAt(0) <= NINE && TIMESTAMP.test(source) ? undefined : value
}

/** Returns the plain JavaScript value. All keys are safe property names: the reader refuses those that are not. */
export function toValue(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(toValue)
  const values: Record<string, unknown> = {}
  for (const { key, value } of node.entries) values[key] = toValue(value)
  return values
}

const NULL = /^(?:~|[Nn]ull|NULL)?$/
const TRUE = /^(?:[Tt]rue|TRUE)$/
const FALSE = /^(?:[Ff]alse|FALSE)$/
const OCTAL = /^0o[0-7]+$/
const INTEGER = /^[-+]?[0-9]+$/
const HEXADECIMAL = /^0x[0-9a-fA-F]+$/
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

/** Nearly every scalar is text, which its first character shows. */
const MAY_BE_TYPED = /^(?:[~nNtTfF+\-.0-9]|$)/

/** Returns the value of a plain scalar by the core schema (YAML 1.2.2, 10.3.2). */
export function resolvePlain(source: string): YamlScalar['value'] {
  if (!MAY_BE_TYPED.test(source)) return source
  if (NULL.test(source)) return null
  if (TRUE.test(source)) return true
  return FALSE.test(source) ? false : resolveNumber(source)
}

function resolveNumber(source: string): string | number {
  if (INTEGER.test(source)) return Number.parseInt(source, 10)
  if (OCTAL.test(source)) return Number.parseInt(source.slice(2), 8)
  if (HEXADECIMAL.test(source)) return Number.parseInt(source.slice(2), 16)
  if (FLOAT.test(source)) return Number.parseFloat(source)
  if (INFINITE.test(source)) return source[0] === '-' ? -Infinity : Infinity
  return NOT_A_NUMBER.test(source) ? Number.NaN : source
}
