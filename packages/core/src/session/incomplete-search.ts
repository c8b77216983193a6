import type { SessionProblem } from '../ports/problem.ts'
import { failureReason } from './refusal.ts'
import type { SkillSearch } from '../catalog/searcher.ts'

/** Reports what a search could not look at. */
export function reportIncomplete(
  diagnostics: SkillSearch['diagnostics'],
  reportProblem: (problem: SessionProblem) => void,
): void {
  const [first, ...more] = diagnostics
  if (first === undefined) return
  const rest =
    more.length === 0 ? '' : ` There are ${more.length} more of this kind: search the catalog to see them all.`
  reportProblem({ code: 'SEARCH_INCOMPLETE', message: failureReason(`${first.message}${rest}`) })
}
