import { MAX_YAML_NODES } from '../ports/limits.ts'
import { resolvePlain, type YamlEntry, type YamlMap, type YamlNode, type YamlScalar } from './tree.ts'

/** What may mean something else to YAML wherever it stands: tabs, lone carriage returns, and what is not printable. */
// eslint-disable-next-line no-control-regex
const UNCERTAIN = /[\0-\x09\x0B\x0C\x0E-\x1F\x7F-\x9F\uFEFF\uFFFE\uFFFF\p{Cs}]|\r(?!\n)/u
/** A field. Its key reaches no prototype. */
const FIELD = /^(?!constructor:|prototype:)([A-Za-z][\w-]{0,99}):(?: +(.*))?$/
const SINGLE = String.raw`'(?:[^']|'')*'`
const DOUBLE = String.raw`"[^"\\]*"`
const QUOTED = new RegExp(`^(?:${DOUBLE}|${SINGLE})$`)
/** Text that no indicator begins, and in which no mapping and no comment can begin. */
const PLAIN = /^[^\s\-?:,[\]{}#&*!|>'"%@`](?:[^:#]|:(?=[^ ])|(?<! )#)*$/
const WORD = String.raw`(?:[A-Za-z0-9_](?:[\w ./+*()-]*[\w/+*)])?|${DOUBLE}|${SINGLE})`
const WORDS = new RegExp(String.raw`^\[ *${WORD}(?: *, *${WORD})* *\]$`)
const EACH_WORD = new RegExp(WORD, 'g')
/** A block of one line, with its header. */
const BLOCK = /^[>|](-?)$/
const BLOCK_LINE = /^ +(\S(?:.*\S)?)$/

/**
 * Reads a frontmatter whose fields each have a value on one line: plain text, text in quotes without escapes, a list of
 * words in brackets, or a block of one line; with blank lines and comments between them. It takes a tenth of the time of
 * the full reader and does not load it. Returns the same tree as the full reader; undefined whenever that is not certain.
 * @param firstLine the file's line on which `text` begins, 1-based
 */
export function readOneLineFields(text: string, firstLine: number): YamlMap | undefined {
  if (UNCERTAIN.test(text) || !text.endsWith('\n')) return undefined
  const lines = text.split(/\r?\n/)
  const entries: YamlEntry[] = []
  const keys = new Set<string>()
  let values = 1
  for (let index = 0; index < lines.length; index++) {
    const content = lines[index]!
    if (content === '' || content.startsWith('#')) continue
    const [, key, value = ''] = FIELD.exec(content) ?? []
    if (key === undefined || keys.has(key)) return undefined
    keys.add(key)
    const line = firstLine + index
    const chomping = BLOCK.exec(value)?.[1]
    // The line below is the block. Any other that is indented is no field, and ends this reading.
    const node = chomping === undefined ? readValue(value, line) : readBlock(lines[++index] ?? '', chomping, line)
    values += node?.kind === 'list' ? node.items.length + 2 : 2
    if (node === undefined || values > MAX_YAML_NODES) return undefined
    entries.push({ key, line, value: node })
  }
  const [first] = entries
  return first && { kind: 'map', line: first.line, entries }
}

function readValue(written: string, line: number): YamlNode | undefined {
  const value = written.trimEnd()
  if (QUOTED.test(value)) return { kind: 'scalar', line, value: unquote(value), source: unquote(value), plain: false }
  if (WORDS.test(value)) {
    const items = value.slice(1, -1).match(EACH_WORD)!
    return { kind: 'list', line, items: items.map((item) => readItem(item, line)) }
  }
  if (value !== '' && !PLAIN.test(value)) return undefined
  return { kind: 'scalar', line, value: resolvePlain(value), source: value, plain: true }
}

function readItem(item: string, line: number): YamlScalar {
  const source = unquote(item)
  const plain = source === item
  return { kind: 'scalar', line, value: plain ? resolvePlain(item) : source, source, plain }
}

function unquote(value: string): string {
  if (value.startsWith('"')) return value.slice(1, -1)
  return value.startsWith("'") ? value.slice(1, -1).replaceAll("''", "'") : value
}

function readBlock(below: string, chomping: string, line: number): YamlScalar | undefined {
  const text = BLOCK_LINE.exec(below)?.[1]
  if (text === undefined) return undefined
  const source = chomping === '-' ? text : `${text}\n`
  return { kind: 'scalar', line, value: source, source, plain: false }
}
