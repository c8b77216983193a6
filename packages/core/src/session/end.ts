import { deactivateSkill, type RemovalContext } from './activation/deactivate.ts'
import type { Forks } from './fork/forks.ts'
import type { Lifetime } from './lifetime.ts'
import { unmountSkill } from './activation/mount.ts'

/** What a session is ended with. */
export interface EndContext {
  readonly removal: RemovalContext
  readonly lifetime: Pick<Lifetime, 'beginEnd' | 'runExclusive' | 'settled'>
  readonly forks: Pick<Forks, 'settled'>
}

/** Ends a session: stops its forks and what it runs, removes every skill of its own, top first, and clears the state. Safe to repeat. */
export async function endSession({ removal, lifetime, forks }: EndContext): Promise<void> {
  const { context, state } = removal
  lifetime.beginEnd()
  await forks.settled()
  await lifetime.settled()
  await lifetime.runExclusive(async () => {
    const { id, active, ended } = state.current()
    if (ended) return
    for (const skill of active.toReversed()) {
      if (skill.inherited === true) continue
      await deactivateSkill(removal, skill, { by: 'task' })
    }
    // Also what a crash left in the task's private space.
    if (context.mounts !== undefined) {
      await unmountSkill(context, id)
    }
    state.apply({ type: 'ended' })
  })
  await context.audit?.settled()
}
