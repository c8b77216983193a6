import { MAX_YAML_NODES } from '../ports/limits.ts'
import { resolvePlain, type YamlEntry, type YamlList, type YamlMap, type YamlNode, type YamlScalar } from './tree.ts'

/** What may mean something else to YAML wherever it stands: tabs, lone carriage returns, and what is not printable. */
// eslint-disable-next-line no-control-regex
const UNCERTAIN = /[\0-\x09\x0B\x0C\x0E-\x1F\x7F-\x9F\uFEFF\uFFFE\uFFFF]|\r(?!\n)/
/** A field. Its key reaches no prototype. */
const FIELD = /^(?!constructor:|prototype:)([A-Za-z][\w.-]{0,99}):(?: +(.*))?$/
const DOUBLE = String.raw`"[^"\\]*(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\]*)*"`
const SINGLE = String.raw`'[^']*(?:''[^']*)*'`
const QUOTED = new RegExp(`^(?:${DOUBLE}|${SINGLE})$`)
/** Text that no indicator begins, and in which no mapping and no comment can begin. */
const PLAIN = /^(?:-(?=\w))?[^\s\-?:,[\]{}#&*!|>'"%@`][^:#]*(?:(?::(?=[^ ])|(?<! )#)[^:#]*)*$/
/** A value between brackets or braces, from its first character on. */
const IN_FLOW = new RegExp(String.raw`${DOUBLE}|${SINGLE}|[\w.~$/(][^\s,:#[\]{}]*(?: +[^\s,:#[\]{}]+)*`, 'y')
const SPACES = / */y
/** The header of a block of text. */
const BLOCK = /^([>|])(-?)$/
/** Further levels are left to the full reader. */
const MAX_LEVELS = 8

/** What is thrown where a text is left to the full reader. */
const NOT_CERTAIN = Symbol('not certain')

/**
 * Reads the YAML that most frontmatters consist of: fields and lists, nested by indentation, whose values are each on
 * one line: text, plain or in quotes, and lists and mappings in brackets; blocks of text; blank lines and comments. It
 * takes a tenth of the time of the full reader and does not load it. Returns the same tree as the full reader;
 * undefined whenever that is not certain.
 * @param firstLine the file's line on which `text` begins, 1-based
 */
export function readPlainYaml(text: string, firstLine: number): YamlMap | undefined {
  if (UNCERTAIN.test(text) || !text.endsWith('\n') || !text.isWellFormed()) return undefined
  try {
    const lines = text.replaceAll('\r', '').split('\n')
    const reader = createReader(lines, firstLine)
    if (reader.nextIndent() !== 0) return undefined
    const root = reader.readNode(0, 0)
    return reader.nextIndent() === -1 && root.kind === 'map' ? root : undefined
  } catch (error) {
    if (error === NOT_CERTAIN) return undefined
    throw error
  }
}

function createReader(lines: string[], firstLine: number) {
  let at = 0
  let count = 0

  /** Passes over blank lines and comments. Returns the indentation of the next line; -1: there is none. */
  function nextIndent(): number {
    for (; at < lines.length; at++) {
      const indent = indentOf(lines[at]!)
      if (indent < lines[at]!.length && lines[at]![indent] !== '#') return indent
    }
    return -1
  }

  function counted<T>(node: T): T {
    if (++count > MAX_YAML_NODES) throw NOT_CERTAIN
    return node
  }

  function readNode(indent: number, level: number): YamlMap | YamlList {
    if (level > MAX_LEVELS) throw NOT_CERTAIN
    return lines[at]![indent] === '-' ? readList(indent, level) : readMap(indent, level)
  }

  function readMap(indent: number, level: number): YamlMap {
    const line = firstLine + at
    const entries: YamlEntry[] = []
    const keys = new Set<string>()
    for (let next = indent; next >= indent; next = nextIndent()) {
      const [, key, value = ''] = FIELD.exec(lines[at]!.slice(indent)) ?? []
      if (next > indent || key === undefined || keys.has(key)) throw NOT_CERTAIN
      keys.add(counted(key))
      const keyLine = firstLine + at++
      entries.push({ key, line: keyLine, value: readValue(trimmed(value), keyLine, indent, level) })
    }
    return counted({ kind: 'map', line, entries })
  }

  function readList(indent: number, level: number): YamlList {
    const line = firstLine + at
    const items: YamlNode[] = []
    for (let next = indent; next === indent && lines[at]!.startsWith('- ', indent); next = nextIndent()) {
      const value = trimmed(lines[at]!.slice(indent + 2))
      if (FIELD.test(value) || value.startsWith('- ')) {
        // What follows the hyphen is a mapping or its own list, indented as far as it is.
        lines[at] = `${lines[at]!.slice(0, indent)} ${lines[at]!.slice(indent + 1)}`
        items.push(readNode(indentOf(lines[at]!), level + 1))
      } else if (value === '') throw NOT_CERTAIN
      else items.push(readValue(value, firstLine + at++, indent, level))
    }
    if (items.length === 0) throw NOT_CERTAIN
    return counted({ kind: 'list', line, items })
  }

  function readValue(value: string, line: number, indent: number, level: number): YamlNode {
    if (value === '') {
      const next = nextIndent()
      const isBelow = next > indent || (next === indent && lines[at]!.startsWith('- ', indent))
      return isBelow ? readNode(next, level + 1) : counted(plainScalar('', line))
    }
    const [, style, chomping] = BLOCK.exec(value) ?? []
    if (style !== undefined) return counted(readBlock(style, chomping === '-', line, indent))
    if (value.startsWith('[') || value.startsWith('{')) return readFlow(value, line)
    if (QUOTED.test(value)) return counted(quotedScalar(value, line))
    return counted(plainScalar(readPlain(value, indent), line))
  }

  /** Plain text may go on in lines that are indented further. */
  function readPlain(begun: string, outer: number): string {
    let text = begun
    for (let more = begun; ; at++) {
      if (!PLAIN.test(more)) throw NOT_CERTAIN
      more = trimmed(lines[at]!)
      if (more === '' || indentOf(lines[at]!) <= outer) return text
      text += ` ${more}`
    }
  }

  /**
   * Reads a block of text, in which blank lines and deeper indentation have meanings that are left to the full reader.
   */
  function readBlock(style: string, isStripped: boolean, line: number, outer: number): YamlScalar {
    const indent = indentOf(lines[at] ?? '')
    if (indent <= outer || indent === lines[at]?.length) throw NOT_CERTAIN
    const read: string[] = []
    for (; at < lines.length; at++) {
      const content = lines[at]!
      const own = indentOf(content)
      const isBlank = own === content.length
      if (!isBlank && own < indent) break
      if ((isBlank && own > indent) || (style === '>' && own > indent)) throw NOT_CERTAIN
      read.push(content.slice(indent))
    }
    const body = read.join('\n').replace(/\n+$/, '')
    // A single line break is a space; of several, each but the first one stays.
    const folded = style === '>' ? body.replaceAll(/(?<!\n)\n(\n*)/g, (_, more: string) => more || ' ') : body
    const source = isStripped ? folded : `${folded}\n`
    return { kind: 'scalar', line, value: source, source, plain: false }
  }

  /** Reads a list or a mapping in brackets. */
  function readFlow(text: string, line: number): YamlNode {
    let from = 0
    const skip = (mark: string): boolean => {
      const isThere = text[from] === mark
      if (isThere) skipSpaces(from + 1)
      return isThere
    }
    function skipSpaces(start: number): void {
      SPACES.lastIndex = start
      SPACES.test(text)
      from = SPACES.lastIndex
    }
    function readScalar(): YamlScalar {
      IN_FLOW.lastIndex = from
      const found = IN_FLOW.exec(text)?.[0]
      if (found === undefined) throw NOT_CERTAIN
      skipSpaces(IN_FLOW.lastIndex)
      return counted(/^["']/.test(found) ? quotedScalar(found, line) : plainScalar(found, line))
    }
    function readItem(level: number): YamlNode {
      if (level > MAX_LEVELS) throw NOT_CERTAIN
      if (skip('[')) {
        const items: YamlNode[] = []
        if (!skip(']')) {
          do items.push(readItem(level + 1))
          while (skip(','))
          if (!skip(']')) throw NOT_CERTAIN
        }
        return counted({ kind: 'list', line, items })
      }
      if (!skip('{')) return readScalar()
      const entries = new Map<string, YamlEntry>()
      if (!skip('}')) {
        do {
          const { source: key, plain } = readScalar()
          if (entries.has(key) || !FIELD.test(`${key}:`) || (plain && !text.startsWith(': ', from))) throw NOT_CERTAIN
          if (!skip(':')) throw NOT_CERTAIN
          entries.set(key, { key, line, value: readItem(level + 1) })
        } while (skip(','))
        if (!skip('}')) throw NOT_CERTAIN
      }
      return counted({ kind: 'map', line, entries: [...entries.values()] })
    }
    const node = readItem(0)
    if (from < text.length) throw NOT_CERTAIN
    return node
  }

  return { nextIndent, readNode }
}

function indentOf(line: string): number {
  let indent = 0
  while (line.charCodeAt(indent) === 0x20) indent++
  return indent
}

/** To JavaScript, more is white space than to YAML. */
function trimmed(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === 0x20) end--
  return text.slice(Math.min(indentOf(text), end), end)
}

function plainScalar(source: string, line: number): YamlScalar {
  return { kind: 'scalar', line, value: resolvePlain(source), source, plain: true }
}

function quotedScalar(written: string, line: number): YamlScalar {
  let source = written.slice(1, -1)
  if (written.startsWith("'")) source = source.replaceAll("''", "'")
  else if (source.includes('\\')) source = unescaped(written)
  return { kind: 'scalar', line, value: source, source, plain: false }
}

/** These escapes are the same in JSON. What no text may hold is left to the full reader. */
function unescaped(written: string): string {
  const text = JSON.parse(written) as string
  if (text.includes('\0') || !text.isWellFormed()) throw NOT_CERTAIN
  return text
}
