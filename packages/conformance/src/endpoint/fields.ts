/** A JSON object, read-only. */
export type Fields = Readonly<Record<string, unknown>>

/** @throws {TypeError} if the value is not a JSON object */
export function object(value: unknown, what: string): Fields {
  if (isObject(value)) return value
  throw new TypeError(`${what} is not an object.`)
}

/** @throws {TypeError} if the value is not an array */
export function array(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new TypeError(`${what} is not an array.`)
}

/** @throws {TypeError} if the value is not a string, or is empty */
export function string(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new TypeError(`${what} is not a string, or is empty.`)
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a field is left out. A JSON null counts as left out, as it does for vendors. */
export function absent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}
