import { isObject } from '@repertoire/skill-md/internal'

const AROUND = 40

/** Returns the first difference of two JSON values, for a person: where, and what is on the tape and in the request. */
export function difference(tape: unknown, now: unknown, at = ''): string | undefined {
  if (Object.is(tape, now)) return undefined
  if (typeof tape === 'string' && typeof now === 'string') {
    let same = 0
    while (tape[same] === now[same]) same++
    return said(at, around(tape, same), around(now, same))
  }
  if (Array.isArray(tape) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(tape.length, now.length); index++) {
      const found = index >= tape.length || index >= now.length
      if (found) return said(`${at}[${index}]`, shown(tape[index]), shown(now[index]))
      const inner = difference(tape[index], now[index], `${at}[${index}]`)
      if (inner !== undefined) return inner
    }
    return undefined
  }
  if (isObject(tape) && isObject(now)) {
    for (const key of new Set([...Object.keys(tape), ...Object.keys(now)])) {
      const inner = difference(tape[key], now[key], at === '' ? key : `${at}.${key}`)
      if (inner !== undefined) return inner
    }
    return undefined
  }
  return said(at, shown(tape), shown(now))
}

function said(at: string, tape: string, now: string): string {
  return `${at || 'the body'} differs. On the tape: ${tape}. Now: ${now}`
}

function around(text: string, at: number): string {
  const from = Math.max(0, at - AROUND)
  const to = at + AROUND
  return JSON.stringify(`${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`)
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 2 * AROUND ? `${text.slice(0, 2 * AROUND)}…` : text
}
