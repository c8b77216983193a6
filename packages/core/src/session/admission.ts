import type { PreparedSkill } from './prepare.ts'
import { notInvocable } from './invocation.ts'
import { type Refused, refused } from './refusal.ts'
import { depthOf, type SessionState } from './state.ts'

/** Who wants an activation, and what they can do with it. */
export interface Activator {
  readonly by: 'model' | 'person'
  /** Whether there is something that runs a sub-agent. */
  readonly forks: boolean
}

/** How deep forks nest: a fork in a fork in a fork. */
const DEEPEST_FORK = 3

/**
 * Why a skill cannot be activated, by what its manifest says now, which may be newer than the catalog. Told before
 * anybody is asked and before anything runs; undefined where there is nothing against it.
 */
export function objectionTo(
  { skill: { name }, manifest }: PreparedSkill,
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
  if (depthOf(state) >= DEEPEST_FORK) {
    return refused({
      code: 'FORK_TOO_DEEP',
      reason: `The skill "${name}" was not run: it runs in a sub-agent of its own, and these nest at most ${DEEPEST_FORK} deep. Do its work here, without it.`,
    })
  }
  if (forks) return undefined
  return refused({
    code: 'FORK_UNAVAILABLE',
    reason: `The skill "${name}" was not run: it runs in a sub-agent of its own, and there is nothing here that runs one. Go on without it.`,
  })
}
