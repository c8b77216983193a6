import { forEachChild, type SyntaxNode } from 'unbash'
import { readsCommands } from './programs/programs.ts'
import type { LazyScript } from './simple-command.ts'
import { markVariables, VARIABLE } from './variables.ts'
import { CHANGES_FOLDER, CURRENT, type Folders, forEachCommand } from './walk.ts'

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
function splitWords(text: string): readonly string[] {
  return text.replaceAll(/["'\\]/g, '').split(/[\s;&|<>()=`]+/)
}

/** A word as a pattern; undefined where it holds an expansion outside of quotes, or one that may hold quotes. */
function withoutQuotes(text: string): string | undefined {
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

/** Words of one command, in their order, and the folders that it may run in. */
export interface LocatedWords {
  /** As patterns without quotes, in which no quoted character is special. */
  readonly words: readonly string[]
  /** Relative to the session's; undefined: one that is not known. */
  readonly folders: readonly (string | undefined)[]
}

/** A home folder is known well enough. */
const HOME = /^\$\{?HOME\b/

/**
 * The words of a command line that may name files, each with the folders that its command may run in: those that `cd`
 * leads to. A word behind a variable (`$X/name`) is in a folder that is not known; in a name that is known in part
 * (`folder/$X.json`) a variable is a pattern. Where the line cannot be read, whatever may be a word is given.
 */
export function locatedWords(text: string, script: LazyScript): readonly LocatedWords[] {
  const located: LocatedWords[] = []
  const add = (written: string, folders: Folders): void => {
    const unquoted = written.replaceAll(/["\\]/g, '')
    if (CURRENT.test(unquoted)) {
      located.push({ words: [unquoted.replace(CURRENT, '.')], folders: [...folders] })
    } else if (nameInUnknownFolder(unquoted.replaceAll(/'[^']*'/g, '')) !== undefined && !HOME.test(unquoted)) {
      located.push({ words: [nameInUnknownFolder(unquoted) ?? unquoted], folders: [undefined] })
    } else {
      const word = readWord(written)
      if (word !== undefined) located.push({ words: [word], folders: [...folders] })
    }
  }
  try {
    forEachCommand(text, script, {
      isRelevant: () => true,
      word: (word, folders) => add(word.text, folders),
      command: (words, parts, folders) => {
        const isReadAgain = words.some(readsCommands)
        const plain = isReadAgain ? words : parts.flatMap((part) => readWord(part.text) ?? [])
        if (plain.length > 1) located.push({ words: plain.slice(1), folders: [...folders] })
      },
      tooDeep: (lines) => {
        for (const line of lines) located.push({ words: splitWords(line), folders: ['', undefined] })
      },
    })
  } catch {
    located.push({ words: splitWords(text), folders: CHANGES_FOLDER.test(text) ? ['', undefined] : [''] })
  }
  return located
}

/** A word without quotes, with `VARIABLE` for the expansions in it; undefined where its folder is not known either. */
function readWord(written: string): string | undefined {
  const word = withoutQuotes(written.includes('$') || written.includes('`') ? markVariables(written) : written)
  return word?.replace(/[^/\\]*$/, '').includes(VARIABLE) === true ? undefined : word
}

const EXPANSION = /[$`]/

/** The last part of a path that is known, in a folder that is only known when the command runs. */
function nameInUnknownFolder(path: string): string | undefined {
  const end = path.lastIndexOf('/') + 1
  const name = path.slice(end)
  return EXPANSION.test(path.slice(0, end)) && !EXPANSION.test(name) ? name : undefined
}
