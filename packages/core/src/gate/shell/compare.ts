import { MAX_PATTERN_CHARS } from '../glob.ts'
import type { Comparison, Mismatch } from '../mismatch.ts'
import { quote } from '../wording.ts'
import { type CommandReader, loadCommandReader } from './command.ts'
import { prefixProblem } from './prefix.ts'

/** What to do about a command that cannot be judged. */
export const PLAIN_COMMAND =
  'Call it with one plain command: no separators, redirects or expansions, special characters in single quotes.'

/**
 * Compares a shell command, which has to be exactly one simple command of literal words, or no rule covers it.
 * `git push:*` and `git push *` cover commands whose first words are exactly `git` and `push`, but for what
 * `prefix.ts` keeps from a prefix rule; `npm test` covers exactly these words. The words of a rule are read as those
 * of a command are: quotes are understood, and a pattern with an unquoted `*` anywhere else covers nothing.
 */
export async function compareCommand(name: string, value: unknown): Promise<Comparison> {
  const read = await loadCommandReader()
  const command = read(value)
  if ('problem' in command) {
    const what = typeof value === 'string' ? `the command ${quote(value)}` : `its argument ${quote(name)}`
    const miss: Mismatch = { why: `${what} ${command.problem}`, hint: PLAIN_COMMAND, weight: 'value' }
    return () => miss
  }
  return (pattern) => judge(pattern, command.words, String(value), read)
}

function judge(pattern: string, words: readonly string[], value: string, read: CommandReader): Mismatch | undefined {
  const rule = readRule(pattern, read)
  if (rule === undefined)
    return { why: `the rule's pattern ${quote(pattern)} is no command that could be allowed`, weight: 'pattern' }
  const length = rule.prefix ? Math.min(rule.words.length, words.length) : words.length
  if (length !== rule.words.length || rule.words.some((word, index) => word !== words[index])) {
    return { why: `the command ${quote(value)} is not of that form`, weight: 'form' }
  }
  const why = rule.prefix ? prefixProblem(words, rule.words.length) : undefined
  return why === undefined ? undefined : { why: `in the command ${quote(value)}, ${why}`, weight: 'value' }
}

/** What a rule's pattern means. */
export interface ShellRule {
  readonly words: readonly string[]
  readonly prefix: boolean
}

/** The words of a rule, read as a command's are; undefined where it is no command. */
export function readRule(pattern: string, read: CommandReader): ShellRule | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return undefined
  const text = pattern.trim()
  const prefix = /:\*$|[ \t]\*$/.test(text)
  const reading = read(prefix ? text.slice(0, -':*'.length) : text)
  return 'words' in reading ? { words: reading.words, prefix } : undefined
}
