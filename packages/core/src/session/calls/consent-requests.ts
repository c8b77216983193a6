import { SkillError } from '@repertoire/skill-md/internal'
import type { ConsentAnswer, ConsentRequest } from '../../ports/consent.ts'
import { copyCall } from '../copy-call.ts'
import type { SkillCalls } from './skill-calls.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { SessionContext } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Session } from '../session.ts'
import type { StateHolder } from '../state/holder.ts'
import { isFork } from '../state/state.ts'
import type { Steps } from '../step/begin.ts'
import type { Person } from '../turn/person.ts'
import { readConsentAnswer } from '../consent/answer.ts'
import { saveSession } from '../consent/checkpoint.ts'
import { MAX_QUESTIONS, ask } from '../consent/ask.ts'

/** What requests for consent are made and answered with. */
export interface ConsentRequestsContext {
  readonly context: Pick<
    SessionContext,
    'consent' | 'consentTimeout' | 'gate' | 'checkpoint' | 'loadTimeout' | 'questions' | 'task'
  >
  readonly steps: Pick<Steps, 'message'>
  readonly state: Pick<StateHolder, 'current' | 'apply' | 'hasUnknownAnswer'>
  readonly lifetime: Lifetime
  readonly skillCalls: Pick<SkillCalls, 'consentFor' | 'find'>
  readonly toolCalls: Pick<ToolCalls, 'consentFor'>
  /** Asked for only where a person's message activates a skill: calls are asked about far more often. */
  readonly person: Pick<Person, 'consentFor'>
}

/** The requests for consent of a session that are answered from outside of its calls. */
export type ConsentRequests = Pick<Session, 'consentFor' | 'ask' | 'question' | 'answer'>

type Subject = Parameters<Session['consentFor']>[0]

/** Whether somebody may be asked: not about a call of a host's tool that no policy asks about. Frameworks ask for each call. */
export function mayAskAbout(
  call: Subject,
  { consent, gate }: Pick<SessionContext, 'consent' | 'gate'>,
  skillCalls: Pick<SkillCalls, 'find'>,
): boolean {
  // A session with a handler asks by itself, in `call`.
  if (consent !== undefined) return false
  return 'skill' in call || gate.host.asked !== undefined || skillCalls.find(call.tool) !== undefined
}

/** Creates the requests for consent of one session. */
export function createConsentRequests(requests: ConsentRequestsContext): ConsentRequests {
  const { context, state, steps, lifetime, skillCalls, toolCalls } = requests

  function answer(given: ConsentAnswer): void {
    // Programs without types may pass anything.
    const requestId: unknown = (given as ConsentAnswer | null | undefined)?.requestId
    if (typeof requestId !== 'string') return
    state.apply({ type: 'answered', id: requestId, ...readConsentAnswer(given, requestId) })
  }

  /** What each open request was made for, to make it again once somebody was asked. */
  const subjects = new Map<string, Subject>()

  async function consentFor(
    call: Subject,
    { signal: ownSignal, message }: Parameters<Session['consentFor']>[1] = {},
  ): Promise<ConsentRequest | undefined> {
    checkHandler(ownSignal)
    const copy = 'skill' in call ? undefined : copyCall(call)
    const ofMessage = message ?? steps.message()
    const request = await lifetime.runExclusive(async () => {
      // In a fork nobody can be asked later: the call that requests it is not carried out twice.
      if (lifetime.hasEnded() || isFork(state.current())) return undefined
      return lifetime.runUntilEnd(ownSignal, async (signal) => {
        if (copy !== undefined && !('judged' in copy)) return undefined
        if (copy !== undefined) {
          return (
            (await skillCalls.consentFor(copy.judged, { signal, message: ofMessage })) ??
            toolCalls.consentFor(copy.judged)
          )
        }
        return 'skill' in call ? requests.person.consentFor(call, signal) : undefined
      })
    }, ownSignal)
    if (request !== undefined) {
      // Before anybody sees it: an answer counts only where the request is known.
      const isOpen = await lifetime.runUntilEnd(ownSignal, async (signal) => {
        await saveSession(context, signal)
        return true
      })
      if (isOpen === undefined) return undefined
      for (const id of subjects.keys()) if (findOpen(id) === undefined) subjects.delete(id)
      subjects.set(request.id, copy !== undefined && 'judged' in copy ? copy.judged : call)
    }
    return request
  }

  /** @throws {TypeError} a handler that is being asked begins this, which would wait for the handler's answer */
  function checkHandler(signal: AbortSignal | undefined): void {
    if (!context.questions.isInHandler(requests, signal)) return
    throw new TypeError('A consent handler cannot ask for consent in its own session before it has answered.')
  }

  const findOpen = (requestId: string) => state.current().open.find(({ id }) => id === requestId)

  return {
    consentFor,
    async ask(request, handler, { signal } = {}) {
      checkHandler(signal)
      const place = context.questions.placeFor(requests)
      place.take()
      try {
        let asked = request
        for (let questions = 1; questions <= MAX_QUESTIONS; questions++) {
          const current = asked
          if (findOpen(current.id)?.approved !== undefined) return
          const decision = await lifetime.runUntilEnd(signal, (until) =>
            ask(place, handler, current, { timeoutMs: context.consentTimeout, signal: until }),
          )
          if (decision === undefined) return
          answer({ requestId: current.id, ...decision })
          // The folder may have changed while somebody was asked: a yes holds for what it held when the request was made.
          const subject = decision.approved ? subjects.get(current.id) : undefined
          const next = subject === undefined ? undefined : await consentFor(subject, { signal })
          if (next === undefined || next.id === current.id) return
          asked = next
        }
      } finally {
        place.release()
      }
    },
    async question(askNow, { signal } = {}) {
      checkHandler(signal)
      const place = context.questions.placeFor(requests)
      place.take()
      try {
        const answered = await lifetime.runUntilEnd(signal, async (until) => {
          const options = { timeoutMs: context.consentTimeout, signal: until }
          return { value: await place.ask((settled) => askNow({ signal: settled }), options) }
        })
        if (answered !== undefined) return answered.value
        throw new SkillError('SESSION_ENDED', 'The session has ended, so nobody is asked in it any more.')
      } finally {
        place.release()
      }
    },
    answer,
  }
}
