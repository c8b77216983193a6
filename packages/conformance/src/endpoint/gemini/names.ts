import { absent, type Fields, object } from '../fields.ts'

/** The names that an object's fields may have, each under both of its spellings. */
export type Names = ReadonlyMap<string, string>

/** Names in camel case; protocol buffers accept them in snake case, too. */
export function names(...camel: readonly string[]): Names {
  return new Map(camel.flatMap((name) => [name, snake(name)].map((spelling) => [spelling, name])))
}

/**
 * Returns an object's fields in camel case, without those that are null.
 * Gemini's error "Invalid JSON payload received. Unknown name … Cannot find field".
 * @throws {TypeError} naming a field that is unknown, or there in both spellings
 */
export function fieldsOf(value: unknown, at: string, known: Names): Fields {
  const fields: Record<string, unknown> = {}
  for (const [spelling, field] of Object.entries(object(value, at === '' ? 'the body' : at))) {
    const name = known.get(spelling)
    if (name === undefined) throw new TypeError(`Unknown name "${spelling}" at '${at}': Cannot find field.`)
    if (absent(field)) continue
    if (Object.hasOwn(fields, name)) throw new TypeError(`"${name}" at '${at}' is given twice, in two spellings.`)
    fields[name] = field
  }
  return fields
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
