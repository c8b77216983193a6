import { MAX_PATTERN_CHARS } from '../limits.ts'
import { parseScript } from './script.ts'
import { readSimpleCommand } from './simple-command.ts'

/** A rule's pattern for a shell command: `npm test` for exactly these words, `git push:*` for all that begin so. */
export interface CommandPattern {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** Patterns that are remembered. Those in force are few, and all of them are compared with every command. */
const MAX_PATTERNS = 500

/** Patterns as they were read, `false` where they cannot be. Emptied when it is full: to read a few again is cheap. */
const known = new Map<string, CommandPattern | false>()

/** Reads the words of a pattern as those of a command are read; undefined where they are not one simple command. */
export function readCommandPattern(pattern: string): CommandPattern | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return undefined
  let read = known.get(pattern)
  if (read === undefined) {
    if (known.size === MAX_PATTERNS) known.clear()
    read = parsePattern(pattern) ?? false
    known.set(pattern, read)
  }
  return read === false ? undefined : read
}

function parsePattern(pattern: string): CommandPattern | undefined {
  const text = pattern.trim()
  const isPrefix = /:\*$|[ \t]\*$/.test(text)
  const line = isPrefix ? text.slice(0, -':*'.length) : text
  const command = readSimpleCommand(line, () => parseScript(line))
  return 'words' in command ? { words: command.words, isPrefix } : undefined
}
