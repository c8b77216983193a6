import { type CommandLine, readCommandLine } from '../shell/command-line.ts'
import { quote } from '@repertoire/skill-md/internal'
import { isSameInAllShells } from '../shell-input.ts'
import { programProblem } from './risk.ts'
import { judgeHarmless } from './harmless/judge.ts'
import { PLAIN_COMMAND, readCommandPattern } from '../shell/simple-command.ts'
import { type Comparison, type Mismatch, coveredByNothing } from './text.ts'

/** What a command is compared with rules by. */
interface CommandContext {
  /**
   * Whether a POSIX shell certainly reads it. Another one may read other words, so that there only exact rules cover
   * commands, of letters that mean the same to all.
   */
  readonly isPosix: boolean
  /** Whether prefix rules cover only uses that are known and run no code; `*` is one of no words then. */
  readonly onlyKnown: boolean
}

/**
 * Compares a shell command, which has to be exactly one simple command of literal words, or no rule covers it.
 * `git push:*` and `git push *` cover commands whose first words are exactly `git` and `push`. Of the programs in
 * `harmless/programs.ts` they cover no option that is not known to be harmless; of all others they cover whatever
 * follows. `npm test` covers exactly these words. The words of a rule are read as those
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
  if (!rule.isPrefix) return undefined
  const why =
    harmlessProblem(words, rule.words.length) ?? (onlyKnown ? programProblem(words, rule.words.length) : undefined)
  return why === undefined ? undefined : { why: `in the command ${quote(text)}, ${why}`, about: 'value' }
}

/** Why a pattern for commands covers none, as a clause; undefined where it may cover one. */
export function commandPatternProblem(pattern: string): string | undefined {
  if (pattern === '*') return undefined
  const rule = readCommandPattern(pattern)
  if (rule === undefined) return 'its pattern is not one plain command'
  return rule.isPrefix ? harmlessProblem(rule.words, rule.words.length) : undefined
}

/** Why a rule with a prefix does not cover a command although it begins with its words, as a clause. */
function harmlessProblem(words: readonly string[], fixed: number): string | undefined {
  const judged = judgeHarmless(words, fixed)
  if (judged === undefined || !('problem' in judged)) return undefined
  const { problem, pattern } = judged
  const names = pattern === undefined ? 'with exactly these words' : `that names it, such as ${quote(pattern)},`
  return `${problem}, so that only a rule ${names} permits it`
}

/**
 * Whether a pattern for commands certainly covers none that another does not cover. What a longer prefix names is then
 * nothing that the shorter one keeps from its commands: `git log:*` lies within `git:*`, and `git -c x:*` does not.
 */
export function isCommandWithin(pattern: string, bounds: string): boolean {
  const inner = readCommandPattern(pattern)
  const outer = readCommandPattern(bounds)
  if (inner === undefined || outer === undefined) return false
  if (!inner.isPrefix)
    return compareCommand(readCommandLine(pattern), { isPosix: true, onlyKnown: false })(bounds) === undefined
  if (!outer.isPrefix || outer.words.length > inner.words.length) return false
  if (outer.words.some((word, index) => word !== inner.words[index])) return false
  const judged = judgeHarmless(inner.words, outer.words.length)
  return judged === undefined || !('problem' in judged)
}
