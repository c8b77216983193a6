import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * SHA-256 of an input as JSON with the keys of its objects in order, hex: the same for the same input, whatever a
 * framework or a database did to the order. Undefined for what JSON cannot carry.
 */
export function inputDigest(input: unknown): string | undefined {
  try {
    return bytesToHex(sha256(utf8ToBytes(JSON.stringify(input ?? null, inOrder))))
  } catch {
    return undefined
  }
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
