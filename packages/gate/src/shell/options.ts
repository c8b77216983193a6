/** A letter of a word of short options, with the rest of the word behind it. */
interface OptionLetter {
  readonly letter: string
  readonly rest: string
}

/**
 * How a program reads its options.
 * - `getopt_long`: `--name`, `--name=value` and every abbreviation; letters alone or together (`-xzf`). Most programs.
 * - `getopt_long_only`: the same, and long names behind one dash.
 * - `single-dash`: long names behind one dash or two, with or without `=value`, never abbreviated; no letters together.
 *   Go's `flag`, openssl.
 * - `Getopt::Long`: Perl's: long names behind one dash, two, or a plus sign, abbreviated, in any case.
 * - `nopt`: npm's: long names behind any number of dashes, abbreviated; letters alone or together.
 */
export type OptionSyntax = 'getopt_long' | 'getopt_long_only' | 'single-dash' | 'Getopt::Long' | 'nopt'

/** What a long option begins with, where it is not two dashes: a word of letters may then be a long option as well. */
const LONG_PREFIX: Readonly<Record<OptionSyntax, RegExp>> = {
  getopt_long: /^--/,
  getopt_long_only: /^-/,
  'single-dash': /^-/,
  'Getopt::Long': /^[-+]/,
  // One letter is a shorthand.
  nopt: /^-(?:-|[^=][^=])/,
}

/** Whether a program may read a word as a long option. */
export function isLongOption(word: string, syntax: OptionSyntax): boolean {
  return LONG_PREFIX[syntax].test(word)
}

/**
 * Whether a long option is one of some, or an abbreviation of one. Some programs ignore case, some take `_` for `-`, some
 * `--noColor` for `--no-color`, and in none of them do two options differ in that alone.
 */
export function abbreviatesAny(given: string, options: readonly string[]): boolean {
  const name = foldOption(given)
  return name !== '' && options.some((option) => foldOption(option).startsWith(name))
}

function foldOption(option: string): string {
  return option.replaceAll(/[-+_]/g, '').toLowerCase()
}

/**
 * The letters of a word that are short options (`-xzf`): none for a long option or a word without a dash.
 * @param valued letters whose option takes the rest of the word as its value
 */
export function optionLetters(word: string, valued = ''): readonly OptionLetter[] {
  if (!word.startsWith('-') || word.startsWith('--')) return []
  const letters = Array.from(word.slice(1))
  const last = letters.findIndex((letter) => valued.includes(letter))
  return letters
    .slice(0, last < 0 ? undefined : last + 1)
    .map((letter, index) => ({ letter, rest: letters.slice(index + 1).join('') }))
}

/** The value that a word gives to an option, and whether it is the next word. */
interface OptionValue {
  readonly value: string
  readonly isNext: boolean
}

/**
 * The value that a word, or the next one, gives to one of some options; undefined where the word is none of them.
 * @param options with their dashes, long ones and letters: `--chdir`, `-C`
 * @param valued letters whose option takes the rest of the word as its value
 */
export function optionValue(
  word: string,
  next: string | undefined,
  options: readonly string[],
  valued = '',
): OptionValue | undefined {
  if (!word.startsWith('-')) return undefined
  if (word.startsWith('--')) {
    const at = word.indexOf('=')
    const name = at < 0 ? word : word.slice(0, at)
    const long = options.filter((option) => option.startsWith('--'))
    if (!abbreviatesAny(name, long)) return undefined
    return at < 0 ? { value: next ?? '', isNext: true } : { value: word.slice(at + 1), isNext: false }
  }
  const found = optionLetters(word, valued).find(({ letter }) => options.includes(`-${letter}`))
  if (found === undefined) return undefined
  return found.rest === '' ? { value: next ?? '', isNext: true } : { value: found.rest, isNext: false }
}

/**
 * The words of a command that are not options, without the program. What follows `--` are such words too.
 * @param valued letters whose option takes the next word as its value where it is alone (`-f 1`)
 */
export function operands(words: readonly string[], valued = ''): readonly string[] {
  const end = words.indexOf('--')
  return words.filter((word, index) => {
    if (index === 0 || index === end) return false
    if (end >= 0 && index > end) return true
    if (word.startsWith('-') && word !== '-') return false
    const before = words[index - 1]!
    return !(before.length === 2 && before.startsWith('-') && valued.includes(before[1]!))
  })
}

/**
 * Where the subcommand of a program may stand: among options, of which one may have the next word as its value. The
 * first word that certainly is not a value is the last of these indexes.
 */
export function subcommandIndexes(words: readonly string[]): readonly number[] {
  const indexes: number[] = []
  for (let index = 1; index < words.length; index++) {
    if (words[index]!.startsWith('-')) continue
    indexes.push(index)
    const before = words[index - 1]!
    if (index === 1 || !before.startsWith('-') || before.includes('=')) break
  }
  return indexes
}
