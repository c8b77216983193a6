import type { AuditEventType } from '../../audit/events.ts'
import type { NamedSkill } from './draft.ts'

/** How long activations take, and how long skills are active. */
export interface Durations {
  /**
   * Notes what begins with an event, and returns in milliseconds how long what ends with it took; undefined where
   * nothing ends, or the beginning is not known.
   * @param at milliseconds since 1970
   */
  ofEvent(type: AuditEventType, skill: NamedSkill | undefined, at: number): number | undefined
}

/** Creates the durations of one session. */
export function createDurations(): Durations {
  const activatingSince = new Map<string, number>()
  return {
    ofEvent(type, skill, at) {
      if (skill === undefined) return undefined
      const { name } = skill
      if (type === 'skill.activating') activatingSince.set(name, at)
      // The beginning is in the state: the session may have been saved since, and opened in another process.
      if (type === 'skill.deactivated') return elapsed(skill.since, at)
      if (type !== 'skill.activated') return undefined
      const began = activatingSince.get(name)
      activatingSince.delete(name)
      return elapsed(began, at)
    },
  }
}

function elapsed(began: number | undefined, at: number): number | undefined {
  return began === undefined ? undefined : Math.max(0, at - began)
}
