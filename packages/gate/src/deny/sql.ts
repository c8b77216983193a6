import { quote } from '@repertoire/skill-md/internal'
import { isSinglePlainStatement } from '../shell/programs/sql.ts'
import { deniedByAll, type DenialCheck } from './denial.ts'
import { denyText } from './text.ts'

/**
 * Checks SQL. A pattern means what it matches, and any statement with the word that the pattern begins with, wherever it
 * stands. What is not certainly one statement of known words may hold anything.
 */
export function denySql(value: string): DenialCheck {
  if (!isSinglePlainStatement(value)) {
    return deniedByAll(
      `${quote(value)} is not certainly a single statement of which every word is known`,
      'Give one statement, without comments and without functions that do more than compute.',
    )
  }
  const matches = denyText(value)
  const words = new Set(value.toLowerCase().match(/[\p{L}\p{N}_]+/gu))
  return (pattern) => {
    const denial = matches(pattern)
    if (denial !== undefined) return denial
    const first = /^[\s(]*([\p{L}\p{N}_]+)/u.exec(pattern.toLowerCase())?.[1]
    if (first === undefined || !words.has(first)) return undefined
    return { why: `${quote(value)} may match it` }
  }
}
