import type { Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { nameCodePoint, excerpt } from '../text/hidden.ts'
import type { Fault } from '../diagnostics.ts'
import { type YamlEntry, type YamlMap, type YamlNode, type YamlReader, type YamlScalar, unclosedQuote } from './tree.ts'
import { MAX_YAML_DEPTH, MAX_YAML_TOKENS } from '../ports/limits.ts'

/** The `yaml` package, passed as an argument because loading it takes longer than reading a hundred manifests. */
export type YamlLibrary = typeof import('yaml')

/** YAML features beyond plain data. No manifest needs them, and all of them have been used to attack YAML readers. */
const REFUSED: ReadonlyMap<string, Omit<Fault, 'line'>> = new Map([
  [
    'anchor',
    { code: 'YAML_ALIAS', message: 'Anchors ("&name") are not accepted.', hint: 'Write the value out, or quote it.' },
  ],
  [
    'alias',
    { code: 'YAML_ALIAS', message: 'Aliases ("*name") are not accepted.', hint: 'Write the value out, or quote it.' },
  ],
  [
    'tag',
    { code: 'YAML_TAG', message: 'Tags ("!name") are not accepted.', hint: 'Remove the tag, or quote the value.' },
  ],
  [
    'directive-line',
    { code: 'YAML_DIRECTIVE', message: 'Directives ("%…") are not accepted.', hint: 'Remove the line.' },
  ],
  ['doc-start', { code: 'YAML_DOCUMENTS', message: 'A second YAML document begins here.', hint: 'Keep one document.' }],
  ['doc-end', { code: 'YAML_DOCUMENTS', message: 'The line "..." ends the document.', hint: 'Remove the line.' }],
] as const)

/** Tokens that begin with a quote, whether or not another one closes it. */
const QUOTED: ReadonlySet<string> = new Set(['single-quoted-scalar', 'double-quoted-scalar'])

/** What the library says of a quoted value that no quote closes. */
const UNCLOSED = /^Missing closing ["']quote/

/** Keys that reach an object's prototype when a value is assigned to them. */
const RESERVED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const NOT_TEXT = /[\0\p{Cs}]/u

interface Tokens<Token> {
  readonly tokens: readonly Token[]
  /** Where the quoted value begins with which the text ends: the library tells only where the closing quote lacks. */
  readonly openQuote: number | undefined
}

export function createYamlReader(library: YamlLibrary): YamlReader {
  const { Composer, CST, Lexer, Parser, isMap, isScalar, isSeq } = library
  type Token = Parameters<InstanceType<typeof Composer>['next']>[0]

  return (text, firstLine) => {
    const lineAt = lineCounter(text, firstLine)
    try {
      const { tokens, openQuote } = tokenize(text, lineAt)
      // Without `uniqueKeys`: the composer compares every pair of keys. `convertMap` uses a map instead.
      const composer = new Composer({ version: '1.2', schema: 'core', merge: false, uniqueKeys: false, strict: true })
      const [document] = composer.compose(tokens, true, text.length)
      const error = document?.errors[0]
      if (error !== undefined) {
        const isQuote = openQuote !== undefined && error.pos[0] === text.length && UNCLOSED.test(error.message)
        if (isQuote) throw new Refused(unclosedQuote(text[openQuote]!, lineAt(openQuote)))
        throw new Refused({ code: 'YAML_INVALID', line: lineAt(error.pos[0]), ...explain(error) })
      }
      return { root: convert(document?.contents ?? null, lineAt, 0) }
    } catch (error) {
      if (error instanceof Refused) return { fault: error.fault }
      throw error
    }
  }

  /** Throws at the first refused token, so that excessive depth or length never reaches the composer. */
  function tokenize(text: string, lineAt: (offset: number) => number): Tokens<Token> {
    const parser = new Parser()
    const tokens: Token[] = []
    let count = 0
    let content = false
    let openQuote: number | undefined
    for (const lexeme of new Lexer().lex(text)) {
      const type: string | null = content ? 'content' : CST.tokenType(lexeme)
      // The lexer yields a marker before the text of each scalar; that text may look like any token.
      content = type === 'scalar'
      const refused = REFUSED.get(type ?? '')
      if (refused !== undefined) throw new Refused({ ...refused, line: lineAt(parser.offset) })
      if (QUOTED.has(type ?? '') && parser.offset + lexeme.length === text.length) openQuote = parser.offset
      tokens.push(...parser.next(lexeme))
      // The stack holds the document, the open collections, and at most one scalar.
      if (++count > MAX_YAML_TOKENS || parser.stack.length > MAX_YAML_DEPTH + 2) {
        const message = `The frontmatter is nested deeper than ${MAX_YAML_DEPTH} levels or holds more than ${MAX_YAML_TOKENS} tokens.`
        throw new Refused({
          code: 'YAML_TOO_COMPLEX',
          line: lineAt(parser.offset),
          message,
          hint: 'Keep data in a file.',
        })
      }
    }
    tokens.push(...parser.end())
    return { tokens, openQuote }
  }

  function convert(node: Node | null, lineAt: (offset: number) => number, offset: number): YamlNode {
    const at = node?.range?.[0] ?? offset
    const line = lineAt(at)
    if (isMap(node)) return convertMap(node, lineAt, at)
    if (isSeq(node)) {
      return {
        kind: 'list',
        line,
        items: (node as YAMLSeq<Node | null>).items.map((item) => convert(item, lineAt, at)),
      }
    }
    return isScalar(node) ? convertScalar(node, line) : { kind: 'scalar', line, value: null, source: '', plain: true }
  }

  function convertMap(map: YAMLMap, lineAt: (offset: number) => number, offset: number): YamlMap {
    const seen = new Map<string, number>()
    const entries: YamlEntry[] = []
    for (const pair of map.items as Pair<Node, Node | null>[]) {
      const at = pair.key.range?.[0] ?? offset
      const line = lineAt(at)
      const key = readKey(pair.key, line)
      const firstLine = seen.get(key)
      if (firstLine !== undefined) {
        const message = `The key ${excerpt(key)} is already on line ${firstLine}.`
        throw new Refused({ code: 'YAML_KEY_DUPLICATE', line, message, hint: 'Keep one of the two.' })
      }
      seen.set(key, line)
      entries.push({ key, line, value: convert(pair.value, lineAt, at) })
    }
    return { kind: 'map', line: lineAt(offset), entries }
  }

  function readKey(node: Node, line: number): string {
    const refuse = (message: string, hint: string) => new Refused({ code: 'YAML_KEY_INVALID', line, message, hint })
    if (!isScalar(node)) throw refuse('A list or a mapping is in the place of a key.', 'Use text as the key.')
    const key = convertScalar(node, line).source
    if (key === '<<') throw refuse('Merge keys ("<<") are not accepted.', 'Write the fields out.')
    if (RESERVED_KEYS.has(key)) throw refuse(`The key "${key}" is reserved by JavaScript.`, 'Choose another key.')
    return key
  }
}

function convertScalar(scalar: Scalar, line: number): YamlScalar {
  const value = scalar.value as YamlScalar['value']
  const source = scalar.source ?? ''
  if (scalar.type === 'QUOTE_DOUBLE') {
    const match = NOT_TEXT.exec(source)
    if (match !== null) {
      const message = `A value holds ${nameCodePoint(match[0])}, written as an escape.`
      throw new Refused({ code: 'ENCODING_INVALID', line, message, hint: 'Remove the escape.' })
    }
  }
  return { kind: 'scalar', line, value, source, plain: scalar.type === 'PLAIN' }
}

/** Carries a fault out of the recursion. It is always caught in this file. */
class Refused extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

function explain({
  code,
  message,
}: {
  readonly code: string
  readonly message: string
}): Pick<Fault, 'message' | 'hint'> {
  const hint =
    code === 'TAB_AS_INDENT'
      ? 'Indent with spaces.'
      : 'Correct this line. If the value is meant as text, put it in quotes; indent what belongs to a key below it.'
  return { message: `The frontmatter is not valid YAML: ${message}.`, hint }
}

function lineCounter(text: string, firstLine: number): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle
    }
    return firstLine + low
  }
}
