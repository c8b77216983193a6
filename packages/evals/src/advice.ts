import type { EvalCase } from './eval-case.ts'
import type { Fate, SkillFate } from './fates.ts'

const COMMON = new Set(
  'about after again also because been before being could does doing done from have here into just like make many more most much need please should some than that their them then there these they this those want what when where which will with would write your'.split(
    ' ',
  ),
)
const MAX_WORDS = 6

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
 * @param describe returns the description of a skill
 */
export function adviceFor(
  { prompt, skill, shouldTrigger }: Pick<EvalCase, 'prompt' | 'skill' | 'shouldTrigger'>,
  fate: SkillFate,
  describe: (skill: string) => string | undefined,
  activated: readonly string[],
): string | undefined {
  if (skill === undefined) return undefined
  const own = describe(skill) ?? ''
  if (shouldTrigger === false) {
    if (!activated.includes(skill)) return undefined
    const shared = words(prompt).filter((word) => stems(own).has(stem(word)))
    return `Say in the description when not to use it. It shares with the prompt: ${shared.slice(0, MAX_WORDS).join(', ') || 'no word'}.`
  }
  const lacking = words(prompt).filter((word) => !stems(own).has(stem(word)))
  const lacks = lacking.length === 0 ? '' : ` The description lacks: ${lacking.slice(0, MAX_WORDS).join(', ')}.`
  if (fate.fate === 'listed' || fate.fate === 'not-found')
    return `Use the words of the prompt in the description.${lacks}`
  if (fate.fate !== 'another-chosen') return ADVICE[fate.fate]
  const taker = activated.find((name) => name !== skill) ?? ''
  const theirs = lacking.filter((word) => stems(describe(taker) ?? '').has(stem(word)))
  const has = theirs.length === 0 ? '' : ` That of ${taker} has: ${theirs.slice(0, MAX_WORDS).join(', ')}.`
  return `Say in both descriptions which tasks are whose.${lacks}${has}`
}

function words(text: string): readonly string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}-]{3,40}/gu) ?? []
  return [...new Set(found)].filter((word) => !COMMON.has(word))
}

function stems(text: string): ReadonlySet<string> {
  return new Set(words(text).map(stem))
}

function stem(word: string): string {
  return word.replace(/(?:ing|ed|es|s)$/, '')
}
