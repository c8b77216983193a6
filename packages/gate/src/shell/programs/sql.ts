import { list } from './program.ts'

/** How one program's dialect of SQL differs. */
interface Dialect {
  /** What opens and closes a name in quotes, besides `"`. */
  readonly quotes: 'none' | 'backtick'
}

/** What a statement may begin with, by its first word. The names behind say which of them; absent: whatever follows. */
const STATEMENTS: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ...list(
    'select with insert update delete replace explain values show describe desc begin commit rollback end analyze reindex ' +
      'vacuum use',
  ).map((name) => [name, undefined] as const),
  ...list('create alter drop').map((name) => [name, list('table index view schema sequence database')] as const),
  [
    'pragma',
    list(
      'table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check ' +
        'foreign_keys database_list user_version schema_version integrity_check quick_check journal_mode encoding ' +
        'page_count page_size freelist_count compile_options collation_list function_list busy_timeout cache_size ' +
        'synchronous optimize stats',
    ),
  ],
])

/** Words between `create` and what is created. */
const MODIFIERS: ReadonlySet<string> = new Set(list('or replace temp temporary unique materialized unlogged'))

/** Functions that only compute, keywords and types: what may stand before a parenthesis. */
const BEFORE_PARENTHESIS: ReadonlySet<string> = new Set(
  list(
    'count sum avg min max total group_concat string_agg array_agg json_agg jsonb_agg json_object_agg json_group_array ' +
      'json_group_object coalesce ifnull nullif iif if cast abs round ceil ceiling floor mod power pow sqrt sign length ' +
      'char_length octet_length lower upper trim ltrim rtrim substr substring replace instr position left right lpad ' +
      'rpad reverse concat concat_ws hex quote typeof date time datetime julianday strftime unixepoch now extract ' +
      'date_trunc date_part to_char to_date to_timestamp age datediff date_add date_sub date_format year month day hour ' +
      'minute second json json_extract json_array json_object json_each json_tree json_type json_valid ' +
      'json_array_length json_set json_insert json_remove jsonb_array_elements jsonb_array_length jsonb_each ' +
      'json_array_elements row_number rank dense_rank percent_rank ntile lag lead first_value last_value nth_value ' +
      'random rand greatest least unnest generate_series pg_size_pretty pg_total_relation_size pg_relation_size ' +
      'pg_database_size version database last_insert_rowid changes total_changes ' +
      // Keywords.
      'select from where and or not in any all some exists values as over partition filter using on by having when then ' +
      'else case between like ilike glob is distinct union intersect except limit offset set join key check unique ' +
      'default returning array row within interval with set ' +
      // Types.
      'varchar char character varying nchar nvarchar decimal numeric number int integer bigint smallint tinyint float ' +
      'double real text blob bit timestamp timestamptz',
  ),
)

/** Behind these a name before a parenthesis is that of a table, with its columns. */
const BEFORE_TABLE: ReadonlySet<string> = new Set(['into', 'table', 'references'])

/** Words with which a statement reads or writes files, or runs what is not written there, wherever they stand. */
const FORBIDDEN: ReadonlySet<string> = new Set(
  list('outfile dumpfile infile program attach load_extension writefile edit operator directory virtual'),
)

/** A text, a name in quotes, a name, a number, or one other character. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|[\p{L}_][\p{L}\p{N}_]*|\d[\d.]*|\S/gu

/**
 * Whether a text is SQL that certainly only works on the database: statements of known kinds that call known functions.
 * Comments, backslashes, dollar signs and prefixes of texts are read differently by one database or another, so that a
 * text with them is not certain.
 */
export function isPlainSql(text: string, dialect: Dialect): boolean {
  return readStatements(text, dialect)?.every(isPlainStatement) ?? false
}

/** Statements that only read, unless one of these words is in them. */
const READING: ReadonlySet<string> = new Set(list('select with values show describe desc explain'))
const WRITING: ReadonlySet<string> = new Set(
  list('into insert update delete merge create alter drop truncate analyze call'),
)

/**
 * Whether a text is certainly one statement that only works on the database, and that only reads if it begins as one
 * that reads: `with x as (delete …) select …` does not.
 */
export function isSinglePlainStatement(text: string): boolean {
  const statements = readStatements(text, { quotes: 'none' })
  const [statement] = statements ?? []
  if (statement === undefined || statements!.length > 1 || !isPlainStatement(statement)) return false
  return !READING.has(nameOf(statement[0]!)) || !statement.some((token) => WRITING.has(nameOf(token)))
}

/** The tokens of each statement; undefined where it is not certain what they are. */
function readStatements(text: string, { quotes }: Dialect): readonly (readonly string[])[] | undefined {
  // Outside of texts, `--`, `/*` and `#` begin comments; within them they are rare.
  if (/\\|\$|--|\/\*|#|(?![\t\n\r])\p{Cc}/u.test(text)) return undefined
  if (quotes === 'none' && text.includes('`')) return undefined
  const tokens = text.match(TOKEN) ?? []
  if (/["'`]/.test(text.replaceAll(TOKEN, (token) => (token.length > 1 ? '' : token)))) return undefined
  const statements: string[][] = [[]]
  for (const token of tokens) {
    if (token === ';') statements.push([])
    else statements.at(-1)!.push(token)
  }
  return statements.filter((statement) => statement.length > 0)
}

function isPlainStatement(tokens: readonly string[]): boolean {
  const words = tokens.map(nameOf)
  const [first = '', ...rest] = words
  if (!STATEMENTS.has(first)) return false
  const objects = STATEMENTS.get(first)
  if (objects !== undefined && !objects.includes(rest.find((word) => !MODIFIERS.has(word)) ?? '')) return false
  if (words.some((word) => FORBIDDEN.has(word)) || (first === 'vacuum' && rest.includes('into'))) return false
  if (readsFile(tokens, words)) return false
  return tokens.every((token, index) => {
    const next = tokens[index + 1]
    // A prefix changes how a text or a name is read: E'…', U&"…".
    if (next?.startsWith("'") === true && /^[\p{L}_]/u.test(token)) return !/^(?:e|u|b|x|n|_\w+)$/i.test(token)
    if (token === '&' && /^["']/.test(next ?? '')) return false
    if (next !== '(') return true
    if (/^["'`\]]/.test(token)) return false
    if (!/^[\p{L}_]/u.test(token)) return true
    const before = words[index - 1] ?? ''
    if (BEFORE_TABLE.has(before) || (before === 'exists' && words.includes('table'))) return true
    return before !== '.' && (BEFORE_PARENTHESIS.has(words[index]!) || isOtherName(words, index))
  })
}

/** Whether a text stands where a table does, or a table has the name of a file: DuckDB reads that file. */
function readsFile(tokens: readonly string[], words: readonly string[]): boolean {
  let inFrom = false
  return tokens.some((token, index) => {
    const word = words[index]!
    if (/^(?:from|join)$/.test(word)) inFrom = true
    else if (/^(?:select|where|on|using|group|having|order|limit|set|values)$/.test(word)) inFrom = false
    if (!inFrom || !/^(?:from|join|,)$/.test(words[index - 1] ?? '')) return false
    return token.startsWith("'") || (token.startsWith('"') && /[^\w $-]/.test(word))
  })
}

/** What is no function by its place: `with recent(id) as (…)`, `create index i on t (id)`, `pragma table_info(t)`. */
function isOtherName(words: readonly string[], index: number): boolean {
  const before = words[index - 1]
  if (words[0] === 'pragma') return index === 1
  if (words[0] === 'with') return before === 'with' || before === 'recursive'
  return words[0] === 'create' && before === 'on' && words.slice(0, index).includes('index')
}

/** A name without its quotes, in lower case. */
function nameOf(token: string): string {
  return (/^["`]/.test(token) ? token.slice(1, -1) : token).toLowerCase()
}
