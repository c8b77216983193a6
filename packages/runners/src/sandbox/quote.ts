/** A command line that a POSIX shell reads as exactly these words. */
export function commandLine(words: readonly string[]): string {
  return words.map(quote).join(' ')
}

/** In single quotes nothing has a meaning but the quote itself. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
