import type { InspectedSkill } from './inspect.ts'
import { notInvocable } from '../turn/invocation.ts'
import { type Refused, refused } from '../calls/refusal.ts'
import { depthOf, type SessionState } from '../state/state.ts'

/** Who wants an activation, and what they can do with it. */
export interface Activator {
  readonly by: 'model' | 'person'
  /** Whether there is something that runs a sub-agent. */
  readonly forks: boolean
}

/** How deep forks nest: a fork in a fork in a fork. */
const MAX_FORK_DEPTH = 3

/**
 * Why a skill cannot be activated, by what its manifest says now, which may be newer than the catalog. Told before
 * anybody is asked and before anything runs; undefined where there is nothing against it.
 */
export function activationRefusal(
  { skill: { name }, manifest }: InspectedSkill,
  { by, forks }: Activator,
  state: SessionState,
): Refused | undefined {
  if (by === 'person' && !manifest.userInvocable) return notInvocable(name)
  if (by === 'model' && manifest.disableModelInvocation) {
    return refused({
      code: 'SKILL_BROKEN',
      reason: `The skill "${name}" was not activated: only a person may activate it, by its own "disable-model-invocation" now. Go on without it.`,
    })
  }
  if (manifest.context !== 'fork') return undefined
  if (depthOf(state) >= MAX_FORK_DEPTH) {
    return refused({
      code: 'FORK_TOO_DEEP',
      reason: `The skill "${name}" was not run: it runs in a sub-agent of its own, and these nest at most ${MAX_FORK_DEPTH} deep. Do its work here, without it.`,
    })
  }
  if (forks) return undefined
  return refused({
    code: 'FORK_UNAVAILABLE',
    reason: `The skill "${name}" was not run: it runs in a sub-agent of its own, and there is nothing here that runs one. Go on without it.`,
  })
}
