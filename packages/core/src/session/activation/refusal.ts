import type { Manifest, Skill } from '@repertoire/skill-md/internal'
import type { Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import { isExecuted } from '../execution/request.ts'
import type { Place } from '../consent/questions.ts'
import type { SessionContext } from '../context.ts'
import { depthOf, type SessionState } from '../state/state.ts'

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
  if (by === 'person' && !manifest.userInvocable) return refuse.onlyForModels(name)
  if (by === 'model' && manifest.disableModelInvocation) return refuse.onlyForPersons(name)
  // What is executed needs no conversation of its own.
  if (manifest.context !== 'fork' || isExecuted(manifest, execution)) return undefined
  if (depthOf(state) >= MAX_FORK_DEPTH) return refuse.forkTooDeep(name, MAX_FORK_DEPTH)
  return canFork ? undefined : refuse.forkUnavailable(name)
}

/** Characters that can be passed to a skill: a session's state carries them. */
const MAX_ARGS_CHARS = 100_000

/** Refuses arguments that are too long. */
export function tooManyArguments(name: string, args: string): Refused | undefined {
  return args.length > MAX_ARGS_CHARS ? refuse.argumentsTooLong(name, args.length, MAX_ARGS_CHARS) : undefined
}
