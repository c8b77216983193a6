import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../text/canonical-json.ts'

/**
 * Returns the SHA-256 of an input as JSON with sorted keys, hex: the same for the same input, whatever a framework or a
 * database did to the order. Undefined for what JSON cannot carry.
 */
export function inputDigest(input: unknown): string | undefined {
  try {
    return bytesToHex(sha256(utf8ToBytes(canonicalJson(input ?? null))))
  } catch {
    return undefined
  }
}
