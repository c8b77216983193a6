import type { AuditEventType } from '../../audit/events.ts'

/** How long activations take, and how long skills are active. */
export interface Durations {
  /**
   * Notes what begins with an event, and returns in milliseconds how long what ends with it took; undefined where
   * nothing ends, or the beginning is not known.
   * @param skill the skill's name
   * @param at milliseconds since 1970
   */
  ofEvent(type: AuditEventType, skill: string | undefined, at: number): number | undefined
}

/** Creates the durations of one session. */
export function createDurations(): Durations {
  const activatingSince = new Map<string, number>()
  const activeSince = new Map<string, number>()
  return {
    ofEvent(type, skill, at) {
      if (skill === undefined) return undefined
      if (type === 'skill.activating') activatingSince.set(skill, at)
      if (type === 'skill.activated') {
        activeSince.set(skill, at)
        return takeElapsed(activatingSince, skill, at)
      }
      return type === 'skill.deactivated' ? takeElapsed(activeSince, skill, at) : undefined
    },
  }
}

function takeElapsed(since: Map<string, number>, name: string, at: number): number | undefined {
  const began = since.get(name)
  since.delete(name)
  return began === undefined ? undefined : Math.max(0, at - began)
}
