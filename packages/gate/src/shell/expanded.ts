import { forEachChild, type SyntaxNode } from 'unbash'
import { readsCommands } from './programs/programs.ts'
import type { LazyScript } from './script.ts'

/** Stands for a quoted character that a shell would otherwise expand. No name of a file holds it. */
const QUOTED = '\0'

/** Patterns of file names, and braces. */
const EXPANDS = /[*?[{]/

/**
 * The words of a command line that a shell may expand, as patterns without quotes, in which no quoted character is
 * special. Quotes count for nothing where a text is read a second time, by another shell or out of a variable, and where
 * the line is not in a shell's language.
 */
export function expandedWords(text: string, script: LazyScript): readonly string[] {
  if (!EXPANDS.test(text)) return []
  const found: string[] = []
  let isReadAgain = false

  function visit(node: SyntaxNode): void {
    if (node.type === 'Script' && (node.errors?.length ?? 0) > 0) throw new SyntaxError('not a command of a shell')
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
    forEachChild(node, visit)
  }

  const parsed = script()
  try {
    if (parsed !== undefined) visit(parsed)
  } catch {
    // It is nested too deep, or a part of it is not in a shell's language.
    isReadAgain = true
  }
  // Whether a word is read again is not certain: both readings count.
  return parsed === undefined || isReadAgain
    ? [...found, ...splitWords(text).filter((word) => EXPANDS.test(word))]
    : found
}

/** Whatever may be a word, without quotes. */
export function splitWords(text: string): readonly string[] {
  return text.replaceAll(/["'\\]/g, '').split(/[\s;&|<>()=`]+/)
}

/** A word as a pattern; undefined where it holds an expansion outside of quotes, or one that may hold quotes. */
export function withoutQuotes(text: string): string | undefined {
  let word = ''
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\' && quote !== "'") {
      const next = text[++at] ?? ''
      word += next === '\n' ? '' : asQuoted(next)
    } else if (quote === '' ? /["']/.test(character) : character === quote) quote = quote === '' ? character : ''
    else if (quote === '' && /[$`]/.test(character)) return undefined
    // Quotes in a command in quotes are its own.
    else if (quote === '"' && /^(?:`|\$[({])/.test(text.slice(at, at + 2))) return undefined
    else word += quote === '' ? character : asQuoted(character)
  }
  return word
}

function asQuoted(text: string): string {
  return text.replaceAll(/[*?[\]{},()]/g, QUOTED)
}
