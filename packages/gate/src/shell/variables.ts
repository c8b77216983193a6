/** Stands for what a variable or another command gives, in a word whose other letters are known. No file's name has it. */
export const VARIABLE = '\x03'

const EXPANSION = /\$\{(?:[^{}]|\{[^{}]*\})*\}|\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$(?:[A-Za-z_]\w*|[\d@*#?$!-])/y

/** A word as it is written, with a mark in the place of each expansion. Quotes stay. */
export function markVariables(written: string): string {
  let marked = ''
  let quote = ''
  for (let at = 0; at < written.length; at++) {
    const character = written[at]!
    EXPANSION.lastIndex = at
    const expansion = quote === "'" ? undefined : EXPANSION.exec(written)?.[0]
    if (expansion !== undefined) {
      marked += VARIABLE
      at += expansion.length - 1
    } else if (character === '\\' && quote !== "'") marked += character + (written[++at] ?? '')
    else {
      if (quote === '' ? /["']/.test(character) : character === quote) quote = quote === '' ? character : ''
      marked += character
    }
  }
  return marked
}
