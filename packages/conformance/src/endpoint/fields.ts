/** A JSON object, read-only. */
export type Fields = Readonly<Record<string, unknown>>

/** @throws {TypeError} if the value is not a JSON object */
export function object(value: unknown, at: string): Fields {
  if (isObject(value)) return value
  throw new TypeError(`${at} is not an object.`)
}

/** @throws {TypeError} if the value is not an array */
export function array(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new TypeError(`${at} is not an array.`)
}

/**
 * Reads each object of an array, with its place: `messages[0]`.
 * @throws {TypeError} if the value is not an array of JSON objects
 */
export function list<T>(value: unknown, at: string, read: (fields: Fields, at: string) => T): T[] {
  return array(value, at).map((each, index) => read(object(each, `${at}[${index}]`), `${at}[${index}]`))
}

/** @throws {TypeError} if the value is not a string */
export function text(value: unknown, at: string): string {
  if (typeof value === 'string') return value
  throw new TypeError(`${at} is not a string.`)
}

/** @throws {TypeError} if the value is not a string, or is empty */
export function string(value: unknown, at: string): string {
  if (text(value, at) !== '') return value as string
  throw new TypeError(`${at} is empty.`)
}

/** @throws {TypeError} if the value is neither a boolean nor left out */
export function flag(value: unknown, at: string): boolean {
  if (absent(value)) return false
  if (typeof value === 'boolean') return value
  throw new TypeError(`${at} is not a boolean.`)
}

/** @throws {TypeError} if the value is not one of the known ones */
export function oneOf(known: readonly string[], value: unknown, at: string): string {
  if (typeof value === 'string' && known.includes(value)) return value
  throw new TypeError(`${at} is ${JSON.stringify(value)}. Known are ${known.join(', ')}.`)
}

/**
 * Returns what a table has under a name.
 * @throws {TypeError} if the table does not have it
 */
export function pick<T>(table: Readonly<Record<string, T>>, name: unknown, at: string): T {
  return table[oneOf(Object.keys(table), name, at)]!
}

/** @throws {TypeError} if a field is not one of those that the vendor knows */
export function refuseUnknown(fields: Fields, known: readonly string[], at: string): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`${at} has an unknown field: "${unknown}".`)
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a field is left out. A JSON null counts as left out, as it does for vendors. */
export function absent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}
