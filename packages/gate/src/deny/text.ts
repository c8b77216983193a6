import { quote, normalForm } from '@repertoire/skill-md/internal'
import { asGlob, matchText } from '../glob.ts'
import { isLongerThan, MAX_PATTERN_CHARS, MAX_TEXT_CHARS } from '../limits.ts'
import { deniedByAll, type DenialCheck } from './denial.ts'

/** Checks a plain string. Case, the form of Unicode and blanks at the ends make no difference here. */
export function denyText(value: string): DenialCheck {
  if (value.length > MAX_TEXT_CHARS) return deniedByAll(`its argument ${isLongerThan(MAX_TEXT_CHARS)}`)
  const text = fold(value)
  return (pattern) => {
    if (pattern.length > MAX_PATTERN_CHARS) return { why: 'the pattern is too long to be matched' }
    const wanted = fold(asGlob(pattern))
    return matchText(wanted, text) ? { why: `${quote(value)} matches it` } : undefined
  }
}

function fold(text: string): string {
  return normalForm(text, 'NFKC').toLowerCase().trim()
}
