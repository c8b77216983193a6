/** Words after a program's name that a prefix rule does not cover, because they make it run or write something else. */
export interface Dangerous {
  /** Long options, with or without `=value`, and every abbreviation of theirs, which most programs accept. */
  readonly options?: readonly string[]
  /** Letters of short options, alone or among others (`-nO`). */
  readonly letters?: string
  /** Whether letters may stand in the first word without a dash (`tar xf`). */
  readonly bundled?: boolean
  /** Whole words. */
  readonly words?: readonly string[]
  /** Any other shape of a word. */
  readonly shape?: RegExp
}

/** The first of the words that is dangerous. What follows `--` counts too: it may be an option's value. */
export function dangerousWord(words: readonly string[], dangerous: Dangerous): string | undefined {
  const { options = [], letters = '', bundled = false, words: whole = [], shape } = dangerous
  return words.find((word, index) => {
    if (whole.includes(word) || shape?.test(word) === true) return true
    if (word.startsWith('--')) {
      const name = word.split('=', 1)[0]!
      return name.length > '--'.length && options.some((option) => option.startsWith(name))
    }
    const cluster = word.startsWith('-') || (bundled && index === 0)
    return cluster && Array.from(letters).some((letter) => word.includes(letter))
  })
}
