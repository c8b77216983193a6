import { quote } from '@repertoire/skill-md/internal'
import { MAX_INNER_COMMANDS } from '../limits.ts'
import { findProgram } from './programs/programs.ts'
import { runsOrWrites } from './programs/program.ts'
import { wordOfUnsafeUse } from './unsafe-use.ts'
import { innerCommandIndexes } from './unwrap.ts'

const EXACT_ONLY_BECAUSE = {
  'shell-builtin': 'is part of the shell and can run or change more than its words say',
  'runs-programs': 'runs other programs',
}

/**
 * Why a command may run, load or write something else than its program is for, as far as it is known: undefined where it
 * certainly does not. Rules that deny read it: what such a command runs may be what they mean.
 * @param words the command's words, the program first
 * @param fixed how many of them are taken as they are: the program, and its subcommand perhaps
 * @param depth how many other commands this one is nested in
 * @returns a clause
 */
export function uncoveredUse(words: readonly string[], fixed: number, depth = 0): string | undefined {
  const program = findProgram(words[0]!)
  if (program === undefined) return undefined
  const { exactOnly, namesScript, judge, unsafe, wraps } = program
  if (exactOnly !== undefined) {
    return `${quote(words[0]!)} ${EXACT_ONLY_BECAUSE[exactOnly]}`
  }
  if (namesScript === true && (fixed < 2 || words[1]!.startsWith('-'))) {
    return `${quote(words[0]!)} ${EXACT_ONLY_BECAUSE['runs-programs']}, and the rule does not name which`
  }
  if (judge !== undefined) return judge(words, fixed)
  const inner = wraps === undefined ? [] : innerCommandIndexes(words, wraps)
  // What stands behind the other command is its own, unless the program goes on reading its options there.
  const end = unsafe?.passesOn === true ? undefined : inner[0]
  const word = unsafe && wordOfUnsafeUse(words.slice(0, end), fixed, unsafe)
  if (word !== undefined) return runsOrWrites(word, quote(words[0]!))
  if (inner.length > 0 && depth >= MAX_INNER_COMMANDS) {
    return `${quote(words[0]!)} runs commands within commands`
  }
  return inner.map((at) => uncoveredUse(words.slice(at), fixed - at, depth + 1)).find((use) => use !== undefined)
}
