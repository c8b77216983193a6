import type { Event, YAMLException } from 'js-yaml'
import type { Fault } from '../diagnostics.ts'
import { MAX_YAML_DEPTH, MAX_YAML_NODES } from '../ports/limits.ts'
import { showInvisible } from '../text/hidden.ts'
import { quote } from '../text/escape.ts'
import { nameCodePoint } from '../text/hidden.ts'
import { resolvePlain, type YamlEntry, type YamlNode, type YamlReader } from './tree.ts'

/** Passed as an argument, since it is imported only when a file needs it. */
type YamlLibrary = typeof import('js-yaml')

/** YAML features beyond plain data. No manifest needs them, and all of them have been used to attack YAML readers. */
const REFUSED = {
  '&': {
    code: 'YAML_ALIAS',
    message: 'Anchors ("&name") are not accepted.',
    hint: 'Write the value out, or quote it.',
  },
  '*': {
    code: 'YAML_ALIAS',
    message: 'Aliases ("*name") are not accepted.',
    hint: 'Write the value out, or quote it.',
  },
  '!': { code: 'YAML_TAG', message: 'Tags ("!name") are not accepted.', hint: 'Remove the tag, or quote the value.' },
  '%': { code: 'YAML_DIRECTIVE', message: 'Directives ("%…") are not accepted.', hint: 'Remove the line.' },
  '-': { code: 'YAML_DOCUMENTS', message: 'A second YAML document begins here.', hint: 'Keep one document.' },
  '.': { code: 'YAML_DOCUMENTS', message: 'The line "..." ends the document.', hint: 'Remove the line.' },
} as const satisfies Readonly<Record<string, Omit<Fault, 'line'>>>

/** Keys that reach an object's prototype when a value is assigned to them. */
const RESERVED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const NOT_TEXT = /[\0\p{Cs}]/u
const MAX_MARGIN_BRACKETS = 20
/** What YAML allows in quotes alone. In text without quotes it is reported like other hidden characters. */
const UNPRINTABLE = /[\x7F-\x84\x86-\x9F\uFFFE\uFFFF]/g
const DOCUMENT_MARK = /^\uFEFF?(---|\.\.\.)(?=\s|$)/m
const DIRECTIVE = /^(?:[ \t]*(?:#.*)?\r?\n)*\uFEFF?%/
/** A line whose value begins with an anchor, an alias or a tag. */
const REFUSED_VALUE = /^[ \t]*(?:-[ \t]+)*(?:["'\w.-]+[ \t]*:[ \t]+)?([&*!])\S/
/** A line whose value begins with a quote. */
const QUOTED_VALUE = /^[ \t]*(?:-[ \t]+)*(?:[^"'#:[{]+:[ \t]+)?[[{ \t]*(["'])/
const UNCLOSED = { '"': /^"(?:[^"\\]|\\.)*$/s, "'": /^'(?:[^']|'')*$/ } as const

/** Returns a reader by the event parser of js-yaml. */
export function createYamlReader({ EVENT_ID, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents }: YamlLibrary) {
  const read: YamlReader = (text, firstLine) => {
    const mark = DOCUMENT_MARK.exec(text)
    if (mark !== null)
      return { fault: { ...REFUSED[mark[1]![0] as '-' | '.'], line: lineOf(text, mark.index, firstLine) } }
    const directive = DIRECTIVE.exec(text)
    if (directive !== null)
      return { fault: { ...REFUSED['%'], line: lineOf(text, directive[0].length - 1, firstLine) } }
    return readDocument(text, firstLine, MAX_MARGIN_BRACKETS)
  }

  function readDocument(text: string, firstLine: number, moves: number): ReturnType<YamlReader> {
    try {
      const events = parseEvents(text.replaceAll(UNPRINTABLE, '?'), { maxDepth: MAX_YAML_DEPTH + 2 })
      return { root: buildTree(events, text, firstLine) }
    } catch (error) {
      if (error instanceof Refused) return { fault: error.fault }
      if (!(error instanceof YAMLException)) throw error
      const at = error.mark?.position ?? 0
      // Most other readers take a closing bracket at the margin. The standard wants it indented.
      if (moves > 0 && error.reason === 'deficient indentation' && /^[\]}]$/.test(text[at]!) && text[at - 1] === '\n') {
        return readDocument(`${text.slice(0, at)} ${text.slice(at)}`, firstLine, moves - 1)
      }
      return { fault: explain(error, text, firstLine) }
    }
  }

  function buildTree(events: readonly Event[], text: string, firstLine: number): YamlNode {
    // Events come in the order of the text.
    let [next, count, offset, line] = [0, 0, 0, firstLine]
    function moveTo(position: number): number {
      for (; offset < position; offset++) if (text.charCodeAt(offset) === 0x0a) line++
      return line
    }

    function readNode(depth: number): YamlNode {
      const event = events[next++]
      if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) {
        return { kind: 'scalar', line, value: null, source: '', plain: true }
      }
      if (++count > MAX_YAML_NODES || depth > MAX_YAML_DEPTH) throw new Refused(tooComplex(line))
      if (event.type === EVENT_ID.ALIAS) throw new Refused({ ...REFUSED['*'], line: moveTo(event.anchorStart) })
      if (event.anchorStart !== -1) throw new Refused({ ...REFUSED['&'], line: moveTo(event.anchorStart) })
      if (event.tagStart !== -1) throw new Refused({ ...REFUSED['!'], line: moveTo(event.tagStart) })
      if (event.type === EVENT_ID.SCALAR) {
        const plain = event.style === SCALAR_STYLE.PLAIN
        const source = event.valueStart === -1 ? '' : getScalarValue(text, event)
        // The text of a block begins on the line below its mark, that of a quoted value behind the quote.
        moveTo(plain ? event.valueStart : event.valueStart - 1)
        const match = event.style === SCALAR_STYLE.DOUBLE_QUOTED ? NOT_TEXT.exec(source) : null
        if (match === null) return { kind: 'scalar', line, value: plain ? resolvePlain(source) : source, source, plain }
        const message = `A value holds ${nameCodePoint(match[0])}, written as an escape.`
        throw new Refused({ code: 'ENCODING_INVALID', line, message, hint: 'Remove the escape.' })
      }
      const start = moveTo(event.start)
      if (event.type === EVENT_ID.MAPPING) return { kind: 'map', line: start, entries: readEntries(depth + 1) }
      const items: YamlNode[] = []
      while (events[next]?.type !== EVENT_ID.POP) items.push(readNode(depth + 1))
      next++
      return { kind: 'list', line: start, items }
    }

    function readEntries(depth: number): readonly YamlEntry[] {
      const lines = new Map<string, number>()
      const entries: YamlEntry[] = []
      while (events[next]?.type !== EVENT_ID.POP) {
        const node = readNode(depth)
        const key = readKey(node)
        const earlier = lines.get(key)
        if (earlier !== undefined) {
          const message = `The key ${quote(key)} is already on line ${earlier}.`
          throw new Refused({ code: 'YAML_KEY_DUPLICATE', line: node.line, message, hint: 'Keep one of the two.' })
        }
        lines.set(key, node.line)
        entries.push({ key, line: node.line, value: readNode(depth) })
      }
      next++
      return entries
    }

    // The first event opens the document, the last one closes it.
    next = 1
    const root = readNode(0)
    if (next < events.length - 1) throw new Refused({ ...REFUSED['-'], line })
    return root
  }

  return read
}

function readKey(node: YamlNode): string {
  const refuse = (message: string, hint: string) =>
    new Refused({ code: 'YAML_KEY_INVALID', line: node.line, message, hint })
  if (node.kind !== 'scalar') throw refuse('A list or a mapping is in the place of a key.', 'Use text as the key.')
  const { source } = node
  if (source === '<<') throw refuse('Merge keys ("<<") are not accepted.', 'Write the fields out.')
  if (RESERVED_KEYS.has(source)) throw refuse(`The key "${source}" is reserved by JavaScript.`, 'Choose another key.')
  return source
}

/** Carries a fault out of the recursion. It is always caught in this file. */
class Refused extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

function explain({ reason, mark }: YAMLException, text: string, firstLine: number): Fault {
  const position = mark?.position ?? 0
  const line = lineOf(text, position, firstLine)
  if (reason.startsWith('nesting exceeded')) return tooComplex(line)
  const start = text.lastIndexOf('\n', position - 1) + 1
  const sign = REFUSED_VALUE.exec(text.slice(start, position + 2))?.[1] as '&' | '*' | '!' | undefined
  if (sign !== undefined) return { ...REFUSED[sign], line }
  // An open quote is reported at the end of the text, or on the next line that is not indented.
  const isQuote = /quoted scalar$|^deficient indentation$/.test(reason) ? findOpenQuote(text, position) : undefined
  if (isQuote !== undefined) {
    const kind = text[isQuote] === '"' ? 'double' : 'single'
    const message = `The frontmatter is not valid YAML: the ${kind} quote here is never closed.`
    const hint = 'Close it at the end of the value, or remove it.'
    return { code: 'YAML_INVALID', line: lineOf(text, isQuote, firstLine), message, hint }
  }
  const at = reason.includes('multiline key') ? findKeyless(text, start) : position
  const hint = reason.startsWith('tab characters')
    ? 'Indent with spaces.'
    : 'Correct this line. If the value is meant as text, put it in quotes; indent what belongs to a key below it.'
  const message = `The frontmatter is not valid YAML: ${showInvisible(reason)}.`
  return { code: 'YAML_INVALID', line: lineOf(text, at, firstLine), message, hint }
}

/** Returns the position of the last quote before `end` that begins a value and that nothing closes. */
function findOpenQuote(text: string, end: number): number | undefined {
  for (let stop = end; stop > 0;) {
    const start = text.lastIndexOf('\n', stop - 1) + 1
    const [before, mark] = QUOTED_VALUE.exec(text.slice(start, stop)) ?? []
    if (before !== undefined && UNCLOSED[mark as '"' | "'"].test(text.slice(start + before.length - 1))) {
      return start + before.length - 1
    }
    stop = start - 1
  }
  return undefined
}

/** Returns where the text without a key begins that was read as a key of several lines, up to the line at `end`. */
function findKeyless(text: string, end: number): number {
  const lines = text.slice(0, end).split('\n').slice(0, -1)
  const above = lines.findLastIndex((line) => /^\s*[^\s#].*:(?:\s|$)/.test(line))
  const indent = lines[above]?.search(/\S/) ?? 0
  const index = lines.findIndex((line, at) => at > above && /^\s*[^\s#]/.test(line) && line.search(/\S/) <= indent)
  return index === -1 ? end : lines.slice(0, index).reduce((length, line) => length + line.length + 1, 0)
}

function tooComplex(line: number): Fault {
  const message = `The frontmatter is nested deeper than ${MAX_YAML_DEPTH} levels or holds more than ${MAX_YAML_NODES} values.`
  return { code: 'YAML_TOO_COMPLEX', line, message, hint: 'Keep data in a file.' }
}

function lineOf(text: string, position: number, firstLine: number): number {
  let line = firstLine
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line++
  return line
}
