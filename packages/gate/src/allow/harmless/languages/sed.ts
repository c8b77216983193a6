import type { WordCheck } from '../program.ts'

const ADDRESS = /^(?:\d+(?:~\d+)?|\$|\/(?:[^\\/\n[]|\\[^\n]|\[\^?\]?[^\]\n/\\]*\])*\/[IM]*)/
/** What stands behind the first address of a range. */
const TO = /^\s*,\s*(?:[+~]\d+|\d+|\$|\/(?:[^\\/\n[]|\\[^\n]|\[\^?\]?[^\]\n/\\]*\])*\/[IM]*)/

/** Commands without an argument: they print, delete, join, keep, swap or skip lines. */
const PLAIN = /^[=dDgGhHnNpPxz]/
/** Leaves with a status, or shows lines of a length. */
const NUMBERED = /^[qQl]\s*\d*/
/** Jumps to a label, or names one. Versions differ in where a label ends, so that nothing may follow it in its line. */
const LABEL = /^(?::|[btT])\s*(\w*)\s*(?=[\n;}]|$)/
/** Adds or replaces lines: all of the rest is text. */
const TEXT = /^[aic](?:\\\n|\s)[^\n\\]*(?=\n|$)/

/**
 * Whether a script of sed only edits the text that it is given: it reads, writes and runs nothing. Commands such as
 * `w`, `r`, `e` and the flags `w` and `e` of `s` are not harmless, and neither is what is not known here.
 */
export const isHarmlessSed: WordCheck = (script) => {
  let rest = script
  let depth = 0
  for (;;) {
    rest = rest.replace(/^[\s;]+/, '')
    if (rest === '') return depth === 0
    if (rest.startsWith('}')) {
      if (--depth < 0) return false
      rest = rest.slice(1)
      continue
    }
    rest = withoutAddresses(rest)
    if (rest.startsWith('{')) {
      depth++
      rest = rest.slice(1)
      continue
    }
    const length = lengthOfCommand(rest)
    if (length === undefined) return false
    rest = rest.slice(length)
    // What follows a command on its line is separated from it.
    if (!/^[ \t]*(?:[\n;}]|$)/.test(rest)) return false
  }
}

function withoutAddresses(script: string): string {
  const first = ADDRESS.exec(script)
  if (first === null) return script
  const behind = script.slice(first[0].length)
  return behind.slice(TO.exec(behind)?.[0].length ?? 0).replace(/^\s*(?:!\s*)?/, '')
}

function lengthOfCommand(script: string): number | undefined {
  const substitution = /^([sy])([^\n\\\w\s;])/.exec(script)
  if (substitution !== null) {
    const [, command, delimiter = ''] = substitution
    const pattern = endOf(script, 2, delimiter)
    const replacement = pattern === undefined ? undefined : endOf(script, pattern, delimiter)
    // Versions differ in whether a delimiter in brackets is one.
    if (replacement === undefined || hasOpenBracket(script.slice(2, pattern! - 1))) return undefined
    const flags = command === 'y' ? '' : /^[gpIiMm\d]*/.exec(script.slice(replacement))![0]
    return replacement + flags.length
  }
  return [PLAIN, NUMBERED, LABEL, TEXT]
    .map((form) => form.exec(script)?.[0].length)
    .find((length) => length !== undefined)
}

/** The index behind the next delimiter; undefined where there is none in the same line. */
function endOf(script: string, from: number, delimiter: string): number | undefined {
  for (let at = from; at < script.length; at++) {
    if (script[at] === '\\') at++
    else if (script[at] === delimiter) return at + 1
    else if (script[at] === '\n') return undefined
  }
  return undefined
}

function hasOpenBracket(pattern: string): boolean {
  return pattern
    .replaceAll(/\\./g, '')
    .replaceAll(/\[\^?\]?[^\]]*\]/g, '')
    .includes('[')
}
