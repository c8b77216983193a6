import { listedDescription } from '../../disclosure/listing.ts'
import type { Outcome, ToolCall } from '@repertoire/gate/internal'
import { inputProblem } from '../../tools/input.ts'
import { foundText, MAX_FOUND, MAX_PHRASES } from '../../tools/definitions.ts'
import { failureReason } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { SkillCallScope } from '../requested-skill.ts'
import type { SessionProblem } from '../../ports/problem.ts'
import type { SkillSearch } from '../../catalog/searcher.ts'

/**
 * Carries out a call of the tool that finds skills. It shows nothing but what the session's list may show.
 * @throws the signal's reason
 */
export async function searchSkills(scope: SkillCallScope, call: ToolCall, signal: AbortSignal): Promise<Outcome> {
  const { toolNames, search, audit, reportProblem } = scope.context
  const active = scope.active()
  const queries = readQueries(toolNames.search, call.input)
  if (typeof queries === 'string') return refuse.inputInvalid(queries)
  const { hits, diagnostics } = await search(queries, { limit: MAX_FOUND, signal })
  reportIncomplete(diagnostics, reportProblem)
  // The catalog may have been reloaded since: what is gone cannot be activated.
  const skills = hits.flatMap(({ name }) => scope.view.find(name) ?? [])
  const found = skills.map(({ name }) => name)
  // Recorded before the model is told.
  const unaudited = await audit?.recordIntent({ type: 'skills.searched', outcome: 'succeeded', active, call, found })
  if (unaudited !== undefined) return unaudited
  const value = skills.map(({ name, manifest }) => ({ name, description: listedDescription(manifest) }))
  const names = new Set(active.map(({ name }) => name))
  return { ok: true, value, text: foundText(skills, names, toolNames) }
}

/** Returns the phrases of an input, or what is wrong with it. */
function readQueries(tool: string, input: unknown): readonly string[] | string {
  const wrong = inputProblem(tool, input)
  if (wrong !== undefined) return wrong
  const { queries } = input as { readonly queries?: unknown }
  const example = `Give 1 to ${MAX_PHRASES} phrases, such as {"queries": ["fill PDF form fields"]}.`
  if (!Array.isArray(queries) || !queries.every((query) => typeof query === 'string')) {
    return `\`queries\` of \`${tool}\` must be a list of strings. ${example}`
  }
  if (queries.every((query) => query.trim() === '')) return `\`queries\` of \`${tool}\` is empty. ${example}`
  return queries.length <= MAX_PHRASES
    ? queries
    : `\`queries\` of \`${tool}\` has ${queries.length} phrases. ${example}`
}

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
