import { quote } from '@repertoire/skill-md/internal'
import { MAX_INNER_COMMANDS } from '../limits.ts'
import { readCommandPattern } from '../shell/simple-command.ts'
import { findProgram } from '../shell/programs/programs.ts'
import { innerCommandIndexes } from '../shell/unwrap.ts'
import { type Harmless, judgeHarmless } from './harmless/judge.ts'
import { findHarmless, usesOf } from './harmless/programs.ts'

/** What a rule may hand out beyond its words: code, or what is not known. */
export type Risk = 'runs-code' | 'unknown'

/**
 * What a rule's pattern for commands hands out beyond its words. A rule with exactly the words of a command hands out
 * nothing else, unless the program runs code by its nature. A rule that permits nothing hands out nothing.
 */
export function riskOf(pattern: string): Risk | undefined {
  if (pattern === '*') return 'runs-code'
  const rule = readCommandPattern(pattern)
  if (rule === undefined) return undefined
  if (rule.isPrefix) return riskOfWords(rule.words, true)
  return riskOfWords(rule.words, false) === 'runs-code' ? 'runs-code' : undefined
}

/**
 * Why a prefix rule does not cover a command where the host's policy permits only programs that are known: a clause, or
 * undefined where it does.
 * @param fixed how many of the words the rule itself names
 */
export function programProblem(words: readonly string[], fixed: number): string | undefined {
  const risk = riskOfUse(judgeHarmless(words, fixed)) ?? programRisk(words[0]!, true)
  if (risk === undefined) return undefined
  const why =
    risk === 'runs-code'
      ? 'runs code by its nature'
      : isListed(words[0]!)
        ? 'may run or write more than its words say'
        : 'is not a program that is known here'
  return `${quote(words[0]!)} ${why}, and the host's policy permits such programs only by a rule with exactly these words`
}

function isListed(word: string): boolean {
  return !/[/\\]/.test(word) && findProgram(word) !== undefined
}

/** The risk of a command, and of what it is told to run: `timeout 5 make`. */
function riskOfWords(words: readonly string[], isPrefix: boolean): Risk | undefined {
  for (let rest = words, depth = 0; depth <= MAX_INNER_COMMANDS; depth++) {
    const risk = findHarmless(rest[0]!) === undefined ? programRisk(rest[0]!, isPrefix) : ruleRisk(rest, isPrefix)
    if (risk !== undefined) return risk
    const wraps = findProgram(rest[0]!)?.wraps
    const index = wraps && innerCommandIndexes(rest, wraps).at(-1)
    if (index === undefined) return undefined
    rest = rest.slice(index)
  }
  return 'unknown'
}

/** The risk of a rule for a program whose harmless uses are known. */
function ruleRisk(words: readonly string[], isPrefix: boolean): Risk | undefined {
  const judged = judgeHarmless(words, words.length)
  const risk = riskOfUse(judged)
  if (risk !== undefined || !isPrefix || judged === undefined || 'problem' in judged || judged.use !== undefined)
    return risk
  // What the rule leaves open may be a subcommand that runs code.
  const { subcommand } = judged
  const uses = Array.from(usesOf(findHarmless(words[0]!)!))
  const isOpen = (name: string): boolean => subcommand === '' || name.startsWith(`${subcommand} `)
  const runs = uses.some(([name, use]) => use !== false && use.runsCode === true && use.named !== true && isOpen(name))
  return runs ? 'runs-code' : undefined
}

function riskOfUse(judged: Harmless | undefined): Risk | undefined {
  if (judged === undefined || 'problem' in judged) return undefined
  if (judged.use?.runsCode === true) return 'runs-code'
  return judged.namesOther ? 'unknown' : undefined
}

/** @param isPrefix whether it may be called with any arguments */
function programRisk(word: string, isPrefix: boolean): Risk | undefined {
  // A path may name any program.
  if (/[/\\]/.test(word)) return 'unknown'
  const program = findProgram(word)
  if (findHarmless(word) !== undefined) return undefined
  if (program === undefined || program.optionsUnknown === true)
    return program?.runsCode === true ? 'runs-code' : 'unknown'
  if (program.runsCode === true) return 'runs-code'
  if (!isPrefix) return undefined
  if (program.exactOnly !== undefined || program.namesScript === true) return 'runs-code'
  // Some of its options run or write something else.
  return program.unsafe === undefined && program.judge === undefined ? undefined : 'unknown'
}
