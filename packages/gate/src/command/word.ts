import type { Word, WordPart } from 'unbash'
import { matchRuns } from '../paths/glob.ts'

/** What a shell puts in the place of a part of a word. `other`: substitutions, arithmetic, all that is not listed. */
export type Expansion = 'variable' | 'quoted variable' | 'pattern' | 'braces' | 'home' | 'other'

/** One word of a command. */
export interface ShellWord {
  readonly text: string
  /** What its program gets. Absent: a shell expands something in it, or shells differ in how they read it. */
  readonly literal?: string
  /** Its text without quotes, with `ANYTHING`, `ANY_NAME` and `ANY_LETTER` for what a shell fills in. */
  readonly shape: string
  readonly expands: ReadonlySet<Expansion>
}

/** In a shape: any text, also with slashes and blanks; any text of one part of a path; one letter. */
export const ANYTHING = '\uE000'
const ANY_NAME = '\uE001'
const ANY_LETTER = '\uE002'

const NOTHING: ReadonlySet<Expansion> = new Set()

export function literalWord(literal: string): ShellWord {
  return { text: literal, literal, shape: literal, expands: NOTHING }
}

/**
 * Reads a word that the parser found. The parser and `readLiteral` must agree for it to be literal.
 * @param text the whole of it, if the parser's word is only its end: `A=1`
 */
export function readWord(word: Word, text = word.text): ShellWord {
  const before = text.slice(0, text.length - word.text.length)
  const literal = readLiteral(text)
  if (literal !== undefined && literal === before + word.value) {
    return { text, literal, shape: literal, expands: NOTHING }
  }
  const expands = new Set<Expansion>()
  const shape = word.parts === undefined ? word.value : shapeOf(word.parts, expands, false)
  if (/(?:^|[=:])~/.test(text)) expands.add('home')
  // Nothing is expanded, but shells differ in how they read it.
  if (expands.size === 0) expands.add('other')
  return { text, shape: before + shape, expands }
}

function shapeOf(parts: readonly WordPart[], expands: Set<Expansion>, isQuoted: boolean): string {
  return parts.map((part) => shapeOfPart(part, expands, isQuoted)).join('')
}

function shapeOfPart(part: WordPart, expands: Set<Expansion>, isQuoted: boolean): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return part.value
    case 'AnsiCQuoted':
      expands.add('other')
      return part.value
    case 'DoubleQuoted':
      return shapeOf(part.parts, expands, true)
    case 'LocaleString':
      expands.add('other')
      return shapeOf(part.parts, expands, true)
    case 'Glob':
      expands.add('pattern')
      // A shell expands what stands in it too: `[$(id)]`.
      shapeOf(part.parts ?? [], expands, false)
      return part.kind === 'star' ? ANY_NAME : ANY_LETTER
    case 'BraceExpansion':
      expands.add('braces')
      shapeOf(part.parts ?? [], expands, false)
      return part.text.includes('/') ? ANYTHING : ANY_NAME
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const isPlain = /^\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})$/.test(part.text)
      expands.add(!isPlain ? 'other' : isQuoted ? 'quoted variable' : 'variable')
      return ANYTHING
    }
    default:
      expands.add('other')
      return ANYTHING
  }
}

/** Special outside quotes anywhere in a word, to some shell. */
const SPECIAL = new Set('$`*?[;&|<>()')

/** Whether what is not quoted is special to some shell: at the beginning, behind `=`, as a group in braces. */
function isSpecial(bare: string): boolean {
  if (/^[=#]|(?:^|[=:])~/.test(bare)) return true
  const isNested = /\{[^}]*\{/.test(bare)
  return (bare.match(/\{[^{}]*\}/g) ?? []).some((group) => isNested || group.includes(',') || group.includes('..'))
}

/**
 * Reads a word as written, with its quotes; undefined unless bash, dash and zsh all take it for the same text. Beyond
 * what bash expands, `!` counts as special (an interactive shell replaces it from its history), and so does `=` at the
 * beginning (zsh).
 */
export function readLiteral(text: string): string | undefined {
  if (/^[\w./:@%+,-][\w./:@%+,=-]*$/.test(text)) return text
  let value = ''
  let bare = ''
  for (let at = 0; at < text.length; at++) {
    const character = String.fromCodePoint(text.codePointAt(at)!)
    if (character === "'") {
      const end = text.indexOf("'", at + 1)
      if (end < 0) return undefined
      value += text.slice(at + 1, end)
      at = end
    } else if (character === '"') {
      const end = endOfDoubleQuotes(text, at + 1)
      if (end === undefined) return undefined
      value += text.slice(at + 1, end).replace(/\\([\\"$`])/g, '$1')
      at = end
    } else if (character === '\\') {
      const code = text.codePointAt(at + 1)
      if (code === undefined || code === 10) return undefined
      value += String.fromCodePoint(code)
      at += code > 0xff_ff ? 2 : 1
    } else {
      // A character that is no blank to bash may be one to another shell.
      if (SPECIAL.has(character) || /[\p{Z}\p{C}]/u.test(character)) return undefined
      // A shell leaves history alone before a blank.
      if (character === '!' && at + 1 < text.length) return undefined
      value += character
      bare += character
      at += character.length - 1
      continue
    }
    bare += '\0'
  }
  return isSpecial(bare) ? undefined : value
}

/** The index of the closing quote; undefined if a shell expands something before it. */
function endOfDoubleQuotes(text: string, start: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    const character = text[at]!
    if (character === '"') return at
    if (character === '$' || character === '`') return undefined
    // A shell leaves history alone before a blank, "=" and the closing quote.
    if (character === '!' && !' \t\n="'.includes(text[at + 1] ?? '')) return undefined
    if (character === '\\' && (text[++at] === '\n' || text[at] === '!')) return undefined
  }
  return undefined
}

/** The name of a program without its folder, in lower case; undefined if the end of its path is not known. */
export function programName({ literal, shape }: ShellWord): string | undefined {
  const path = literal ?? shape
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /[\uE000-\uE002]/.test(name) ? undefined : name.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '')
}

export function hasPattern(shape: string): boolean {
  return /[\uE001\uE002]/.test(shape)
}

const SHAPES = {
  isRun: (letter: string) => letter === ANYTHING || letter === ANY_NAME,
  isMatch: (letter: string, other: string) => letter === ANY_LETTER || letter === other,
}

/** No name of a file or a program is longer. */
const MAX_NAME = 255

/** Whether what a shell makes of a shape may be a name. Time is the product of both lengths. */
export function matchShape(shape: string, name: string): boolean {
  return shape.length > MAX_NAME || name.length > MAX_NAME || matchRuns(Array.from(shape), Array.from(name), SHAPES)
}
