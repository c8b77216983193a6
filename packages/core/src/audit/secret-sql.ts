import { isSecretName, REDACTED } from './secret-names.ts'

/** A text in quotes, doubled or escaped quotes in it. */
const QUOTED = String.raw`'(?:[^'\\]|''|\\.)*'?|\\?"(?:[^"\\]|\\[^"])*\\?"?`

const INSERT = new RegExp(
  String.raw`(\b(?:insert|replace)\s{1,3}(?:\w{1,20}\s{1,3}){0,2}?into\s{1,3}[^\s(]{1,200}\s{0,3}\(([^()]{1,2000})\)\s{0,9}values\s{0,9})((?:${QUOTED}|[^'";])+)`,
  'gi',
)

/** A bracket, a comma, or what stands between them. */
const PIECE = new RegExp(String.raw`(?:${QUOTED}|[^,()'"])+|[,()'"]`, 'g')

/** Returns a text whose INSERT statements have no values in columns that are named like a secret. */
export function redactInserts(text: string): string {
  return text.replaceAll(INSERT, (all: string, start: string, columns: string, rows: string) => {
    const secret = columns.split(',').map((column) => isSecretName(column.replaceAll(/[\s"'`[\]\\]/g, '')))
    return secret.includes(true) ? start + redactRows(rows, secret) : all
  })
}

function redactRows(rows: string, secret: readonly boolean[]): string {
  let depth = 0
  let column = 0
  return rows.replaceAll(PIECE, (piece) => {
    if (piece === '(') {
      if (depth++ === 0) column = 0
    } else if (piece === ')') depth--
    else if (piece === ',') {
      if (depth === 1) column++
    } else if (depth > 0 && secret[column] === true && isValue(piece)) {
      return /^\s*/.exec(piece)![0] + (piece.trimStart().startsWith("'") ? `'${REDACTED}'` : REDACTED)
    }
    return piece
  })
}

/** Whether a piece holds a value, and not a place for one. */
function isValue(piece: string): boolean {
  return !/^\s*(?:null|default|\?|\$\d+|:\w+|%s|'?\[redacted\]'?)?\s*$/i.test(piece)
}
