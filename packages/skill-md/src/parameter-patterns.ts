import type { PatternChecker } from './fields/trigger-pattern.ts'
import type { PatternPlace } from './parameter-schema.ts'
import { quote } from './text/quote.ts'

/** Returns why the patterns of a skill's parameters cannot be used, as the end of a sentence; undefined where they can. */
export function patternProblem(places: readonly PatternPlace[], check: PatternChecker): string | undefined {
  const checked = check(places.map(({ pattern }) => pattern))
  if (checked.length < places.length) return `have more than ${checked.length} patterns`
  for (const [index, { pattern }] of places.entries()) {
    const result = checked[index]!
    if ('problem' in result) return `have a pattern ${quote(pattern)} that ${result.problem}`
  }
  return undefined
}
