import { quote } from '../../text/quote.ts'
import { isSameInAllShells } from '../shell-input.ts'
import type { CommandLine } from '../shell/command-line.ts'
import { readCommandPattern } from '../shell/command-pattern.ts'
import { programProblem } from '../shell/risk.ts'
import { prefixProblem } from '../shell/prefix.ts'
import { PLAIN_COMMAND } from '../shell/simple-command.ts'
import { type Comparison, coveredByNothing, type Mismatch } from './mismatch.ts'

/** What a command is compared with rules by. */
interface CommandContext {
  /**
   * Whether a POSIX shell certainly reads it. Another one may read other words, so that there only exact rules cover
   * commands, of letters that mean the same to all.
   */
  readonly isPosix: boolean
  /** Whether prefix rules cover only programs that are known and do not run code; `*` is one of no words then. */
  readonly onlyKnown: boolean
}

/**
 * Compares a shell command, which has to be exactly one simple command of literal words, or no rule covers it.
 * `git push:*` and `git push *` cover commands whose first words are exactly `git` and `push`, except for what
 * `prefix.ts` keeps from a prefix rule; `npm test` covers exactly these words. The words of a rule are read as those
 * of a command are: quotes are understood, and a pattern with an unquoted `*` anywhere else covers nothing.
 */
export function compareCommand({ text, simpleCommand }: CommandLine, context: CommandContext): Comparison {
  if ('problem' in simpleCommand) {
    return coveredByNothing(`the command ${quote(text)} ${simpleCommand.problem}`, PLAIN_COMMAND)
  }
  return (pattern) => {
    const mismatch = compareWords(pattern, simpleCommand.words, text, context.onlyKnown)
    if (mismatch !== undefined || context.isPosix) return mismatch
    if (readCommandPattern(pattern)?.isPrefix !== true && isSameInAllShells(text)) return undefined
    return { why: `the rule's pattern ${quote(pattern)} is for a POSIX shell, which this may not be`, about: 'value' }
  }
}

function compareWords(
  pattern: string,
  words: readonly string[],
  text: string,
  onlyKnown: boolean,
): Mismatch | undefined {
  const rule = onlyKnown && pattern === '*' ? { words: [], isPrefix: true } : readCommandPattern(pattern)
  if (rule === undefined) {
    return { why: `the rule's pattern ${quote(pattern)} is not a command that could be allowed`, about: 'pattern' }
  }
  const length = rule.isPrefix ? Math.min(rule.words.length, words.length) : words.length
  if (length !== rule.words.length || rule.words.some((word, index) => word !== words[index])) {
    return { why: `the command ${quote(text)} is not of that form`, about: 'form' }
  }
  const why = rule.isPrefix
    ? (prefixProblem(words, rule.words.length) ?? (onlyKnown ? programProblem(words[0]!) : undefined))
    : undefined
  return why === undefined ? undefined : { why: `in the command ${quote(text)}, ${why}`, about: 'value' }
}
