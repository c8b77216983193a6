import type { Field } from './field.ts'
import { foreign } from './field-value.ts'
import { readText, toValue, type YamlEntry, type YamlMap, type YamlNode } from '../yaml/tree.ts'

/** The types of JSON Schema. */
const PARAMETER_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const
/** A name that a parameter may have in the short form; keywords of JSON Schema keep their meaning. */
const SHORT_FORM_NAME = /^(?!(?:type|properties|required)$|\$)/

/** In the short form, a mapping describes a parameter if it has at least one of these keys. */
const PARAMETER_KEYWORDS = ['type', 'description', 'enum', 'default', 'const'] as const

/**
 * The skill's parameters: the JSON Schema of an object, or the short form `name: type`,
 * `name: { type, description, required, … }`, which is converted to a schema. An ambiguous value (`type: string` is a
 * schema of text, or a parameter "type") is kept but has no effect.
 */
export const parametersField: Field = {
  summary: "The skill's parameters: the JSON Schema of an object, or its properties by name.",
  schema: (zod) => zod.record(zod.string(), zod.unknown()),
  rule: (node, context) =>
    (node.kind === 'map' ? (readSchema(node) ?? readShort(node)) : undefined) ??
    foreign(context, node, 'the JSON Schema of an object, or a mapping of names to types,'),
}

function readSchema(map: YamlMap): Readonly<Record<string, unknown>> | undefined {
  const type = entry(map, 'type')
  const properties = entry(map, 'properties')
  const required = entry(map, 'required')
  const typed = type !== undefined && readText(type) === 'object'
  if (!typed && (type !== undefined || properties === undefined)) return undefined
  if (properties !== undefined && !(properties.kind === 'map' && properties.entries.every(isSchema))) return undefined
  if (required !== undefined && !isTexts(required)) return undefined
  return { ...(typed ? {} : { type: 'object' }), ...(toValue(map) as Record<string, unknown>) }
}

function isSchema({ value }: YamlEntry): boolean {
  return value.kind === 'map' || (value.kind === 'scalar' && value.plain && typeof value.value === 'boolean')
}

function isTexts(node: YamlNode): boolean {
  return node.kind === 'list' && node.items.every((item) => readText(item) !== undefined)
}

function readShort(map: YamlMap): Readonly<Record<string, unknown>> | undefined {
  const properties: [string, unknown][] = []
  const required: string[] = []
  for (const { key, value } of map.entries) {
    if (!SHORT_FORM_NAME.test(key)) return undefined
    if (value.kind !== 'map') {
      if (!isType(value)) return undefined
      properties.push([key, { type: toValue(value) }])
      continue
    }
    const parameter = readParameter(value)
    if (parameter === undefined) return undefined
    properties.push([key, parameter.schema])
    if (parameter.required) required.push(key)
  }
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  }
}

function readParameter(map: YamlMap): { readonly schema: unknown; readonly required: boolean } | undefined {
  if (!PARAMETER_KEYWORDS.some((keyword) => entry(map, keyword) !== undefined)) return undefined
  const type = entry(map, 'type')
  if (type !== undefined && !(type.kind === 'list' ? type.items.every(isType) : isType(type))) return undefined
  const required = entry(map, 'required')
  // A list belongs to the schema of a parameter that is an object, and stays in it.
  const flag = required?.kind === 'scalar' && required.plain ? required.value : undefined
  if (required !== undefined && typeof flag !== 'boolean' && !isTexts(required)) return undefined
  const entries = typeof flag === 'boolean' ? map.entries.filter(({ key }) => key !== 'required') : map.entries
  return { schema: toValue({ ...map, entries }), required: flag === true }
}

function isType(node: YamlNode): boolean {
  const text = readText(node)
  return PARAMETER_TYPES.some((type) => type === text)
}

function entry(map: YamlMap, key: string): YamlNode | undefined {
  return map.entries.find((candidate) => candidate.key === key)?.value
}
