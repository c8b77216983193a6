import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { byText } from './order.ts'

interface NativeHashes {
  createHash(name: 'sha256'): NativeHash
  createHmac(name: 'sha256', key: string): NativeHash
}

interface NativeHash {
  update(data: string | Uint8Array): NativeHash
  digest(encoding: 'hex'): string
}

let found: NativeHashes | null | undefined

/**
 * Where the platform has hashes of its own that need no import and no waiting: they take a thirtieth of the time, and a
 * session that is kept in a graph's state is hashed several times in each step. Asked for when they are first used, since
 * the platform may have to load them.
 */
function nativeHashes(): NativeHashes | null {
  const platform = globalThis as { process?: { getBuiltinModule?: (name: string) => NativeHashes | undefined } }
  return (found ??= platform.process?.getBuiltinModule?.('crypto') ?? null)
}

/**
 * The SHA-256 of bytes, or of a text as UTF-8, in hex.
 * @param hashes null: those of the library, which run anywhere
 */
export function sha256Of(data: string | Uint8Array, hashes: NativeHashes | null = nativeHashes()): string {
  return hashes === null
    ? bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data))
    : hashes.createHash('sha256').update(data).digest('hex')
}

/** The HMAC-SHA-256 of a text under a key, both as UTF-8, in hex. */
export function hmacOfText(key: string, text: string, hashes: NativeHashes | null = nativeHashes()): string {
  return hashes === null
    ? bytesToHex(hmac(sha256, utf8ToBytes(key), utf8ToBytes(text)))
    : hashes.createHmac('sha256', key).update(text).digest('hex')
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
