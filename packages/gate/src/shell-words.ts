/** Words that every POSIX shell reads as they stand. */
const PLAIN = /^[\w./:@%+,-]+$/

/** Writes words as one simple command of a POSIX shell that has exactly these words. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}
