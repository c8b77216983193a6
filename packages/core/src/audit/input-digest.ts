import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../text/canonical-json.ts'

/**
 * Returns the SHA-256 of an input as JSON with sorted keys, in hexadecimal. Equal inputs have the same digest, even if a
 * framework or a database reordered their keys. Undefined for a value that JSON cannot represent.
 */
export function inputDigest(input: unknown): string | undefined {
  try {
    return bytesToHex(sha256(utf8ToBytes(canonicalJson(input ?? null))))
  } catch {
    return undefined
  }
}
