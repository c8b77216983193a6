/** Words after a program's name that a prefix rule does not cover, because they make it run or write something else. */
export interface Dangerous {
  /** Long options, with or without `=value`, and every abbreviation of theirs, which most programs accept. */
  readonly options?: readonly string[]
  /** Long options that only look like an abbreviation of these. */
  readonly harmless?: readonly string[]
  /** Letters of short options, alone or among others (`-nO`). */
  readonly letters?: string
  /** Letters whose option takes the rest of its word as a value, so that what follows in the word is no option. */
  readonly valued?: string
  /** Whether letters may stand in the first word without a dash (`tar xf`). */
  readonly bundled?: boolean
  /** Options that are harmless with one of these values: what else they are given may name a program. */
  readonly choices?: readonly Choice[]
  /** Whole words. */
  readonly words?: readonly string[]
  /** Any other shape of a word. */
  readonly shape?: RegExp
}

/** An option with a value, by its long name and its letter. */
interface Choice {
  readonly option: string
  readonly letter?: string
  readonly values: Pick<ReadonlySet<string>, 'has'>
}

/** The first of the words that is dangerous. What follows `--` counts too: it may be an option's value. */
export function dangerousWord(words: readonly string[], dangerous: Dangerous): string | undefined {
  const { choices = [], words: whole = [], shape } = dangerous
  return words.find(
    (word, index) =>
      whole.includes(word) ||
      shape?.test(word) === true ||
      isDangerousOption(word, index === 0, dangerous) ||
      choices.some((choice) => {
        const value = chosen(word, words[index + 1], choice, dangerous)
        return value !== undefined && !choice.values.has(value)
      }),
  )
}

function isDangerousOption(word: string, isFirst: boolean, dangerous: Dangerous): boolean {
  const { options = [], harmless = [], letters = '', bundled = false } = dangerous
  if (word.startsWith('--')) {
    const name = word.split('=', 1)[0]!
    return !harmless.includes(name) && options.some((option) => abbreviates(name, option))
  }
  // In a word without a dash values stand behind it, and all of its letters are options.
  if (bundled && isFirst && !word.startsWith('-')) return Array.from(letters).some((letter) => word.includes(letter))
  return cluster(word, dangerous).some(({ letter }) => letters.includes(letter))
}

/** What a word, or the next one, gives to an option; undefined where the word is not that option. */
function chosen(word: string, next: string | undefined, choice: Choice, dangerous: Dangerous): string | undefined {
  if (word.startsWith('--')) {
    const at = word.indexOf('=')
    if (!abbreviates(at < 0 ? word : word.slice(0, at), choice.option)) return undefined
    return at < 0 ? (next ?? '') : word.slice(at + 1)
  }
  const found = cluster(word, dangerous).find(({ letter }) => letter === choice.letter)
  if (found === undefined) return undefined
  return found.rest === '' ? (next ?? '') : found.rest
}

function abbreviates(name: string, option: string): boolean {
  return name.length > '--'.length && option.startsWith(name)
}

/** The letters of a word that are options, each with what follows it. */
function cluster(word: string, { valued = '' }: Dangerous): readonly { letter: string; rest: string }[] {
  if (!word.startsWith('-') || word.startsWith('--')) return []
  const letters = Array.from(word.slice(1))
  const last = letters.findIndex((letter) => valued.includes(letter))
  return letters
    .slice(0, last < 0 ? undefined : last + 1)
    .map((letter, index) => ({ letter, rest: letters.slice(index + 1).join('') }))
}
