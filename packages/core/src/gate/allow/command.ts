import { quote } from '../../text/quote.ts'
import { isSameInAllShells } from '../shell-input.ts'
import type { CommandLine } from '../shell/command-line.ts'
import { readCommandPattern } from '../shell/command-pattern.ts'
import { prefixProblem } from '../shell/prefix.ts'
import { PLAIN_COMMAND } from '../shell/simple-command.ts'
import { type Comparison, coveredByNothing, type Mismatch } from './mismatch.ts'

/**
 * Compares a shell command, which has to be exactly one simple command of literal words, or no rule covers it.
 * `git push:*` and `git push *` cover commands whose first words are exactly `git` and `push`, except for what
 * `prefix.ts` keeps from a prefix rule; `npm test` covers exactly these words. The words of a rule are read as those
 * of a command are: quotes are understood, and a pattern with an unquoted `*` anywhere else covers nothing.
 * @param isPosix whether a POSIX shell certainly reads it. Another one may read other words, so that there only exact
 * rules cover commands, of letters that mean the same to all
 */
export function compareCommand({ text, simpleCommand }: CommandLine, isPosix: boolean): Comparison {
  if ('problem' in simpleCommand) {
    return coveredByNothing(`the command ${quote(text)} ${simpleCommand.problem}`, PLAIN_COMMAND)
  }
  return (pattern) => {
    const mismatch = compareWords(pattern, simpleCommand.words, text)
    if (mismatch !== undefined || isPosix) return mismatch
    if (readCommandPattern(pattern)?.isPrefix !== true && isSameInAllShells(text)) return undefined
    return { why: `the rule's pattern ${quote(pattern)} is for a POSIX shell, which this may not be`, about: 'value' }
  }
}

function compareWords(pattern: string, words: readonly string[], text: string): Mismatch | undefined {
  const rule = readCommandPattern(pattern)
  if (rule === undefined) {
    return { why: `the rule's pattern ${quote(pattern)} is not a command that could be allowed`, about: 'pattern' }
  }
  const length = rule.isPrefix ? Math.min(rule.words.length, words.length) : words.length
  if (length !== rule.words.length || rule.words.some((word, index) => word !== words[index])) {
    return { why: `the command ${quote(text)} is not of that form`, about: 'form' }
  }
  const why = rule.isPrefix ? prefixProblem(words, rule.words.length) : undefined
  return why === undefined ? undefined : { why: `in the command ${quote(text)}, ${why}`, about: 'value' }
}
