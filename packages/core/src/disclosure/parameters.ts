import { isObject, type Schema, shownSchema, type Manifest, stripInvisible } from '@repertoire/skill-md/internal'

/** What of a skill says what it takes. */
export type ParameterFields = Partial<Pick<Manifest, 'type' | 'parameters'>>

/** Values of one parameter that a list names. */
const MAX_VALUES = 8

/** Parameters that a list names. */
const MAX_PARAMETERS = 12

/**
 * Returns the schema of what a skill takes, as the input of a tool; undefined where it takes a text. An instruction's
 * arguments are a text whatever it says.
 */
export function inputSchemaOf({ type = 'instruction', parameters }: ParameterFields): Schema | undefined {
  return type === 'instruction' || parameters === undefined ? undefined : shownSchema(parameters)
}

/** Returns a line on what a skill takes, for lists whose skills are called by name; undefined where there is nothing to say. */
export function parametersLine({ type = 'instruction', parameters }: ParameterFields): string | undefined {
  const properties = parameters?.['properties']
  if (type === 'instruction' || !isObject(properties)) return undefined
  const required = new Set(Array.isArray(parameters?.['required']) ? (parameters['required'] as unknown[]) : [])
  const names = Object.keys(properties)
  const shown = names
    .slice(0, MAX_PARAMETERS)
    .map((name) => `${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${kindOf(properties[name])}`)
  const more = names.length > shown.length ? ', …' : ''
  return stripInvisible(`Takes \`args\` as JSON: {${shown.join(', ')}${more}}`)
}

function kindOf(schema: unknown): string {
  if (!isObject(schema)) return 'any'
  const { enum: values, type } = schema
  if (Array.isArray(values) && values.length <= MAX_VALUES)
    return values.map((value) => JSON.stringify(value)).join(' | ')
  return type === undefined ? 'any' : [type].flat().map(String).join(' | ')
}
