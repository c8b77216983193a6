/**
 * What a frontmatter holds, apart from the library that read it. Every node knows its line in the file, and every
 * scalar how it was written, because `version: 1.10` must stay `1.10`.
 */
export type YamlNode = YamlScalar | YamlList | YamlMap

export interface YamlScalar {
  readonly kind: 'scalar'
  readonly line: number
  /** By the core schema of YAML 1.2. */
  readonly value: string | number | boolean | null
  /** As written; of quoted and block scalars, the text that they stand for. */
  readonly source: string
  /** Whether it stands without quotes, so that its type was guessed. */
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
  /** In the order of the file. No key stands twice. */
  readonly entries: readonly YamlEntry[]
}

export interface YamlEntry {
  readonly key: string
  readonly line: number
  readonly value: YamlNode
}

/** What a plain scalar is a date to readers of YAML 1.1 (the timestamp type), though YAML 1.2 calls it text. */
const TIMESTAMP =
  /^\d{4}-\d\d-\d\d$|^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/

/** A node's type in words, for messages. */
export function describeType(node: YamlNode): string {
  if (node.kind === 'list') return 'a list'
  if (node.kind === 'map') return 'a mapping'
  if (node.value === null) return 'null'
  if (typeof node.value !== 'string') return `a ${typeof node.value}`
  return readText(node) === undefined ? 'a date' : 'text'
}

const NINE = 0x39

/** The text of a node that every YAML reader takes for text, and nothing else: no value is coerced. */
export function readText(node: YamlNode): string | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return undefined
  const { plain, source, value } = node
  return plain && source.charCodeAt(0) <= NINE && TIMESTAMP.test(source) ? undefined : value
}

/** The plain JavaScript value. Keys are safe to be properties: the reader refuses those that are not. */
export function toValue(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(toValue)
  const values: Record<string, unknown> = {}
  for (const { key, value } of node.entries) values[key] = toValue(value)
  return values
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

/** Compact JSON in which numbers keep their spelling wherever JSON allows it. */
export function toJson(node: YamlNode): string {
  if (node.kind === 'list') return `[${node.items.map(toJson).join(',')}]`
  if (node.kind === 'map') {
    return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}:${toJson(value)}`).join(',')}}`
  }
  const spelled = typeof node.value === 'number' && JSON_NUMBER.test(node.source)
  return spelled ? node.source : JSON.stringify(node.value)
}
