import { recentEntries } from '../../recent-entries.ts'
import type { Outcome } from '@repertoire/gate/internal'
import type { ActiveSkill, Grant } from '../state/state.ts'

/** A call that is about a skill, and the model's message that it is in. */
export interface CallOfMessage {
  readonly session: string
  readonly message: string
  readonly skill: string
  readonly callId: string
}

/** What calls of one kind have come to, for other calls of the same message that are about the same skill. */
interface SharedResults<Result> {
  /** Returns the result of another call of the message; undefined: there is none. It rejects if that call throws. */
  readonly find: (call: CallOfMessage) => Promise<Result> | undefined
  /** Carries a call out, so that others find its result. A call that throws is forgotten. */
  readonly lead: (call: CallOfMessage, work: () => Promise<Result>) => Promise<Result>
}

/** What an activation leaves for the other calls of its message. */
export interface SharedActivation {
  /** Absent: it went well, or it is a fork or an execution that has been prepared. */
  readonly refused?: Extract<Outcome, { readonly ok: false }>
  /** The skill as it is active now. */
  readonly active?: ActiveSkill | undefined
  /** What was granted for the skill. */
  readonly grants: readonly Grant[]
}

/**
 * The calls of messages. One for all sessions of a repertoire: a framework may carry each call of a message out in a
 * session of its own, which knows nothing of the others.
 */
export interface MessageCalls {
  /** Whether somebody is asked about a skill, to answer later. */
  readonly requests: SharedResults<boolean>
  readonly activations: SharedResults<SharedActivation>
  readonly deactivations: SharedResults<Outcome>
}

/** Calls that are remembered. They matter while one message is carried out. */
const MAX_CALLS = 1_000

/** Creates an empty record of calls. */
export function createMessageCalls(): MessageCalls {
  return { requests: createResults(), activations: createResults(), deactivations: createResults() }
}

function createResults<Result>(): SharedResults<Result> {
  const known = recentEntries<string, { readonly callId: string; readonly result: Promise<Result> }>(MAX_CALLS)
  return {
    find(call) {
      const other = known.get(keyOf(call))
      // The same call once more, after an interrupt, is no other call.
      return other === undefined || other.callId === call.callId ? undefined : other.result
    },
    async lead(call, work) {
      const key = keyOf(call)
      const entry = { callId: call.callId, result: work() }
      known.set(key, entry)
      try {
        return await entry.result
      } catch (error) {
        if (known.get(key) === entry) known.delete(key)
        throw error
      }
    },
  }
}

function keyOf({ session, message, skill }: CallOfMessage): string {
  return JSON.stringify([session, message, skill])
}
