import { SkillError } from '@repertoire/skill-md/internal'
import type { ConsentAnswer, ConsentRequest } from '../../ports/consent.ts'
import { copyCall } from '../call-arguments.ts'
import type { SkillCalls } from './skill-calls.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { SessionContext } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import type { AdapterSession } from '../adapter-session.ts'
import type { StateHolder } from '../state/holder.ts'
import { isFork } from '../state/state.ts'
import type { Person } from '../turn/person.ts'
import {
  MAX_QUESTIONS,
  ask,
  readConsentAnswer,
  reportUnreadable,
  saveSession,
  UNREADABLE,
} from '../consent/decision.ts'
import type { Place } from '../consent/questions.ts'
import { type AnswerRecord, recordAnswered, recordAsked } from '../consent/record.ts'

/** What requests for consent are made and answered with. */
interface ConsentRequestNeeds {
  readonly context: SessionContext
  readonly state: StateHolder
  readonly lifetime: Lifetime
  readonly person: Person
}

/** The calls that a request may be about, and the message that they are in. */
interface AskedCalls {
  /** Of the step that the calls are in. */
  readonly context: SessionContext
  readonly skillCalls: SkillCalls
  readonly toolCalls: ToolCalls
  readonly message: string | undefined
}

/** The requests for consent of a session that are answered from outside of its calls. */
interface ConsentRequests extends Pick<AdapterSession, 'ask' | 'question' | 'answer'> {
  readonly openConsent: (
    calls: AskedCalls,
    ...about: Parameters<AdapterSession['openConsent']>
  ) => ReturnType<AdapterSession['openConsent']>
}

type Subject = Parameters<AdapterSession['openConsent']>[0]

/** Creates the requests for consent of one session. */
export function createConsentRequests(needs: ConsentRequestNeeds): ConsentRequests {
  const { context, state, lifetime, person } = needs
  const { questions, task, consentTimeout: timeoutMs } = context
  /** What each open request was made for, to make it again once somebody was asked. */
  const subjects = new Map<string, readonly [AskedCalls, Subject]>()
  const findOpen = (requestId: string) => state.current().open.find(({ id }) => id === requestId)

  /** A session with a handler asks by itself, in `call`. */
  function mayAskAbout(subject: Subject, { skillCalls }: AskedCalls): boolean {
    if (context.consent !== undefined) return false
    return 'skill' in subject || context.gate.host.asked !== undefined || skillCalls.toolOf(subject.tool) !== undefined
  }

  function answer(given: ConsentAnswer, by: AnswerRecord['by'] = 'person'): void {
    // Programs without types may pass anything.
    const requestId: unknown = (given as ConsentAnswer | null | undefined)?.requestId
    if (typeof requestId !== 'string') return reportUnreadable(context)
    const open = findOpen(requestId)
    const decision = readConsentAnswer(given, requestId)
    if (decision.reason === UNREADABLE) reportUnreadable(context)
    state.apply({ type: 'answered', id: requestId, ...decision })
    if (open === undefined || open.approved !== undefined || context.audit?.questions.answer(requestId) !== true) return
    void recordAnswered({ context: subjects.get(requestId)?.[0].context ?? context, state }, open, { by, decision })
  }

  async function openConsent(
    calls: AskedCalls,
    given: Subject,
    { signal: ownSignal, message = calls.message, recorded }: Parameters<AdapterSession['openConsent']>[1] = {},
  ): Promise<ConsentRequest | undefined> {
    ownSignal?.throwIfAborted()
    if (!mayAskAbout(given, calls)) return undefined
    checkHandler(ownSignal)
    const copy = 'skill' in given ? { judged: given } : copyCall(given)
    if (!('judged' in copy)) return undefined
    const subject: Subject = copy.judged
    const before = new Set(state.current().open.map(({ id }) => id))
    const requestNow = async (signal: AbortSignal): Promise<ConsentRequest | undefined> => {
      if ('skill' in subject) return person.openConsent(subject, signal)
      const { skillCalls, toolCalls } = calls
      return (await skillCalls.openConsent(subject, { signal, message })) ?? toolCalls.openConsent(subject)
    }
    const request = await lifetime.runExclusive(async () => {
      // In a fork nobody can be asked later: the call that requests it is not carried out twice.
      return lifetime.hasEnded() || isFork(state.current()) ? undefined : lifetime.runUntilEnd(ownSignal, requestNow)
    }, ownSignal)
    if (request === undefined) return undefined
    // Before anybody sees it: an answer counts only where the request is known.
    const isSaved = await lifetime.runUntilEnd(ownSignal, async (signal) => {
      await saveSession(context, signal)
      return true
    })
    if (isSaved === undefined) return undefined
    if (!before.has(request.id) && context.audit?.questions.ask(request.id, recorded?.(request.id)) === true)
      await recordAsked({ context: calls.context, state }, request)
    for (const id of subjects.keys()) if (findOpen(id) === undefined) subjects.delete(id)
    subjects.set(request.id, [calls, subject])
    return request
  }

  /** @throws {TypeError} a handler that is being asked begins this, which would wait for the handler's answer */
  function checkHandler(signal: AbortSignal | undefined): void {
    if (!questions.isInHandler(task, signal)) return
    throw new TypeError('A consent handler cannot ask for consent in its own session before it has answered.')
  }

  async function inPlace<T>(signal: AbortSignal | undefined, work: (place: Place) => Promise<T>): Promise<T> {
    checkHandler(signal)
    return questions.withPlace(task, work)
  }

  return {
    openConsent,
    ask: (request, handler, { signal } = {}) =>
      inPlace(signal, async (place) => {
        let asked = request
        for (let times = 1; times <= MAX_QUESTIONS; times++) {
          const current = asked
          if (findOpen(current.id)?.approved !== undefined) return
          const decision = await lifetime.runUntilEnd(signal, (until) =>
            ask(place, handler, current, { timeoutMs, signal: until }, context),
          )
          if (decision === undefined) return
          answer({ requestId: current.id, ...decision }, decision.by)
          // The folder may have changed while somebody was asked: a yes holds for what it held when the request was made.
          const subject = decision.approved ? subjects.get(current.id) : undefined
          const next = subject === undefined ? undefined : await openConsent(...subject, { signal })
          if (next === undefined || next.id === current.id) return
          asked = next
        }
      }),
    question: (askNow, { signal } = {}) =>
      inPlace(signal, async (place) => {
        const answered = await lifetime.runUntilEnd(signal, async (until) => {
          const options = { timeoutMs, signal: until }
          return { value: await place.ask((settled) => askNow({ signal: settled }), options) }
        })
        if (answered !== undefined) return answered.value
        throw new SkillError('SESSION_ENDED', 'The session has ended, so its questions are not asked any more.')
      }),
    answer: (given) => answer(given),
  }
}
