import { setNewest } from '../../newest-entries.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { PreparedActivation } from './prepare.ts'

/**
 * The skills that messages activate, where a framework carries out the calls of one message in sessions of their own,
 * none of which knows what the others change. One for all sessions of a repertoire.
 */
export interface MessageActivations {
  /**
   * Commits an activation, unless another call of the same message has committed it, or is about to.
   * @param message absent: the session knows of all calls of the message
   * @param commit returns its outcome, and the skill as it is active then; undefined where it is not
   * @returns the outcome, or the skill as the other call has activated it
   */
  readonly commit: (
    prepared: Pick<PreparedActivation, 'call' | 'active' | 'session'>,
    message: string | undefined,
    commit: () => Promise<Committed>,
  ) => Promise<Outcome | { readonly elsewhere: ActiveSkill }>
}

/** What a commit came to. */
interface Committed {
  readonly outcome: Outcome
  readonly skill: ActiveSkill | undefined
}

/** Activations that are remembered: they matter while one message is carried out. */
const MAX_ACTIVATIONS = 1_000

/** Creates an empty record of activations. */
export function createMessageActivations(): MessageActivations {
  const known = new Map<string, { readonly callId: string; readonly skill: Promise<ActiveSkill | undefined> }>()
  return {
    async commit({ call, active, session }, message, commit) {
      if (message === undefined) return (await commit()).outcome
      const key = JSON.stringify([session, message, active.name, active.digest])
      const other = known.get(key)
      // The same call once more, after an interrupt: what it returned is lost.
      const elsewhere = other === undefined || other.callId === call.id ? undefined : await other.skill
      if (elsewhere !== undefined) return { elsewhere }
      const committed = commit()
      // A commit that fails leaves nothing active: the next call tries again.
      const skill = committed.then(
        (each) => each.skill,
        () => undefined,
      )
      setNewest(known, key, { callId: call.id, skill }, MAX_ACTIVATIONS)
      return (await committed).outcome
    },
  }
}
