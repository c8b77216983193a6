import { operands, subcommandIndexes } from './options.ts'
import { findUnsafeWord, type UnsafeWords } from './unsafe-words.ts'

/** What of a program runs or writes something else, so that a prefix rule for it does not cover it. */
export interface UnsafeUse extends UnsafeWords {
  /** Subcommands that run what they are given: only a rule that names them covers them. */
  readonly runningSubcommands?: readonly string[]
  /** Subcommands of which only some uses are covered, by the word that has to stand right behind: those that only read. */
  readonly readingUses?: ReadonlyMap<string, readonly string[]>
  /** Which of the words that are not options is a file that the program writes, counted from 1. */
  readonly writtenOperand?: number
  /** Whether what follows `--` is passed on to another program, so that it is not an option of this one. */
  readonly passesOn?: boolean
}

/**
 * The word for which a prefix rule does not cover a command.
 * @param words the command's words, the program first
 * @param fixed how many of them the rule itself names
 */
export function wordOfUnsafeUse(words: readonly string[], fixed: number, unsafe: UnsafeUse): string | undefined {
  const { runningSubcommands = [], readingUses, writtenOperand, passesOn = false, valued } = unsafe
  const isNamed = (word: string, name: string): boolean =>
    word === name || (unsafe.syntax === 'nopt' && isAbbreviated(word, name))
  const reserved = subcommandIndexes(words).find((index) => {
    const word = words[index]!
    if (runningSubcommands.some((name) => isNamed(word, name))) return index >= fixed
    const next = words[index + 1]
    const isHelp = index + 2 === words.length && (next === '--help' || next === '-h')
    if (next === undefined || isHelp || readingUses === undefined) return false
    return Array.from(readingUses).some(([name, uses]) => isNamed(word, name) && !uses.includes(next))
  })
  if (reserved !== undefined) return words[reserved]
  const end = passesOn ? words.indexOf('--') : -1
  const word = findUnsafeWord(words.slice(1, end < 0 ? undefined : end), unsafe)
  return word ?? (writtenOperand === undefined ? undefined : operands(words, valued)[writtenOperand - 1])
}

/** npm takes abbreviations of its subcommands, and capitals for dashes. One letter is an alias of its own. */
function isAbbreviated(word: string, name: string): boolean {
  const given = word.replaceAll('-', '').toLowerCase()
  return given.length > 1 && name.replaceAll('-', '').startsWith(given)
}
