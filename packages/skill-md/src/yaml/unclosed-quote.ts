import type { Fault } from '../diagnostics.ts'

/**
 * The fault of a value that begins with a quote which nothing closes up to the end of the text. Both readers report it,
 * and in the same words.
 * @param line on which the quote stands, where somebody mends it: the end of the text is far from it
 */
export function unclosedQuote(mark: string, line: number): Fault {
  const name = mark === '"' ? 'double quote' : 'single quote'
  return {
    code: 'YAML_INVALID',
    line,
    message: `The frontmatter is not valid YAML: the ${name} here is never closed.`,
    hint: 'Close it at the end of the value, or remove it.',
  }
}
