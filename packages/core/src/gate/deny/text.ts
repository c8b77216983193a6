import { MAX_PATTERN_CHARS, matchText } from '../glob.ts'
import { MAX_TEXT_CHARS } from '../text.ts'
import { quote } from '../wording.ts'
import type { Denier } from './denial.ts'

/** A plain string. Case, the form of Unicode and blanks at the ends tell nothing apart here. */
export function denyText(value: string): Denier {
  if (value.length > MAX_TEXT_CHARS) return () => ({ why: 'its argument is longer than 10,000 characters' })
  const text = fold(value)
  return (pattern) => {
    if (pattern.length > MAX_PATTERN_CHARS) return { why: 'the pattern is too long to tell what it means' }
    const wanted = fold(pattern.endsWith(':*') ? `${pattern.slice(0, -':*'.length)}*` : pattern)
    return matchText(wanted, text) ? { why: `${quote(value)} is what it means` } : undefined
  }
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}
