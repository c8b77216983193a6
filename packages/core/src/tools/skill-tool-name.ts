import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** What the name of a skill's own tool begins with. */
export const SKILL_TOOL_PREFIX = 'skill_'

/** The longest name of a tool that providers take; they take letters, digits, `_` and `-`. */
const MAX_NAME_CHARS = 64

/** In characters of base 32, five bits each. */
const DIGEST = 16

/** Names that need no other form. No underscore: what has one is made below, and the two never meet. */
const PLAIN = new RegExp(`^[a-z0-9-]{1,${MAX_NAME_CHARS - SKILL_TOOL_PREFIX.length}}$`)

/**
 * The name of a skill's own tool: `skill_<name>`, as a provider takes it. A name with other letters or beyond 58
 * characters is written in those that may be used, cut, and followed by `_` and a digest of the whole name, so that two
 * skills never share a tool. It depends on the skill's name alone: the same in every framework and every process.
 */
export function skillToolName(skill: string): string {
  if (PLAIN.test(skill)) return SKILL_TOOL_PREFIX + skill
  const readable = skill
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_CHARS - SKILL_TOOL_PREFIX.length - 1 - DIGEST)
    .replace(/^-+|-+$/g, '')
  return `${SKILL_TOOL_PREFIX}${readable}_${digestOf(skill)}`
}

function digestOf(skill: string): string {
  const bytes = sha256(utf8ToBytes(skill))
  let digest = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) {
      digest += 'abcdefghijklmnopqrstuvwxyz234567'.charAt((held >> (bits - 5)) & 31)
      if (digest.length === DIGEST) return digest
    }
  }
  return digest
}
