/**
 * The harmless options of one program. An option is harmless if it cannot make the program write anything but its
 * purpose, run another program, load code or configuration from elsewhere, or send data elsewhere.
 *
 * Options are written as in a manual, several separated by blanks:
 * - `-v`: a flag
 * - `-n=`: takes a value, behind it in the same word or as the next one
 * - `-n,--lines=`: two names of one option
 * - `--color=?`: may have a value in the same word
 * - `--arg==`: takes the next two words
 * - `--[no-]edit`: `--edit` and `--no-edit`
 * - `-#`: a number, such as `-20`
 * - `!-o,--output=`: not harmless. It is listed only so that a rule that names it is read as the program reads it.
 */
export interface HarmlessProgram {
  /** The names of the program, separated by blanks: in lower case, without version. */
  readonly names: string
  /** How the program reads its options. Default `getopt`. */
  readonly syntax?: Syntax
  /** Options that every use has, before the subcommand and behind it. */
  readonly everywhere?: string
  /** Checks of values that every use has, see `Use`. */
  readonly values?: Readonly<Record<string, WordCheck>>
  /** Checks the operands of every use that has no check of its own, see `Use`. */
  readonly operands?: WordCheck
  /** Options that stand only before a subcommand. */
  readonly before?: string
  /**
   * What the program does, by subcommand. Several with the same options are separated by commas: `stash pop,stash apply`.
   * The empty name is the program without a subcommand, and `*` any other word than those that are listed. A subcommand
   * that is not listed, or is `false`, is never permitted by a prefix.
   */
  readonly uses: Readonly<Record<string, Use | string | false>>
  /** Options between the words of a subcommand, by its first word: `docker compose -f x.yaml up`. */
  readonly groups?: Readonly<Record<string, Pick<Use, 'options' | 'values'>>>
  /** Words before the subcommand that are no options: a toolchain of cargo. */
  readonly leading?: WordCheck
}

/**
 * - `getopt`: letters may stand together (`-la`), a value may be attached (`-n5`, `--lines=5`) or the next word.
 * - `pflag`: the same, and flags may have a value (`--watch=false`). Go programs with cobra.
 * - `exact`: each option is a word of its own, as it is listed.
 * - `single-dash`: the same, with long names behind one dash, and their value always the next word. find, openssl.
 * - `tar`: as getopt, and the letters of the first word need no dash.
 */
export type Syntax = 'getopt' | 'pflag' | 'exact' | 'single-dash' | 'tar'

/** One use of a program. As a string: only its options. */
export interface Use {
  readonly options?: string
  /** Checks of values, by the first name of the option. An option without one takes any value. */
  readonly values?: Readonly<Record<string, WordCheck>>
  /** Checks each word that is not an option. Default: any word is harmless. */
  readonly operands?: WordCheck
  /** Returns the last operand that is not harmless, for what only all words together tell. */
  readonly check?: (given: GivenWords) => string | undefined
  /** It runs code by its nature: scripts of the project or of packages, a container, a program that it is told. */
  readonly runsCode?: true
  /** Only a rule that names the subcommand permits it. */
  readonly named?: true
  /** Words that belong to a script or to another program, which reads their options. */
  readonly passesOn?: PassedWords
}

/** Whose the words are that a use passes on. Those of a program are judged by what is known of that program. */
interface PassedWords {
  readonly to: 'script' | 'program'
  /**
   * Where they begin: at the operand of this number, counted from 0; behind `--`; or at the first operand, although
   * options up to `--` still belong to the program itself.
   */
  readonly from: number | '--' | 'operand or --'
}

/** Whether a word is harmless. */
export type WordCheck = (word: string) => boolean

/** The words of a command behind the program and its subcommand, as they were read. */
export interface GivenWords {
  readonly operands: readonly string[]
  /** The first names of the options, with their values, and how many operands stand before each. */
  readonly options: readonly {
    readonly name: string
    readonly value: string | undefined
    readonly operandsBefore: number
  }[]
}

/** Returns a check that permits these words, separated by blanks. */
export function oneOf(words: string): WordCheck {
  const known = new Set(words.split(' '))
  return (word) => known.has(word)
}

/** Values that are no name of a file with the value, as `@name` is. */
export const isNoFile: WordCheck = (word) => !word.startsWith('@')

/** A use without operands. */
export const NO_OPERANDS: WordCheck = () => false

/** An address that git and others reach by themselves: no `ext::command`, no scheme that a helper program is named by. */
export const isGitAddress: WordCheck = (word) =>
  !word.includes('::') && (!word.includes('://') || /^(?:https?|ssh|git|git\+ssh|ssh\+git|ftps?|file):\/\//i.test(word))
