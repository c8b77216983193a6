import { array, type Fields, object, string } from '../fields.ts'
import { fieldsOf, names } from './names.ts'

/** Gemini API reference, `Schema`: the part of OpenAPI's that it knows. Every other keyword is refused. */
const SCHEMA = names(
  'anyOf',
  'default',
  'description',
  'enum',
  'example',
  'format',
  'items',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'nullable',
  'pattern',
  'properties',
  'propertyOrdering',
  'required',
  'title',
  'type',
)

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])
const STRING_FORMATS: ReadonlySet<unknown> = new Set(['enum', 'date-time'])

/**
 * Returns the parameters of a function as a JSON Schema: Gemini's own spelling of types becomes that of JSON Schema.
 * @throws {TypeError} naming the place and the keyword, where Gemini's API answers with 400
 */
export function parametersSchema(value: unknown, at: string): Fields {
  const schema = schemaOf(value, at)
  if (schema.type === 'object') return schema
  throw new TypeError(`${at}.type is ${JSON.stringify(schema.type)}, not "OBJECT".`)
}

function schemaOf(value: unknown, at: string): Fields {
  const fields = fieldsOf(value, at, SCHEMA)
  const type = fields.type === undefined ? undefined : typeOf(fields.type, at)
  checkKeywords(fields, type, at)
  return {
    ...fields,
    ...(type !== undefined && { type }),
    ...(fields.items !== undefined && { items: schemaOf(fields.items, `${at}.items`) }),
    ...(fields.anyOf !== undefined && {
      anyOf: array(fields.anyOf, `${at}.any_of`).map((each, index) => schemaOf(each, `${at}.any_of[${index}]`)),
    }),
    ...(fields.properties !== undefined && { properties: propertiesOf(fields.properties, at) }),
  }
}

function propertiesOf(properties: unknown, at: string): Fields {
  return Object.fromEntries(
    Object.entries(object(properties, `${at}.properties`)).map(([name, each]) => [
      name,
      schemaOf(each, `${at}.properties[${name}]`),
    ]),
  )
}

function typeOf(type: unknown, at: string): string {
  if (Array.isArray(type)) throw new TypeError(`${at}.type is a list. Give one type, and "nullable" beside it.`)
  const known = string(type, `${at}.type`).toLowerCase()
  if (TYPES.has(known)) return known
  throw new TypeError(`${at}.type is ${JSON.stringify(type)}. Known are ${[...TYPES].join(', ')}.`)
}

/** Gemini's errors "only allowed for … type", "missing field", "cannot be empty", "property is not defined". */
function checkKeywords(fields: Fields, type: string | undefined, at: string): void {
  if (type !== undefined && type !== 'object') {
    for (const keyword of ['properties', 'required']) {
      if (fields[keyword] !== undefined) throw new TypeError(`${at}.${keyword}: only allowed for OBJECT type.`)
    }
  }
  if (type === 'array' && fields.items === undefined) throw new TypeError(`${at}.items: missing field.`)
  if (fields.enum !== undefined) {
    if (type !== 'string') throw new TypeError(`${at}.enum: only allowed for STRING type.`)
    for (const [index, each] of array(fields.enum, `${at}.enum`).entries()) {
      if (typeof each !== 'string') throw new TypeError(`${at}.enum[${index}] is not a string.`)
      if (each === '') throw new TypeError(`${at}.enum[${index}]: cannot be empty.`)
    }
  }
  if (type === 'string' && fields.format !== undefined && !STRING_FORMATS.has(fields.format)) {
    throw new TypeError(`${at}.format: only 'enum' and 'date-time' are supported for STRING type.`)
  }
  if (fields.required !== undefined) {
    const properties = fields.properties === undefined ? {} : object(fields.properties, `${at}.properties`)
    for (const [index, name] of array(fields.required, `${at}.required`).entries()) {
      if (typeof name !== 'string' || !Object.hasOwn(properties, name)) {
        throw new TypeError(`${at}.required[${index}]: property is not defined.`)
      }
    }
  }
}
