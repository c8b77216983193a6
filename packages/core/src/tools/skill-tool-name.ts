import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { normalForm } from '@repertoire/skill-md/internal'

/** The prefix of the names of skills' own tools. */
export const SKILL_TOOL_PREFIX = 'skill_'

/** The longest name of a tool that providers take; they take letters, digits, `_` and `-`. */
const MAX_NAME_CHARS = 64

/** In base 32, five bits a character. */
const DIGEST_CHARS = 16

/** Names that are used as they are. No underscore: names with a digest have one, and the two never collide. */
const PLAIN = new RegExp(`^[a-z0-9-]{1,${MAX_NAME_CHARS - SKILL_TOOL_PREFIX.length}}$`)

/**
 * Returns the name of a skill's own tool: `skill_<name>`, as providers accept it. A name with other characters or longer
 * than 58 is written in those that are accepted, cut, and followed by `_` and a digest of the whole name, so that two
 * skills never share a tool. It depends on the skill's name alone: the same in every framework and every process.
 */
export function skillToolName(skill: string): string {
  if (PLAIN.test(skill)) return SKILL_TOOL_PREFIX + skill
  const readable = normalForm(skill, 'NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_CHARS - SKILL_TOOL_PREFIX.length - 1 - DIGEST_CHARS)
    .replace(/^-+|-+$/g, '')
  return `${SKILL_TOOL_PREFIX}${readable}_${digestOf(skill)}`
}

function digestOf(skill: string): string {
  const bytes = sha256(utf8ToBytes(skill))
  let digest = ''
  let bits = 0
  let buffer = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) {
      digest += 'abcdefghijklmnopqrstuvwxyz234567'.charAt((buffer >> (bits - 5)) & 31)
      if (digest.length === DIGEST_CHARS) return digest
    }
  }
  return digest
}
