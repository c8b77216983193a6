import type { WordCheck } from './program.ts'

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
