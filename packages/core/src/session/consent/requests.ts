import type { ConsentAnswer } from '../../ports/consent.ts'
import { copyCall } from '../calls/copy-call.ts'
import type { SkillCalls } from '../calls/skill-calls.ts'
import type { SessionContext } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Session } from '../session.ts'
import type { StateHolder } from '../state/holder.ts'
import { isFork } from '../state/state.ts'
import type { Person } from '../turn/person.ts'
import { readConsentAnswer } from './answer.ts'
import { ask } from './ask.ts'

/** What requests for consent are made and answered with. */
export interface ConsentRequestsContext {
  readonly context: Pick<SessionContext, 'consentTimeout'>
  readonly state: Pick<StateHolder, 'current' | 'apply'>
  readonly lifetime: Lifetime
  readonly skillCalls: Pick<SkillCalls, 'consentFor'>
  readonly person: Pick<Person, 'consentFor'>
}

/** The requests for consent of a session that are answered from outside of its calls. */
export type ConsentRequests = Pick<Session, 'consentFor' | 'ask' | 'answer'>

/** Creates the requests for consent of one session. */
export function createConsentRequests(requests: ConsentRequestsContext): ConsentRequests {
  const { context, state, lifetime, skillCalls, person } = requests

  function answer(given: ConsentAnswer): void {
    // Programs without types may pass anything.
    const requestId: unknown = (given as ConsentAnswer | null | undefined)?.requestId
    if (typeof requestId !== 'string') return
    state.apply({ type: 'answered', id: requestId, ...readConsentAnswer(given, requestId) })
  }

  return {
    consentFor(call, { signal: ownSignal } = {}) {
      const copy = 'skill' in call ? undefined : copyCall(call)
      return lifetime.runExclusive(async () => {
        // In a fork nobody can be asked later: the call that requests it is not carried out twice.
        if (lifetime.hasEnded() || isFork(state.current())) return undefined
        return lifetime.runUntilEnd(ownSignal, async (signal) => {
          if (copy !== undefined) return 'judged' in copy ? skillCalls.consentFor(copy.judged, signal) : undefined
          return 'skill' in call ? person.consentFor(call, signal) : undefined
        })
      }, ownSignal)
    },
    async ask(request, handler, { signal } = {}) {
      if (state.current().open.find(({ id }) => id === request.id)?.approved !== undefined) return
      const decision = await lifetime.runUntilEnd(signal, (until) =>
        ask(handler, request, context.consentTimeout, until),
      )
      if (decision !== undefined) answer({ requestId: request.id, ...decision })
    },
    answer,
  }
}
