import { array, type Fields, list, object, oneOf, string } from '../fields.ts'
import { fieldsOf } from './fields.ts'

type Reader = (value: unknown, at: string, schema: Fields) => unknown

const keep: Reader = (value) => value

/** Gemini API reference, `Schema`: the part of OpenAPI's that it knows. Every other keyword is refused. */
const KEYWORDS: Readonly<Record<string, Reader>> = {
  anyOf: (value, at) => list(value, at, readSchema),
  default: keep,
  description: keep,
  enum: readEnum,
  example: keep,
  format: (value, at) => oneOf(FORMATS, value, at),
  items: readSchema,
  maxItems: keep,
  maxLength: keep,
  maxProperties: keep,
  maximum: keep,
  minItems: keep,
  minLength: keep,
  minProperties: keep,
  minimum: keep,
  nullable: keep,
  pattern: keep,
  properties: readProperties,
  propertyOrdering: keep,
  required: readRequired,
  title: keep,
  type: (value, at) => oneOf(TYPES, string(value, at).toLowerCase(), at),
}
const KNOWN = Object.keys(KEYWORDS)
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']
const FORMATS = ['enum', 'date-time', 'float', 'double', 'int32', 'int64']

/** Gemini's error "only allowed for … type". */
const ONLY_FOR = { enum: 'string', properties: 'object', required: 'object' }

/**
 * Returns a schema as a JSON Schema: Gemini's own spelling of types becomes that of JSON Schema.
 * @throws {TypeError} naming the place and the keyword, where Gemini's API answers with 400
 */
export function readSchema(value: unknown, at: string): Fields {
  const given = fieldsOf(value, at, KNOWN)
  const read = Object.entries(given).map(([name, each]) => [name, KEYWORDS[name]!(each, `${at}.${name}`, given)])
  const schema: Fields = Object.fromEntries(read)
  for (const [keyword, type] of Object.entries(ONLY_FOR)) {
    if (schema[keyword] === undefined || schema.type === type) continue
    throw new TypeError(`${at}.${keyword} is only allowed for the type ${type}.`)
  }
  if (schema.type === 'array' && schema.items === undefined) throw new TypeError(`${at}.items: missing field.`)
  return schema
}

function readProperties(value: unknown, at: string): Fields {
  const properties = Object.entries(object(value, at))
  return Object.fromEntries(properties.map(([name, each]) => [name, readSchema(each, `${at}[${name}]`)]))
}

function readRequired(value: unknown, at: string, schema: Fields): readonly string[] {
  const properties = Object.keys(object(schema.properties ?? {}, `${at}, its properties,`))
  return array(value, at).map((each, index) => oneOf(properties, each, `${at}[${index}]`))
}

function readEnum(value: unknown, at: string): readonly string[] {
  return array(value, at).map((each, index) => string(each, `${at}[${index}]`))
}
