import { canonicalJson, sha256Of } from '../text/hash.ts'

/**
 * Returns the SHA-256 of an input as JSON with sorted keys, in hexadecimal. Equal inputs have the same digest, even if a
 * framework or a database reordered their keys. Undefined for a value that JSON cannot represent.
 */
export function inputDigest(input: unknown): string | undefined {
  try {
    return sha256Of(canonicalJson(input ?? null))
  } catch {
    return undefined
  }
}
