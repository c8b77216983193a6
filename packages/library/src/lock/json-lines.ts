/** What is wrong with a text as JSON, with its 1-based line. */
export interface JsonFault {
  readonly line: number
  readonly reason: string
}

/** The lines on which keys stand, by their path: `skills\npdf`. */
export type KeyLines = ReadonlyMap<string, number>

const SPACE = /[ \t\n\r]*/y
// Each character can match in one way only: a text that is cut in the middle is refused in linear time.
const TEXT = /"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*"/y // eslint-disable-line no-control-regex
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?:[ \r\n]|$)/m
const MAX_DEPTH = 64

/**
 * Reads where keys stand in a JSON text, or where it is not one. Stricter than `JSON.parse`, which takes the last of two
 * equal keys without a word, as a merge may leave them.
 */
export function readKeyLines(text: string): { readonly lines: KeyLines } | { readonly fault: JsonFault } {
  const conflict = CONFLICT.exec(text)
  if (conflict !== null) {
    return {
      fault: { line: lineAt(text, conflict.index), reason: 'it holds the marks of a merge that is not finished' },
    }
  }
  if (text.startsWith('\uFEFF')) return { fault: { line: 1, reason: 'it begins with a byte order mark' } }
  const lines = new Map<string, number>()
  let at = 0
  /** The line that was counted last, since keys come in their order: each line is counted once. */
  let counted = { line: 1, next: text.indexOf('\n') }
  const lineHere = (): number => {
    while (counted.next !== -1 && counted.next < at) {
      counted = { line: counted.line + 1, next: text.indexOf('\n', counted.next + 1) }
    }
    return counted.line
  }
  const take = (expression: RegExp): string | undefined => {
    expression.lastIndex = at
    const found = expression.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const takeMark = (mark: string): boolean => {
    take(SPACE)
    if (text[at] !== mark) return false
    at++
    return true
  }
  const fail = (reason: string): never => {
    throw new Fault({ line: lineHere(), reason })
  }
  const value = (path: string, depth: number): void => {
    if (depth > MAX_DEPTH) fail('it is nested too deeply')
    if (takeMark('{')) {
      const keys = new Set<string>()
      if (takeMark('}')) return
      do {
        take(SPACE)
        const line = lineHere()
        const key = take(TEXT) ?? fail(broken(text, at))
        const name = JSON.parse(key) as string
        if (keys.has(name)) fail(`it has the key ${key} twice`)
        keys.add(name)
        const below = path === '' ? name : `${path}\n${name}`
        if (depth < 2) lines.set(below, line)
        if (!takeMark(':')) fail(broken(text, at))
        value(below, depth + 1)
      } while (takeMark(','))
      if (!takeMark('}')) fail(broken(text, at))
    } else if (takeMark('[')) {
      if (takeMark(']')) return
      do value(`${path}\n`, depth + 1)
      while (takeMark(','))
      if (!takeMark(']')) fail(broken(text, at))
    } else if (take(TEXT) === undefined && take(PLAIN) === undefined) {
      fail(broken(text, at))
    }
  }
  try {
    value('', 0)
    take(SPACE)
    if (at < text.length) fail('there is more text behind its end')
    return { lines }
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault }
    throw error
  }
}

/** Leaves the reading of nested values at once. */
class Fault extends Error {
  readonly fault: JsonFault

  constructor(fault: JsonFault) {
    super(fault.reason)
    this.fault = fault
  }
}

function broken(text: string, at: number): string {
  return at >= text.length ? 'it ends in the middle' : 'it is not JSON from there on'
}

function lineAt(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++
  return line
}
