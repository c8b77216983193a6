import { quote } from '../../text/quote.ts'
import { MAX_INNER_COMMANDS } from '../limits.ts'
import type { UncoveredUse } from './programs/program.ts'
import { findProgram } from './programs/programs.ts'
import { ONLY_EXACTLY, runsOrWrites } from './programs/uncovered-use.ts'
import { wordOfUnsafeUse } from './unsafe-use.ts'
import { innerCommandIndexes } from './unwrap.ts'

const EXACT_ONLY_BECAUSE = {
  'shell-builtin': 'is part of the shell and can run or change more than its words say',
  'runs-programs': 'runs other programs',
}

/**
 * Why a prefix rule does not cover a command although its first words are the rule's: a clause, or undefined where it
 * does.
 * @param words the command's words, the program first
 * @param fixed how many of them the rule itself names
 */
export function prefixProblem(words: readonly string[], fixed: number): string | undefined {
  const use = uncoveredUse(words, fixed)
  return use?.remedy === undefined ? use?.why : `${use.why}, ${use.remedy}`
}

/** The same, with what would cover the command apart from the reason. */
export function uncoveredUse(words: readonly string[], fixed: number): UncoveredUse | undefined {
  return findUse(words, fixed, 0)
}

function findUse(words: readonly string[], fixed: number, depth: number): UncoveredUse | undefined {
  const program = findProgram(words[0]!)
  if (program === undefined) return undefined
  const { exactOnly, namesScript, judge, unsafe, wraps } = program
  if (exactOnly !== undefined) {
    return { why: `${quote(words[0]!)} ${EXACT_ONLY_BECAUSE[exactOnly]}`, remedy: ONLY_EXACTLY }
  }
  if (namesScript === true && (fixed < 2 || words[1]!.startsWith('-'))) {
    return { why: `${quote(words[0]!)} ${EXACT_ONLY_BECAUSE['runs-programs']}, and the rule does not name which` }
  }
  if (judge !== undefined) return judge(words, fixed)
  const inner = wraps === undefined ? [] : innerCommandIndexes(words, wraps)
  // What stands behind the other command is its own, unless the program goes on reading its options there.
  const end = unsafe?.passesOn === true ? undefined : inner[0]
  const word = unsafe && wordOfUnsafeUse(words.slice(0, end), fixed, unsafe)
  if (word !== undefined) return runsOrWrites(word, quote(words[0]!))
  if (inner.length > 0 && depth >= MAX_INNER_COMMANDS) {
    return { why: `${quote(words[0]!)} runs commands within commands`, remedy: ONLY_EXACTLY }
  }
  return inner.map((index) => findUse(words.slice(index), fixed - index, depth + 1)).find((use) => use !== undefined)
}
