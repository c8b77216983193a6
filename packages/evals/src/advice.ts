import { createWordReader } from '@repertoire/core/internal'
import type { EvalCase } from './eval-case.ts'
import type { Fate, SkillFate } from './fates.ts'

const ADVICE: Readonly<Partial<Record<Fate, string>>> = {
  'activated-late': 'Say in the description that the skill comes before the work: "Use before you …".',
  cut: 'Raise the budget of the list, shorten descriptions, or hide skills that this agent does not need.',
  shadowed: 'Rename one of the two skills, or give this one the higher layer or priority.',
  hidden: 'Check the scope of the skill and the allowlist of the session.',
  refused: 'Check who answers the request for consent, and what the skill asks for.',
  unavailable: 'Run "repertoire explain" with its name.',
  'not-installed': 'Install the skill, or correct the name in the eval file.',
  'not-shown': 'See the error of the run.',
}

/**
 * Says what could help a case whose skill was not used as it should have been; undefined if nothing is known.
 * @param description of the skill
 */
export function adviceFor(
  { prompt, skill, shouldTrigger }: Pick<EvalCase, 'prompt' | 'skill' | 'shouldTrigger'>,
  { fate }: SkillFate,
  description: string,
  activated: readonly string[],
): string | undefined {
  if (skill === undefined) return undefined
  if (shouldTrigger === false)
    return activated.includes(skill) ? 'Say in its description when not to use it.' : undefined
  const { terms, words } = createWordReader()
  const own = new Set(terms(description))
  const lacking = words(prompt).filter(({ term }) => term !== '' && !own.has(term))
  const shown = [...new Set(lacking.map(({ word }) => word))].slice(0, 6)
  const lacks = shown.length === 0 ? '' : ` The description lacks: ${shown.join(', ')}.`
  if (fate === 'listed' || fate === 'not-found') return `Use the words of the prompt in the description.${lacks}`
  return fate === 'another-chosen' ? `Say in both descriptions which tasks are whose.${lacks}` : ADVICE[fate]
}
