import {
  abbreviatesAny,
  isLongOption,
  operands,
  optionLetters,
  optionValue,
  type OptionSyntax,
  subcommandIndexes,
} from './options.ts'

/** Words after a program's name that make it run or write something else, so that a prefix rule does not cover them. */
export interface UnsafeWords {
  /** How the program reads its options. Default `getopt_long`. */
  readonly syntax?: OptionSyntax
  /** Long options, in every form that the syntax has for them; of `single-dash` with one dash. */
  readonly options?: readonly string[]
  /** Long options that only look like an abbreviation of these. */
  readonly harmless?: readonly string[]
  /** Letters of short options, alone or among others (`-nO`). */
  readonly letters?: string
  /**
   * Letters whose option takes the rest of its word as a value, so that what follows in the word is not an option: only
   * those that do so wherever the program has them.
   */
  readonly valued?: string
  /** Whether letters may stand in the first word without a dash (`tar xf`). */
  readonly bundled?: boolean
  /**
   * The options that certainly run and write nothing else: every other word that begins with a dash is unsafe. For
   * programs with so many ways to name a file or a program that a list of the unsafe ones would always miss some.
   */
  readonly known?: RegExp
  /** Options that are harmless with one of these values: what else they are given may name a program. */
  readonly choices?: readonly Choice[]
  /** Whole words. */
  readonly words?: readonly string[]
  /** Any other shape of a word, or a reader of the program's own language. */
  readonly shape?: { readonly test: (word: string) => boolean }
}

/** An option with a value, by its long name and its letter, both with their dashes. */
interface Choice {
  readonly options: readonly string[]
  readonly values: Pick<ReadonlySet<string>, 'has'>
}

/** The first of the words that is unsafe. What follows `--` counts too: it may be an option's value. */
export function findUnsafeWord(words: readonly string[], unsafe: UnsafeWords): string | undefined {
  const { choices = [], words: whole = [], shape, known, valued } = unsafe
  return words.find(
    (word, index) =>
      whole.includes(word) ||
      shape?.test(word) === true ||
      (known !== undefined && /^-./s.test(word) && word !== '--' && !known.test(word)) ||
      isUnsafeOption(word, index === 0, unsafe) ||
      choices.some((choice) => {
        const given = optionValue(word, words[index + 1], choice.options, valued)
        return given !== undefined && !choice.values.has(given.value)
      }),
  )
}

function isUnsafeOption(word: string, isFirst: boolean, unsafe: UnsafeWords): boolean {
  const { syntax = 'getopt_long', options = [], harmless = [], letters = '', valued, bundled = false } = unsafe
  if (syntax === 'single-dash') {
    return word.startsWith('-') && options.includes(word.replace(/^--/, '-').split('=', 1)[0]!)
  }
  // In a first word without a dash all letters are options, and their values stand behind it.
  if (bundled && isFirst && !word.startsWith('-')) return Array.from(letters).some((letter) => word.includes(letter))
  if (!/^[-+]/.test(word)) return false
  if (isLongOption(word, syntax)) {
    const name = word.split('=', 1)[0]!
    if (!harmless.includes(name.replace(/^[-+]+/, '--')) && abbreviatesAny(name, options)) return true
  }
  return letters !== '' && optionLetters(word, valued).some(({ letter }) => letters.includes(letter))
}

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
