/** What is used of a driver of `unstorage`, or of a storage made with one: both have these. */
export interface UnstorageReader {
  getKeys(base: string, options: object): readonly string[] | Promise<readonly string[]>
  getItem(key: string, options?: object): unknown
  /** Reads bytes. Absent: the driver keeps texts alone, and bytes as `base64:`. */
  getItemRaw?(key: string, options: object): unknown
}

/**
 * Reads a value as the bytes of a file. Undefined where there is none, and a word where it is neither text nor bytes: what
 * was saved as a number or an object has lost how it was written.
 */
export async function readValue(
  reader: UnstorageReader,
  key: string,
): Promise<Uint8Array | { readonly not: string } | undefined> {
  const value: unknown =
    reader.getItemRaw === undefined ? textOrBytes(await reader.getItem(key)) : await reader.getItemRaw(key, {})
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return new TextEncoder().encode(value)
  if (value instanceof Uint8Array) return Uint8Array.from(value)
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice())
  if (value instanceof Blob) return new Uint8Array(await value.arrayBuffer())
  return { not: Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}` }
}

/** Without a way to keep bytes, `setItemRaw` has kept them as a text of this form. */
function textOrBytes(value: unknown): unknown {
  const [, base64] = typeof value === 'string' ? (/^base64:([A-Za-z\d+/]*={0,2})$/.exec(value) ?? []) : []
  if (base64 === undefined || base64.length % 4 !== 0) return value
  return Uint8Array.from(Buffer.from(base64, 'base64'))
}
