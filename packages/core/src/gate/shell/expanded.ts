import type { SyntaxNode } from 'unbash'
import { readsCommands } from './programs/programs.ts'

/** What stands for a character that a shell would expand, were it not quoted: no name of a file holds it. */
const KEPT = '\0'

/** What a shell expands in a word: names of files, and braces. */
const EXPANDS = /[*?[{]/

/**
 * The words of a command line that a shell may expand, as patterns without quotes, in which no quoted character is
 * special. Where a text is read once more, by another shell or out of a variable, quotes are passed over; so they are in
 * what is in no shell's language.
 */
export async function wordsExpanded(command: string): Promise<readonly string[]> {
  if (!EXPANDS.test(command)) return []
  const { forEachChild, parse } = await import('unbash')
  const found: string[] = []
  let isReadAgain = false

  function visit(node: SyntaxNode): void {
    if (node.type === 'Script' && (node.errors?.length ?? 0) > 0) throw new SyntaxError('no command of a shell')
    if (node.type === 'Assignment') isReadAgain ||= EXPANDS.test(node.text)
    if (node.type === 'Command') {
      const words = [node.name, ...node.suffix].flatMap((part) => (part?.type === 'Word' ? [part.value] : []))
      isReadAgain ||= words.some(readsCommands)
    }
    if (node.type === 'Word') {
      const word = withoutQuotes(node.text)
      // What a variable or another command gives is expanded in its turn.
      isReadAgain ||= word === undefined
      if (word !== undefined && EXPANDS.test(word)) found.push(word)
    }
    if (!isReadAgain) forEachChild(node, visit)
  }

  try {
    visit(parse(command))
  } catch {
    // Nested too deep, too much of it, or in no shell's language.
    isReadAgain = true
  }
  return isReadAgain ? piecesOf(command) : found
}

function piecesOf(command: string): readonly string[] {
  const pieces = command.replaceAll(/["'\\]/g, '').split(/[\s;&|<>()=`]+/)
  return pieces.filter((word) => EXPANDS.test(word))
}

/** Undefined: it holds an expansion outside of quotes, or one that may hold quotes. */
function withoutQuotes(text: string): string | undefined {
  let word = ''
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\' && quote !== "'") {
      const next = text[++at] ?? ''
      word += next === '\n' ? '' : kept(next)
    } else if (quote === '' ? /["']/.test(character) : character === quote) quote = quote === '' ? character : ''
    else if (quote === '' && /[$`]/.test(character)) return undefined
    // Quotes in a command in quotes are its own.
    else if (quote === '"' && /^(?:`|\$[({])/.test(text.slice(at, at + 2))) return undefined
    else word += quote === '' ? character : kept(character)
  }
  return word
}

function kept(text: string): string {
  return text.replaceAll(/[*?[\]{},()]/g, KEPT)
}
