/** What the text of a statement shows, as far as it must be known before it runs. */
export interface ScannedSql {
  /** Without what ends it. */
  readonly sql: string
  /** The first word, in lower case. */
  readonly command: string
  /** The statement that changes rows inside of another one, such as `delete` in `with x as (delete …)`. */
  readonly inner?: string
  /** Names that are called, `pg_sleep(…)`. */
  readonly called: readonly string[]
  /** Names after a dot, which may be calls too: `row.name` is `name(row)`. */
  readonly afterRow: readonly string[]
  /** The same behind a value of any type: `(9).pg_sleep`, `$1.pg_sleep`, `list[1].pg_sleep`. */
  readonly afterValue: readonly string[]
}

/** What a text is read into: words, quoted ones as what they mean, and single characters. */
type Token = { readonly name: string; readonly quoted?: true } | { readonly mark: string }

// What else JavaScript knows as space, such as U+00A0, begins a name: `\u00a0$x$` is one, and not the start of a text.
const SPACE_OR_COMMENT = /(?:[ \t\n\r\f\v]|--[^\n\r]*(?:[\n\r]|$))+/y
const WORD = /[a-z_\u0080-\uffff][\w$\u0080-\uffff]*/iy
const NUMBER = /\d[\w.]*/y
const PARAMETER = /\$\d+/y
const DOLLAR = /\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/iy

/**
 * Reads a statement as PostgreSQL does, with `standard_conforming_strings`. What it cannot be sure of is refused: a text
 * that is read in another way would hide what it calls.
 * @returns why not, as the end of a sentence
 */
export function scanPostgres(text: string): ScannedSql | { readonly problem: string } {
  if (text.includes('\0')) return { problem: 'it holds the character NUL' }
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
  if (selectsInto(tokens)) return { problem: 'it selects into a table, which would be made' }
  const inner = innerChange(tokens)
  return {
    sql: text.slice(0, end),
    command: 'name' in first ? first.name : first.mark,
    inner,
    ...calledIn(tokens),
  }
}

/**
 * The change that a WITH holds. Such a word begins what stands in parentheses, or follows the last of them; behind that
 * come INTO, FROM or the name of a table. Elsewhere it may be a name, as in `select delete from t`.
 */
function innerChange(tokens: readonly Token[]): string | undefined {
  const wordAt = (index: number): string | undefined => {
    const token = tokens[index]
    return token !== undefined && 'name' in token && token.quoted !== true ? token.name : undefined
  }
  if (wordAt(0) !== 'with') return undefined
  for (const [index, token] of tokens.entries()) {
    const word = wordAt(index)
    const before = tokens[index - 1]
    const begins = before !== undefined && 'mark' in before && (before.mark === '(' || before.mark === ')')
    if (word === undefined || !begins || !('name' in token)) continue
    const next = tokens[index + 1]
    if (word === 'update' && next !== undefined && 'name' in next && next.name !== 'from') return word
    if (word === 'delete' && wordAt(index + 1) === 'from') return word
    if ((word === 'insert' || word === 'merge') && wordAt(index + 1) === 'into') return word
  }
  return undefined
}

/** What `(…)`, `list[…]` and `$1` end with. */
const VALUE_ENDS: ReadonlySet<string> = new Set([')', ']', '$1'])

function calledIn(tokens: readonly Token[]): Pick<ScannedSql, 'called' | 'afterRow' | 'afterValue'> {
  const isMark = (index: number, mark: string): boolean => {
    const token = tokens[index]
    return token !== undefined && 'mark' in token && token.mark === mark
  }
  const names = tokens.flatMap((token, index) => ('name' in token ? [{ name: token.name, index }] : []))
  const called = names.filter(({ index }) => isMark(index + 1, '('))
  const afterDot = names.filter(({ index }) => isMark(index - 1, '.') && !isMark(index + 1, '('))
  /** Where the path of names that leads to one after a dot begins: in `(x).a.b` both are fields of one value. */
  const heads = new Map<number, number>()
  for (const { index } of names) {
    if (isMark(index - 1, '.')) heads.set(index, heads.get(index - 2) ?? index - 2)
  }
  const isOfValue = ({ index }: { readonly index: number }): boolean => {
    const token = tokens[heads.get(index)!]
    return token !== undefined && 'mark' in token && VALUE_ENDS.has(token.mark)
  }
  return {
    called: distinct(called),
    afterRow: distinct(afterDot.filter((name) => !isOfValue(name))),
    afterValue: distinct(afterDot.filter(isOfValue)),
  }
}

/** Whether there is an INTO that is not the one of INSERT or MERGE: those begin what they stand in, and `insert` may be a name. */
function selectsInto(tokens: readonly Token[]): boolean {
  // By the depth of parentheses.
  const hasSelect: boolean[] = [false]
  for (const [index, token] of tokens.entries()) {
    if ('mark' in token) {
      if (token.mark === '(') hasSelect.push(false)
      if (token.mark === ')') hasSelect.pop()
    } else if (token.quoted !== true) {
      if (token.name === 'select') hasSelect[hasSelect.length - 1] = true
      const before = tokens[index - 1]
      const isOfChange = before !== undefined && 'name' in before && /^(?:insert|merge)$/.test(before.name)
      if (token.name === 'into' && (!isOfChange || hasSelect.at(-1) === true)) return true
    }
  }
  return false
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
    return readNumber(text, at + number.length, '0')
  }
  return { token: { mark: character }, end: at + 1 }
}

/** Older servers read `1e'…'` as a number and a string with escapes, `1a$x$` as a number and a name. Newer ones refuse it. */
function readNumber(text: string, end: number, mark: string): Read {
  if (/['"$]/.test(text[end] ?? '')) return { problem: 'a number in it touches a text. Put a space between' }
  return { token: { mark }, end }
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
  const name = quoted.slice(1, -1).replaceAll('""', '"')
  return { token: { name, quoted: true }, end: start + quoted.length }
}

function readDollar(text: string, start: number): Read {
  const parameter = matchAt(PARAMETER, text, start)
  if (parameter !== undefined) {
    const end = start + parameter.length
    if (/[\w\u0080-\uffff]/.test(text[end] ?? ''))
      return { problem: 'a number in it touches a name. Put a space between' }
    return readNumber(text, end, '$1')
  }
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
