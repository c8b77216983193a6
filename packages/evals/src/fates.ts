import type { AuditEvent } from '@repertoire/core'
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

const LEFT: Readonly<Record<string, Fate>> = {
  cut: 'cut',
  shadowed: 'shadowed',
  hidden: 'hidden',
  'not-matched': 'cut',
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
  const searches = events.filter(({ type }) => type === 'skills.searched').length
  const activated = activatedSkills(events)
  const firstChange = events.find(
    ({ type, tool }) => type === 'tool.started' && tool !== undefined && !READING_TOOLS.has(tool),
  )

  const fateOf = (skill: string): readonly [fate: Fate, reason: string] => {
    const find = (type: AuditEvent['type']) =>
      events.find((event) => event.type === type && event.skill?.name === skill)
    const activation = find('skill.activated')
    if (activation !== undefined) {
      const isLate = firstChange !== undefined && events.indexOf(firstChange) < events.indexOf(activation)
      return isLate
        ? ['activated-late', `The model activated it after it had called ${firstChange.tool}.`]
        : ['activated', 'The model activated it.']
    }
    const denied = find('skill.denied')
    if (denied !== undefined) {
      return ['refused', `${denied.code ?? 'Aborted'}: ${denied.reason ?? denied.error ?? 'no reason'}`]
    }
    if (seen.has(skill)) {
      return activated.length === 0
        ? ['listed', 'The model saw it and activated no skill.']
        : ['another-chosen', `The model chose ${activated.join(', ')} instead.`]
    }
    const why = left.get(skill)
    if (why === undefined && shown.length === 0) {
      return ['not-shown', 'The run ended before the model was shown a skill.']
    }
    if (why === undefined && !isCutOff) return ['not-installed', 'No source has a skill of this name.']
    const fate = why === undefined ? 'cut' : (LEFT[why.why] ?? 'unavailable')
    return fate === 'cut' && searches > 0
      ? ['not-found', `The list had no room for it, and ${searches} searches did not find it.`]
      : [fate, why?.reason ?? 'The list had no room for it.']
  }
  return [...new Set([...names, ...seen, ...left.keys(), ...activated])].map((skill) => {
    const [fate, reason] = fateOf(skill)
    return { skill, fate, reason }
  })
}

/** Returns the skills that were activated, in order. */
export function activatedSkills(events: readonly AuditEvent[]): readonly string[] {
  const names = events.flatMap(({ type, skill }) =>
    type === 'skill.activated' && skill !== undefined ? skill.name : [],
  )
  return [...new Set(names)]
}
