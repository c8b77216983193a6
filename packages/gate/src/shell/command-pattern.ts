import { LRUCache } from 'lru-cache'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import { parseScript } from './script.ts'
import { readSimpleCommand } from './simple-command.ts'

/** A rule's pattern for a shell command: `npm test` for exactly these words, `git push:*` for all that begin so. */
export interface CommandPattern {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** Patterns as they were read, `false` where they cannot be: all that are in force are compared with every command. */
const known = new LRUCache<string, CommandPattern | false>({ max: 500, memoMethod: parsePattern })

/** Reads the words of a pattern as those of a command are read; undefined where they are not one simple command. */
export function readCommandPattern(pattern: string): CommandPattern | undefined {
  return (pattern.length <= MAX_PATTERN_CHARS && known.memo(pattern)) || undefined
}

function parsePattern(pattern: string): CommandPattern | false {
  const text = pattern.trim()
  const isPrefix = /:\*$|[ \t]\*$/.test(text)
  const line = isPrefix ? text.slice(0, -':*'.length) : text
  const command = readSimpleCommand(line, () => parseScript(line))
  return 'words' in command && { words: command.words, isPrefix }
}
