import { foreign } from '@repertoire/core/options'

/** The longest name of a tenant, in bytes of UTF-8. */
const MAX_TENANT_BYTES = 128

/**
 * The part of a key that belongs to a tenant: lowercase letters, digits and `-` stay, every other byte is `_` and two
 * hexadecimal digits. No two names have the same part, in no engine, and no part holds what divides parts.
 * @throws {TypeError} it is not a name of a tenant
 */
export function tenantPart(tenant: unknown): string {
  const bytes = typeof tenant === 'string' && tenant.isWellFormed() ? new TextEncoder().encode(tenant) : []
  if (bytes.length === 0 || bytes.length > MAX_TENANT_BYTES) {
    throw new TypeError(`The name of a tenant is a text of Unicode, not empty, of at most ${MAX_TENANT_BYTES} bytes.`)
  }
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte)
    return /[a-z0-9-]/.test(character) ? character : `_${byte.toString(16).padStart(2, '0')}`
  }).join('')
}

/** A text of a form, as an option. @param form as a message says it after "Give" */
export function textLike(form: string, pattern: RegExp) {
  return foreign(form, (value) => typeof value === 'string' && pattern.test(value))
}
