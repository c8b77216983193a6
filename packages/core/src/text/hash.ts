import { byText } from './order.ts'

/** SHA-256 in hex, of bytes or of a text as UTF-8. */
export interface Hashes {
  sha256(data: string | Uint8Array): string
  /** The HMAC of a text under a key. */
  hmac(key: string, text: string): string
}

interface NativeHash {
  update(data: string | Uint8Array): NativeHash
  digest(encoding: 'hex'): string
}

interface NativeCrypto {
  createHash(name: 'sha256'): NativeHash
  createHmac(name: 'sha256', key: string): NativeHash
}

let hashes: Hashes | undefined

/**
 * Loads what hashes, where the platform has only hashes that one waits for: in browsers. Elsewhere it loads nothing:
 * the platform's own take a thirtieth of the time of a library's.
 */
export async function loadHashes(): Promise<void> {
  hashes ??= nativeHashes() ?? (await libraryHashes())
}

function nativeHashes(): Hashes | undefined {
  const platform = globalThis as { process?: { getBuiltinModule?: (name: string) => NativeCrypto | undefined } }
  const crypto = platform.process?.getBuiltinModule?.('crypto')
  return (
    crypto && {
      sha256: (data) => crypto.createHash('sha256').update(data).digest('hex'),
      hmac: (key, text) => crypto.createHmac('sha256', key).update(text).digest('hex'),
    }
  )
}

export async function libraryHashes(): Promise<Hashes> {
  const { sha256 } = await import('@noble/hashes/sha2.js')
  const { hmac } = await import('@noble/hashes/hmac.js')
  const { bytesToHex, utf8ToBytes } = await import('@noble/hashes/utils.js')
  return {
    sha256: (data) => bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data)),
    hmac: (key, text) => bytesToHex(hmac(sha256, utf8ToBytes(key), utf8ToBytes(text))),
  }
}

/** The SHA-256 of bytes, or of a text as UTF-8, in hex. A browser must have loaded it, see `loadHashes`. */
export function sha256Of(data: string | Uint8Array): string {
  return (hashes ??= nativeHashes())!.sha256(data)
}

/** The HMAC-SHA-256 of a text under a key, both as UTF-8, in hex. As `sha256Of`. */
export function hmacOfText(key: string, text: string): string {
  return (hashes ??= nativeHashes())!.hmac(key, text)
}

/** A replacer for `JSON.stringify` that sorts the keys of objects: databases that keep JSON may reorder them. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(byText(([key]) => key)))
}

/**
 * Returns a value as JSON with sorted keys and a bigint as `5n`, so that equal values have the same text.
 * @throws {TypeError} the value refers to itself
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : sortKeys(key, item)))
}

/** Returns a value as JSON; an empty text where it cannot be JSON. Whatever a model wrote as input may be anything. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** Returns a value as it is filled into a text: lists and objects as JSON, and what is not there as no text. */
export function filledText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null ? '' : jsonOf(value)
}
