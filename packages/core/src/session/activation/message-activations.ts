import type { ActiveSkill } from '../state/state.ts'
import type { PreparedActivation } from './prepare.ts'
import type { Activator } from './refusal.ts'

/**
 * The skills that messages have activated, where a framework carries out the calls of one message in sessions of their
 * own, none of which knows what the others change. One for all sessions of a repertoire.
 */
export interface MessageActivations {
  /** Returns the skill as another call of the same message has activated it; undefined where none has. */
  readonly find: (prepared: MessageCall, activator: Pick<Activator, 'message'>) => ActiveSkill | undefined
  readonly note: (prepared: MessageCall, activator: Pick<Activator, 'message'>, skill: ActiveSkill) => void
}

/** What is looked up by. */
type MessageCall = Pick<PreparedActivation, 'call' | 'active' | 'session'>

/** Activations that are remembered: they matter while one message is carried out. */
const MAX_ACTIVATIONS = 1_000

/** Creates an empty record of activations. */
export function createMessageActivations(): MessageActivations {
  const known = new Map<string, { readonly callId: string; readonly skill: ActiveSkill }>()
  return {
    find(prepared, { message }) {
      const other = message === undefined ? undefined : known.get(keyOf(prepared, message))
      // The same call once more, after an interrupt: what it returned is lost.
      return other?.callId === prepared.call.id ? undefined : other?.skill
    },
    note(prepared, { message }, skill) {
      if (message === undefined) return
      known.set(keyOf(prepared, message), { callId: prepared.call.id, skill })
      const [oldest] = known.keys()
      if (known.size > MAX_ACTIVATIONS && oldest !== undefined) known.delete(oldest)
    },
  }
}

function keyOf({ active, session }: MessageCall, message: string): string {
  return JSON.stringify([session, message, active.name, active.digest])
}
