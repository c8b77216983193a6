import { quote } from '../../text/quote.ts'
import { MAX_INNER_COMMANDS } from '../limits.ts'
import { readCommandPattern } from './command-pattern.ts'
import { findProgram } from './programs/programs.ts'
import { innerCommandIndexes } from './unwrap.ts'

/** What a rule may hand out beyond its words: code, or what is not known. */
type Risk = 'runs-code' | 'unknown'

/**
 * What a rule's pattern for commands hands out beyond its words. A rule with exactly the words of a command hands out
 * nothing else, unless the program runs code by its nature.
 */
export function riskOf(pattern: string): Risk | undefined {
  if (pattern === '*') return 'runs-code'
  const rule = readCommandPattern(pattern)
  // Such a rule covers nothing.
  if (rule === undefined) return undefined
  const risk = programRisk(rule.words[0]!) ?? innerRisk(rule.words)
  return risk === 'unknown' && !rule.isPrefix ? undefined : risk
}

/** The risk of what a program is told to run: `timeout 5 make`. */
function innerRisk(words: readonly string[]): Risk | undefined {
  for (let rest = words, depth = 0; depth <= MAX_INNER_COMMANDS; depth++) {
    const wraps = findProgram(rest[0]!)?.wraps
    const index = wraps && innerCommandIndexes(rest, wraps).at(-1)
    if (index === undefined) return undefined
    rest = rest.slice(index)
    const risk = programRisk(rest[0]!)
    if (risk !== undefined) return risk
  }
  return 'unknown'
}

/** Why a program is not one that is known not to run code, as a clause. */
export function programProblem(word: string): string | undefined {
  const risk = programRisk(word)
  if (risk === undefined) return undefined
  const why = risk === 'runs-code' ? 'runs code by its nature' : 'is not a program that is known here'
  return `${quote(word)} ${why}, and the host's policy permits such programs only by a rule with exactly these words`
}

function programRisk(word: string): Risk | undefined {
  const program = findProgram(word)
  if (program?.runsCode === true) return 'runs-code'
  // A path may name any program.
  return program === undefined || program.optionsUnknown === true || /[/\\]/.test(word) ? 'unknown' : undefined
}
