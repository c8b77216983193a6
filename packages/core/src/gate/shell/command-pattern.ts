import { LRUCache } from 'lru-cache'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import { parseScript } from './script.ts'
import { readSimpleCommand } from './simple-command.ts'

/** A rule's pattern for a shell command: `npm test` for exactly these words, `git push:*` for all that begin so. */
export interface CommandPattern {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** Patterns that are read once: the same few are compared with every command. */
const MAX_PATTERNS = 500

const known = new LRUCache<string, { readonly read: CommandPattern | undefined }>({ max: MAX_PATTERNS })

/** Reads the words of a pattern as those of a command are read; undefined where they are not one simple command. */
export function readCommandPattern(pattern: string): CommandPattern | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return undefined
  let entry = known.get(pattern)
  if (entry === undefined) known.set(pattern, (entry = { read: parsePattern(pattern) }))
  return entry.read
}

function parsePattern(pattern: string): CommandPattern | undefined {
  const text = pattern.trim()
  const isPrefix = /:\*$|[ \t]\*$/.test(text)
  const line = isPrefix ? text.slice(0, -':*'.length) : text
  const command = readSimpleCommand(line, () => parseScript(line))
  return 'words' in command ? { words: command.words, isPrefix } : undefined
}
