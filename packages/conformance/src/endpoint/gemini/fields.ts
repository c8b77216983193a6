import { absent, type Fields, object, refuseUnknown } from '../fields.ts'

/**
 * Returns an object's fields in camel case, without those that are null. Protocol buffers take snake case, too.
 * @throws {TypeError} naming a field that is unknown, or there in both spellings
 */
export function fieldsOf(value: unknown, at: string, known: readonly string[]): Fields {
  const entries = Object.entries(object(value, at)).map(([spelling, field]): [string, unknown] => [
    spelling.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    field,
  ])
  const fields = Object.fromEntries(entries)
  refuseUnknown(fields, known, at)
  if (Object.keys(fields).length < entries.length) throw new TypeError(`${at} has a field in two spellings.`)
  return Object.fromEntries(entries.filter(([, field]) => !absent(field)))
}
