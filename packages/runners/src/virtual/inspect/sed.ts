/** The commands `s` of a script, with their three parts. */
const SUBSTITUTION =
  /(?:^|[;{}\n!/\d$]|\s)s([^\w\s\\])((?:\\[^]|(?!\1)[^\\])*)\1((?:\\[^]|(?!\1)[^\\])*)\1([a-zA-Z\d]*)/g
const ONE_LINE_TEXT = /(?:^|[;{}\n$/\d])\s*[aic]\\[^\n]/
const SAME_ENDS = /(\/(?:\\[^]|[^/\\\n])+\/),\1/
const FROM_LINE = /(?:^|[;{\n])\s*[1-9]\d*,\//

/** What the virtual `sed` does otherwise with a script, without an error; undefined: nothing that is known. */
export function sedDifference(script: string): string | undefined {
  for (const [, , pattern = '', replacement = '', flags = ''] of script.matchAll(SUBSTITUTION)) {
    if (/\\[1-9]/.test(pattern)) return 'a back-reference in the pattern of s matches nothing'
    if (/\\[ULulE]/.test(replacement)) return 'a change of case (\\U, \\L, \\u, \\l, \\E) is written as a letter'
    if (replacement.includes('\\\\')) return 'a backslash that is escaped in the replacement of s is left out'
    if (/\d[a-z]*g|g[a-z]*\d/.test(flags)) return `the number in s///${flags} is ignored`
    if (flags.includes('w')) return 'the flag w of s writes no file'
  }
  if (ONE_LINE_TEXT.test(script)) return 'a text on the line of a\\, i\\ or c\\ keeps the backslash'
  if (SAME_ENDS.test(script)) return 'a range with the same pattern at both ends is one line long'
  if (FROM_LINE.test(script)) return 'a range from a line to a pattern may end at that line'
  return undefined
}
