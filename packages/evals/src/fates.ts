import type { AuditEvent } from '@repertoire/core'
import { createWordReader } from '@repertoire/core/internal'
import type { EvalCase } from './eval-case.ts'
import { READING_TOOLS } from './workspace.ts'

/** What became of a skill in a run. All but `activated` are misses. */
export type Fate =
  | 'activated'
  /** Activated after the model had changed something. */
  | 'activated-late'
  | 'refused'
  /** The model saw it and activated another skill. */
  | 'another-chosen'
  /** The model saw it and activated no skill. */
  | 'listed'
  /** It was not in the list, and the model's searches did not find it. */
  | 'not-found'
  /** The list had no room for it, and the model did not search. */
  | 'cut'
  | 'shadowed'
  | 'hidden'
  /** It is broken, a draft, or not admitted. */
  | 'unavailable'
  | 'not-installed'
  /** The run ended before the model was shown anything. */
  | 'not-shown'

/** The fate of a skill, and why. */
export interface SkillFate {
  readonly skill: string
  readonly fate: Fate
  readonly reason: string
}

/**
 * Returns the fate of each skill, from the audit of a run.
 * @param names skills to report although no event names them
 */
export function fatesOf(events: readonly AuditEvent[], names: readonly string[]): readonly SkillFate[] {
  const shown = events.flatMap((event) => event.shown ?? [])
  const seen = new Set(shown.flatMap(({ skills }) => skills.map(({ name }) => name)))
  for (const name of events.flatMap((event) => event.found ?? [])) seen.add(name)
  const left = new Map(shown.flatMap((each) => each.left.map((skill) => [skill.name, skill] as const)))
  const isCutOff = shown.some(({ more }) => (more?.left ?? 0) > 0 || (more?.skills ?? 0) > 0)
  const isSearched = events.some(({ type }) => type === 'skills.searched')
  const activated = activatedSkills(events)
  const firstChange = events.find(
    ({ type, tool }) => type === 'tool.started' && tool !== undefined && !READING_TOOLS.has(tool),
  )

  const fateOf = (skill: string): readonly [fate: Fate, reason: string] => {
    const own = events.filter((event) => event.skill?.name === skill)
    const activation = own.find(isUse)
    if (activation !== undefined) {
      const isLate = firstChange !== undefined && events.indexOf(firstChange) < events.indexOf(activation)
      return isLate
        ? ['activated-late', `The model called ${firstChange.tool} before it had read the skill.`]
        : ['activated', 'The model activated it.']
    }
    const denied = own.find(({ type }) => type === 'skill.denied')
    if (denied !== undefined)
      return ['refused', `${denied.code ?? 'Aborted'}: ${denied.reason ?? denied.error ?? 'no reason'}`]
    if (seen.has(skill) && activated.length > 0)
      return ['another-chosen', `The model chose ${activated.join(', ')} instead.`]
    if (seen.has(skill)) return ['listed', 'The model saw it and activated no skill.']
    const why = left.get(skill)
    if (why === undefined && shown.length === 0)
      return ['not-shown', 'The run ended before the model was shown a skill.']
    if (why === undefined && !isCutOff) return ['not-installed', 'No source has a skill of this name.']
    const reason = why?.reason ?? 'The list had no room for it.'
    if (why?.why === 'shadowed' || why?.why === 'hidden') return [why.why, reason]
    if (why !== undefined && why.why !== 'cut' && why.why !== 'not-matched') return ['unavailable', reason]
    return isSearched ? ['not-found', 'The list had no room for it, and no search found it.'] : ['cut', reason]
  }
  return [...new Set([...names, ...seen, ...left.keys(), ...activated])].map((skill) => {
    const [fate, reason] = fateOf(skill)
    return { skill, fate, reason }
  })
}

export function activatedSkills(events: readonly AuditEvent[]): readonly string[] {
  return [...new Set(events.flatMap((event) => (isUse(event) && event.skill !== undefined ? event.skill.name : [])))]
}

/** Scripts, templates and plans are executed, and never active. */
function isUse({ type }: AuditEvent): boolean {
  return type === 'skill.activated' || type === 'execution.started'
}

const ADVICE: Readonly<Partial<Record<Fate, string>>> = {
  'activated-late': 'Say in the description that the skill comes before the work: "Use before you …".',
  cut: 'Raise the budget of the list, shorten descriptions, or hide skills that this agent does not need.',
  shadowed: 'Rename one of the two skills, or give this one the higher layer or priority.',
  hidden: 'Check the scope of the skill and the allowlist of the session.',
  refused: 'Check who answers the request for consent, and what the skill asks for.',
  unavailable: 'Run "repertoire explain" with its name.',
  'not-installed': 'Install the skill, or correct the name in the eval file.',
}

/**
 * Says what could help a case whose skill was not used as it should have been; undefined if nothing is known.
 * @param description of the skill
 */
export function adviceFor(
  { prompt, shouldTrigger }: Pick<EvalCase, 'prompt' | 'shouldTrigger'>,
  { skill, fate }: SkillFate,
  description: string,
  activated: readonly string[],
): string | undefined {
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
