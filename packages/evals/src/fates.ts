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
 * @param shadowed the skill whose own folder is shadowed: another skill of its name is what a model sees
 */
export function fatesOf(
  events: readonly AuditEvent[],
  names: readonly string[],
  shadowed?: { readonly skill: string; readonly reason: string },
): readonly SkillFate[] {
  const shown = events.flatMap((event) => event.shown ?? [])
  const listed = new Set(shown.flatMap(({ skills }) => skills.map(({ name }) => name)))
  const left = new Map(shown.flatMap((each) => each.left.map((skill) => [skill.name, skill] as const)))
  const isCutOff = shown.some(({ more }) => (more?.left ?? 0) > 0 || (more?.skills ?? 0) > 0)
  const searches = events.filter(({ type }) => type === 'skills.searched')
  const found = new Set(events.flatMap((event) => event.found ?? []))
  const activated = activatedSkills(events)
  const firstChange = events.findIndex(
    ({ type, tool }) => type === 'tool.started' && tool !== undefined && !READING_TOOLS.has(tool),
  )

  const fateOf = (skill: string): Omit<SkillFate, 'skill'> => {
    if (skill === shadowed?.skill) return { fate: 'shadowed', reason: shadowed.reason }
    const at = events.findIndex((event) => event.type === 'skill.activated' && event.skill?.name === skill)
    if (at !== -1) {
      if (firstChange === -1 || at < firstChange) return { fate: 'activated', reason: 'The model activated it.' }
      return {
        fate: 'activated-late',
        reason: `The model activated it after it had called ${events[firstChange]!.tool}.`,
      }
    }
    const denied = events.find((event) => event.type === 'skill.denied' && event.skill?.name === skill)
    if (denied !== undefined) {
      return { fate: 'refused', reason: `${denied.code ?? 'Aborted'}: ${denied.reason ?? denied.error ?? 'no reason'}` }
    }
    if (listed.has(skill) || found.has(skill)) {
      const others = activated.filter((name) => name !== skill)
      if (others.length > 0) return { fate: 'another-chosen', reason: `The model chose ${others.join(', ')} instead.` }
      return { fate: 'listed', reason: 'The model saw it and activated no skill.' }
    }
    const why = left.get(skill)
    const fate = why === undefined ? (isCutOff ? 'cut' : undefined) : (LEFT[why.why] ?? 'unavailable')
    if (fate === 'cut' && searches.length > 0) {
      return {
        fate: 'not-found',
        reason: `The list had no room for it, and ${searches.length} searches did not find it.`,
      }
    }
    if (fate !== undefined) return { fate, reason: why?.reason ?? 'The list had no room for it.' }
    if (shown.length === 0) return { fate: 'not-shown', reason: 'The run ended before the model was shown a skill.' }
    return { fate: 'not-installed', reason: 'No source has a skill of this name.' }
  }
  const all = new Set([...names, ...listed, ...left.keys(), ...activated])
  return [...all].map((skill) => ({ skill, ...fateOf(skill) }))
}

/** Returns the skills that were activated, in order. */
export function activatedSkills(events: readonly AuditEvent[]): readonly string[] {
  const names = events.flatMap(({ type, skill }) =>
    type === 'skill.activated' && skill !== undefined ? skill.name : [],
  )
  return [...new Set(names)]
}
