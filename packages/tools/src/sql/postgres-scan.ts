/** What the text of a statement shows, as far as it must be known before it runs. */
export interface ScannedSql {
  /** Without what ends it. */
  readonly sql: string
  /** The first word, in lower case. */
  readonly command: string
  /** Names that are called, `pg_sleep(…)`, and those after a dot, which may be calls too: `row.name` is `name(row)`. */
  readonly called: readonly string[]
  readonly afterDot: readonly string[]
}

/** What a text is read into: words, quoted ones as what they mean, and single characters. */
type Token = { readonly name: string } | { readonly mark: string }

const SPACE_OR_COMMENT = /(?:\s|--[^\n\r]*(?:[\n\r]|$))+/y
const WORD = /[a-z_\u0080-\uffff][\w$\u0080-\uffff]*/iy
const NUMBER = /\d[\w.]*/y
const DOLLAR = /\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/iy

/**
 * Reads a statement as PostgreSQL does, with `standard_conforming_strings`. What it cannot be sure of is refused: a text
 * that is read in another way would hide what it calls.
 * @returns why not, as the end of a sentence
 */
export function scanPostgres(text: string): ScannedSql | { readonly problem: string } {
  const tokens: Token[] = []
  let depth = 0
  let end = text.length
  for (let at = 0; at < text.length;) {
    const next = readToken(text, at)
    if ('problem' in next) return next
    const { token } = next
    if (token !== undefined) {
      if (end < text.length) return { problem: 'there is more than one. Pass one at a time' }
      const mark = 'mark' in token ? token.mark : ''
      if (mark === ';') end = at
      else tokens.push(token)
      if (mark === '(') depth++
      if (mark === ')' && --depth < 0) break
    }
    // More than one semicolon at the end is still one statement.
    at = next.end
    if (end < text.length) while (text[at] === ';') at++
  }
  if (depth !== 0) return { problem: 'its parentheses do not match' }
  const [first] = tokens
  if (first === undefined) return { problem: 'there is none' }
  return { sql: text.slice(0, end), command: 'name' in first ? first.name : first.mark, ...calledIn(tokens) }
}

function calledIn(tokens: readonly Token[]): Pick<ScannedSql, 'called' | 'afterDot'> {
  const isMark = (index: number, mark: string): boolean => {
    const token = tokens[index]
    return token !== undefined && 'mark' in token && token.mark === mark
  }
  const names = tokens.flatMap((token, index) => ('name' in token ? [{ name: token.name, index }] : []))
  const called = names.filter(({ index }) => isMark(index + 1, '('))
  const afterDot = names.filter(({ index }) => isMark(index - 1, '.') && !isMark(index + 1, '('))
  return { called: distinct(called), afterDot: distinct(afterDot) }
}

function distinct(names: readonly { readonly name: string }[]): readonly string[] {
  return [...new Set(names.map(({ name }) => name))]
}

type Read = { readonly token?: Token; readonly end: number } | { readonly problem: string }

const UNCLOSED = { problem: 'a string, a name or a comment in it is not closed' }

function readToken(text: string, at: number): Read {
  const space = matchAt(SPACE_OR_COMMENT, text, at)
  if (space !== undefined) return { end: at + space.length }
  if (text.startsWith('/*', at)) return readComment(text, at)
  const character = text[at]!
  if (character === "'") return readString(text, at, false)
  if (character === '"') return readQuotedName(text, at)
  if (character === '$') return readDollar(text, at)
  const word = matchAt(WORD, text, at)
  if (word !== undefined) return readWord(text, at, word)
  const number = matchAt(NUMBER, text, at)
  if (number !== undefined) {
    const end = at + number.length
    // Older servers read `1e'…'` as a number and a string with escapes, newer ones refuse it.
    if (text[end] === "'" || text[end] === '"') return { problem: 'a number in it touches a text. Put a space between' }
    return { token: { mark: '0' }, end }
  }
  return { token: { mark: character }, end: at + 1 }
}

function readWord(text: string, at: number, word: string): Read {
  const end = at + word.length
  const lower = word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  if (lower === 'e' && text[end] === "'") return readString(text, end, true)
  if (lower === 'u' && /^&['"]/.test(text.slice(end, end + 2))) {
    return { problem: 'it holds a text or a name with escapes (U&). Write the characters themselves' }
  }
  return { token: { name: lower }, end }
}

function readString(text: string, start: number, hasEscapes: boolean): Read {
  for (let at = start + 1; at < text.length; at++) {
    if (hasEscapes && text[at] === '\\') at++
    else if (text[at] === "'") {
      if (text[at + 1] === "'") at++
      else if (hasEscapes && /^(?:\s|--[^\n\r]*[\n\r])*'/.test(text.slice(at + 1))) {
        return { problem: 'a string with escapes goes on after a line break. Write it in one piece' }
      } else return { token: { mark: "'" }, end: at + 1 }
    }
  }
  return UNCLOSED
}

function readQuotedName(text: string, start: number): Read {
  const quoted = matchAt(/"((?:[^"]|"")*)"/y, text, start)
  if (quoted === undefined) return UNCLOSED
  return { token: { name: quoted.slice(1, -1).replaceAll('""', '"') }, end: start + quoted.length }
}

function readDollar(text: string, start: number): Read {
  const tag = matchAt(DOLLAR, text, start)
  if (tag === undefined) return { token: { mark: '$' }, end: start + 1 }
  const end = text.indexOf(tag, start + tag.length)
  return end < 0 ? UNCLOSED : { token: { mark: "'" }, end: end + tag.length }
}

/** Comments of PostgreSQL nest. */
function readComment(text: string, start: number): Read {
  let depth = 0
  for (let at = start; at < text.length;) {
    const two = text.slice(at, at + 2)
    if (two === '/*') depth++
    if (two === '*/') depth--
    at += two === '/*' || two === '*/' ? 2 : 1
    if (depth === 0) return { end: at }
  }
  return UNCLOSED
}

function matchAt(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at
  return expression.exec(text)?.[0]
}
