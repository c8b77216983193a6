import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../text/canonical-json.ts'
import type { WindowMessage } from './message.ts'

/** Characters of a message's digest: half of a SHA-256, since those of a whole conversation are hashed at every step. */
const MESSAGE_DIGEST_CHARS = 32

/**
 * Returns the digest of one message: role, text, calls, and how many files. Ids and reasoning are left out, since
 * frameworks restore these differently.
 */
export function messageDigest({ role, text, calls = [], files = 0 }: WindowMessage): string {
  const said = [role, text, calls.map(({ tool, input }) => [tool, inputOf(input)]), files]
  return hashOf(JSON.stringify(said).toWellFormed()).slice(0, MESSAGE_DIGEST_CHARS)
}

/** Returns the digest of the messages that a summary covers, of those of each, by which it is known again in a later run. */
export function digestOf(digests: readonly string[]): string {
  return hashOf(digests.join(''))
}

function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** Whatever a model wrote as input may be anything. */
function inputOf(input: unknown): string {
  try {
    return canonicalJson(input) ?? ''
  } catch {
    return ''
  }
}
