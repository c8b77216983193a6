import { type Manifest, type Skill, quoteName } from '@repertoire/skill-md/internal'
import { type Refused, refused } from '../refusal.ts'
import { isExecuted } from '../execution/request.ts'
import type { Place } from '../consent/questions.ts'
import type { SessionContext } from '../context.ts'
import { depthOf, type SessionState } from '../state/state.ts'
import { notInvocable } from '../turn/invocation.ts'

/** Who activates a skill. */
export interface Activator {
  readonly by: 'model' | 'person'
  /** Whether the host can run a sub-agent. */
  readonly canFork: boolean
}

/** How a skill is activated. */
export interface Activating extends Activator {
  /** The call's place among the questions of its task. It is given up once consent is given or denied. */
  readonly place: Place
  /** The message of the model that the call is in. Absent: no model made the call, or its step is not known. */
  readonly message?: string | undefined
}

/** How deep forks nest: a fork in a fork in a fork. */
const MAX_FORK_DEPTH = 3

/** What decides whether a skill can be activated. */
interface Candidate {
  readonly skill: Pick<Skill, 'name'>
  /** As it is now, which may be newer than the catalog. */
  readonly manifest: Pick<Manifest, 'userInvocable' | 'disableModelInvocation' | 'context' | 'type'>
}

/**
 * Refuses an activation that the skill's manifest does not permit, before anybody is asked and before anything runs.
 * Returns undefined where nothing speaks against it.
 */
export function activationRefusal(
  { skill: { name }, manifest }: Candidate,
  { by, canFork }: Activator,
  state: SessionState,
  execution: Pick<SessionContext, 'runStep'> = { runStep: undefined },
): Refused | undefined {
  if (by === 'person' && !manifest.userInvocable) return notInvocable(name)
  if (by === 'model' && manifest.disableModelInvocation) {
    return refused({
      code: 'SKILL_BROKEN',
      reason: `The skill ${quoteName(name)} was not activated: only a person may activate it, since it says "disable-model-invocation" now. Go on without it.`,
    })
  }
  // What is executed needs no conversation of its own.
  if (manifest.context !== 'fork' || isExecuted(manifest, execution)) return undefined
  if (depthOf(state) >= MAX_FORK_DEPTH) {
    return refused({
      code: 'FORK_TOO_DEEP',
      reason: `The skill ${quoteName(name)} was not run: it runs in a sub-agent of its own, and these nest at most ${MAX_FORK_DEPTH} deep. Do its work here, without it.`,
    })
  }
  if (canFork) return undefined
  return refused({
    code: 'FORK_UNAVAILABLE',
    reason: `The skill ${quoteName(name)} was not run: it runs in a sub-agent of its own, and there is nothing here that runs one. Go on without it.`,
  })
}
