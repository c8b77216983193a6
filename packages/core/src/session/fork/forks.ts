import type { Outcome } from '@repertoire/gate/internal'
import type { RequestedFork } from '../activation/activate.ts'
import type { SessionContext } from '../context.ts'
import type { ForkRunner } from '../session.ts'
import type { Lifetime } from '../lifetime.ts'
import type { StateHolder } from '../state/holder.ts'
import type { ActiveSkill, SessionChange, SessionState } from '../state/state.ts'
import { runChild, type ChildSession } from './run-child.ts'

/** What forks are run with. */
export interface ForksContext {
  readonly context: Pick<SessionContext, 'turns' | 'audit'>
  readonly state: Pick<StateHolder, 'current'>
  /** Opens a session by the changes that it begins with. Nothing begins in it once the signal aborts. */
  readonly openChild: (id: string, opening: readonly SessionChange[], signal: AbortSignal) => ChildSession
  /** Of the parent session. */
  readonly lifetime: Pick<Lifetime, 'endSignal'>
}

/** The forks of a session. */
export interface Forks {
  /**
   * Runs a fork, and ends its session whatever becomes of it. Other calls go on beside it. Returns undefined where the
   * parent session ended first.
   * @throws the signal's reason
   */
  run(fork: RequestedFork, runner: ForkRunner, signal: AbortSignal | undefined): Promise<Outcome | undefined>
  /** Waits until no fork is running. */
  settled(): Promise<void>
}

/** Creates the forks of one session. */
export function createForks({ context, state, openChild, lifetime }: ForksContext): Forks {
  const running = new Map<string, Promise<unknown>>()

  /** Two calls with one id may run at once: their sessions, and what is mounted for them, are two. */
  function freeId(callId: string): string {
    // A call's id may be any text, and must not pass for a fork's in a fork.
    const id = `${state.current().id}/${callId.replaceAll(/[%/]/g, encodeURIComponent)}`
    for (let n = 1; ; n++) {
      const free = n === 1 ? id : `${id}~${n}`
      if (!running.has(free)) return free
    }
  }

  return {
    async run(fork, runner, signal) {
      const { endSignal } = lifetime
      const forkSignal = signal === undefined ? endSignal : AbortSignal.any([signal, endSignal])
      if (forkSignal.aborted) {
        signal?.throwIfAborted()
        return undefined
      }
      const id = freeId(fork.callId)
      const run = async (): Promise<Outcome> => {
        const child = openChild(id, openingOf(id, state.current(), fork.active), forkSignal)
        return runChild(child, fork, runner, forkSignal)
      }
      const { call, active: skill } = fork.prepared
      const audited = context.audit?.run({ type: 'fork', call, active: fork.active, skill }, run, {
        signal: forkSignal,
      })
      const outcome = audited ?? run()
      running.set(id, outcome)
      try {
        return await outcome
      } catch (error) {
        signal?.throwIfAborted()
        if (endSignal.aborted) return undefined
        throw error
      } finally {
        running.delete(id)
      }
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running.values())
    },
  }
}

/**
 * Returns the changes that a fork's session begins with: the grants of the task, and everything that was active where the
 * fork was requested, which no call in the fork can deactivate.
 */
function openingOf(
  id: string,
  { granted, correlationId }: SessionState,
  active: readonly ActiveSkill[],
): readonly SessionChange[] {
  return [
    { type: 'opened', id, ...(correlationId !== undefined && { correlationId }) },
    ...granted.map((grant) => ({ type: 'granted' as const, grant })),
    ...active.map((skill) => ({ type: 'activated' as const, skill: { ...skill, inherited: true as const } })),
  ]
}
