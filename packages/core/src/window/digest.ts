import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../text/canonical-json.ts'
import type { WindowMessage } from './message.ts'

/**
 * Returns the digest of the messages that a summary covers, by which it is known again in a later run: role, text, calls,
 * and how many files. Ids, reasoning and what the session has added are left out, since frameworks restore these
 * differently.
 */
export function digestOf(messages: readonly WindowMessage[]): string {
  const hash = sha256.create()
  for (const { role, text, calls = [], files = 0, own } of messages) {
    if (own === true) continue
    const said = [role, text, calls.map(({ tool, input }) => [tool, inputOf(input)]), files]
    const bytes = utf8ToBytes(JSON.stringify(said).toWellFormed())
    hash.update(utf8ToBytes(`${bytes.length}:`)).update(bytes)
  }
  return bytesToHex(hash.digest())
}

/** Whatever a model wrote as input may be anything. */
function inputOf(input: unknown): string {
  try {
    return canonicalJson(input) ?? ''
  } catch {
    return ''
  }
}
