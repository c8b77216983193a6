/** The longest name of a tenant, in bytes of UTF-8. */
const MAX_TENANT_BYTES = 128

/** The longest part of a key, in characters: keys of S3 have 1,024 bytes. */
const MAX_PART_CHARS = 450

const encoder = new TextEncoder()

/**
 * A name as one part of a key: lowercase letters, digits and `-` stay, every other byte of it is `_` and two hexadecimal
 * digits. No two names have the same part, in no engine, and no part holds what divides parts, such as `/` or `:`.
 * @returns undefined where a name has no such part: it is empty, too long, or not Unicode
 */
export function keyPart(name: string): string | undefined {
  if (name === '' || !name.isWellFormed()) return undefined
  let part = ''
  for (const byte of encoder.encode(name)) {
    const character = String.fromCharCode(byte)
    part += /[a-z0-9-]/.test(character) ? character : `_${byte.toString(16).padStart(2, '0')}`
    if (part.length > MAX_PART_CHARS) return undefined
  }
  return part
}

/** The name of a part that `keyPart` has made; undefined for any other text. */
export function nameOfPart(part: string): string | undefined {
  if (!/^(?:[a-z0-9-]|_[0-9a-f]{2})+$/.test(part)) return undefined
  const bytes = [...part.matchAll(/_(..)|./g)].map(([character, hex]) =>
    hex === undefined ? character.charCodeAt(0) : Number.parseInt(hex, 16),
  )
  const name = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes))
  return keyPart(name) === part ? name : undefined
}

/**
 * The part of a key that belongs to a tenant.
 * @throws {TypeError} it is not a name of a tenant
 */
export function tenantPart(tenant: unknown): string {
  const bytes = typeof tenant === 'string' ? encoder.encode(tenant).length : 0
  const part = typeof tenant === 'string' && bytes <= MAX_TENANT_BYTES ? keyPart(tenant) : undefined
  if (part !== undefined) return part
  throw new TypeError(`The name of a tenant is a text of Unicode, not empty, of at most ${MAX_TENANT_BYTES} bytes.`)
}
