import type { CatalogView } from '../../catalog/view.ts'
import { type Skill, shownValue } from '@repertoire/skill-md/internal'
import { TIMED_OUT, waitFor } from '../../time-limit.ts'
import { reportIncomplete } from '../step/begin.ts'
import type { CallScope, SessionParts } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import { failureReason } from '../refusal.ts'
import { isFork } from '../state/state.ts'
import type { MatchRequest, ResolvedMatching } from './matching.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { Outcome, ToolCall } from '@repertoire/gate/internal'
import { type RunActivation, activate } from '../activation/activate.ts'
import type { Place } from '../consent/questions.ts'
import { refuse } from '../refusals.ts'
import type { CallOptions, TurnOptions } from '../session.ts'
import { type Invocation, type Turn, invocationCall, invokedSkill, parseInvocation, takeTurn } from './turn.ts'
import { activationConsentRequest } from '../activation/prepare.ts'

/** What a message is matched with. */
interface MatchContext extends SessionParts {
  readonly lifetime: Lifetime
  readonly view: CatalogView
}

/** How the skills that fit a person's messages are found. */
interface TurnMatcher {
  /** Finds them, and keeps their names in the state. What fails is reported, and those of the message before stay. */
  readonly match: (message: string, signal: AbortSignal | undefined) => Promise<void>
  /** Reads what is shown of them, where this process has not. Never rejects. */
  readonly load: () => Promise<void>
}

/** How long a message waits for what fits it. */
const MATCH_TIMEOUT_MS = 10_000

/** Creates the matcher of one session. */
export function createTurnMatcher({ context, state, lifetime, view }: MatchContext): TurnMatcher {
  const { match: matching, matchedContents, search, audit, reportProblem } = context

  async function find({ find: own }: ResolvedMatching, request: MatchRequest): Promise<unknown> {
    if (own !== undefined) return own(request)
    const { message, limit, signal } = request
    const { hits, diagnostics } = await search(message, { limit, signal })
    reportIncomplete(diagnostics, reportProblem)
    return hits.map(({ name }) => name)
  }

  async function load(signal?: AbortSignal): Promise<void> {
    const { matched, granted } = state.current()
    if (typeof matching !== 'object' || matching.content === 'none' || matched === undefined) return
    const skills = matched.flatMap((name): readonly Skill[] => {
      const skill = view.find(name)
      return skill === undefined ? [] : [skill]
    })
    // Unread, it could not be shown: nobody has agreed to it.
    const shown =
      matching.content === 'all' ? skills : skills.filter(({ name }) => granted.some(({ skill }) => skill === name))
    await matchedContents.load(shown, granted, signal)
  }

  async function matchNow(options: ResolvedMatching, message: string, until: AbortSignal): Promise<void> {
    const giveUp = new AbortController()
    const signal = AbortSignal.any([until, giveUp.signal])
    const { limit } = options
    try {
      const finding = find(options, { message, skills: [...view.list()], limit, signal })
      const names = await waitFor(finding, MATCH_TIMEOUT_MS, until)
      until.throwIfAborted()
      if (names === TIMED_OUT) throw new Error(`it did not answer within ${MATCH_TIMEOUT_MS} ms`)
      if (!Array.isArray(names))
        throw new Error(`it gave ${shownValue(names)}. It must give a list of the names of skills`)
      const visible = (names as readonly unknown[]).filter(
        (name): name is string => typeof name === 'string' && view.find(name) !== undefined,
      )
      const found = [...new Set(visible)].slice(0, limit)
      state.apply({ type: 'matched', names: found })
      // Nothing runs by it and no right changes: it is not waited for.
      void audit?.record({ type: 'skills.matched', outcome: 'succeeded', active: state.current().active, found })
      await load(until)
    } catch (error) {
      until.throwIfAborted()
      reportProblem({
        code: 'MATCH_FAILED',
        message: `What fits a message was not found: ${failureReason(error)}. The skills of the message before stay.`,
        cause: error,
      })
    } finally {
      giveUp.abort()
    }
  }

  return {
    async match(message, signal) {
      if (typeof matching !== 'object' || lifetime.hasEnded() || isFork(state.current())) return
      await lifetime.runUntilEnd(signal, (until) => matchNow(matching, message, until))
    },
    load: () => load(),
  }
}

/** What a person's messages work on. */
interface PersonNeeds {
  /** With the current stack: no message of the model's requests what happens here. */
  readonly activation: CallScope
  /** What is shown to the model. */
  readonly model: () => CatalogView
  /** What a person may name: also what is not shown to models. */
  readonly person: () => CatalogView
  readonly lifetime: Lifetime
  readonly runActivation: RunActivation
  readonly matcher: TurnMatcher
}

/** An invocation that consent can be asked for before it is carried out. */
type IdentifiedInvocation = Invocation & { readonly id: string }

/** What a session does because a person says so. */
export interface Person {
  /** Returns the invocation that a message is in this session; undefined where it is none. */
  readonly invocation: (message: string, id: string) => IdentifiedInvocation | undefined
  /** Returns the request for consent that an invocation waits for; undefined where it waits for none. */
  readonly consentFor: (invocation: IdentifiedInvocation, signal: AbortSignal) => Promise<ConsentRequest | undefined>
  readonly invoke: (invocation: Invocation, options?: CallOptions) => Promise<Outcome>
  readonly beginTurn: (message: string, options?: TurnOptions) => Promise<Turn>
}

/** Creates what a session does because a person says so. */
export function createPerson({ activation, model, person, lifetime, runActivation, matcher }: PersonNeeds): Person {
  const { context, state } = activation
  const asCall = (invoked: IdentifiedInvocation): ToolCall =>
    invocationCall(invoked.id, invoked, context.toolNames.activate)
  const hasPerson = (): boolean => !lifetime.hasEnded() && !isFork(state.current())
  const isInHandler = ({ signal }: CallOptions): boolean => context.questions.isInHandler(context.task, signal)

  async function record(call: ToolCall, outcome: Outcome): Promise<Outcome> {
    if (!outcome.ok) await context.audit?.recordRefusal(call, state.current().active, outcome.refusal)
    return outcome
  }

  async function inPlace(call: ToolCall, isAsked: boolean, work: (place: Place) => Promise<Outcome>): Promise<Outcome> {
    return isAsked ? refuse.calledByHandler(call.tool) : context.questions.withPlace(context.task, work)
  }

  function invocation(message: string, id: string): IdentifiedInvocation | undefined {
    const parsed = hasPerson() ? parseInvocation(message) : undefined
    if (parsed === undefined || person().find(parsed.name) === undefined) return undefined
    const { name, args } = parsed
    return { id, skill: name, ...(args !== undefined && { args }) }
  }

  async function invoke(
    invoked: Invocation,
    options: CallOptions = {},
    isAsked = isInHandler(options),
  ): Promise<Outcome> {
    const call = asCall({ ...invoked, id: invoked.id ?? crypto.randomUUID() })
    // The messages of a sub-agent are written by a model, whether or not a person passes them on.
    if (isFork(state.current())) return record(call, refuse.onlyForModels(invoked.skill))
    const canFork = options.fork !== undefined
    const outcome = await inPlace(call, isAsked, (place) =>
      runActivation(options, async (signal) => {
        const requested = invokedSkill(person(), invoked)
        if ('ok' in requested) return requested
        return activate(activation, call, requested, { by: 'person', canFork, place }, signal)
      }),
    )
    return record(call, outcome)
  }

  async function trigger(skill: Skill, { signal }: CallOptions, isAsked: boolean): Promise<Outcome> {
    const input = { trigger: { skill: skill.name } }
    const call = { id: crypto.randomUUID(), tool: context.toolNames.activate, input }
    const outcome = await inPlace(call, isAsked, (place) =>
      runActivation({ signal }, async (until) => {
        return activate(activation, call, { skill, args: undefined }, { by: 'model', canFork: false, place }, until)
      }),
    )
    return record(call, outcome)
  }

  return {
    invocation,
    async consentFor(invoked, signal) {
      const requested = invokedSkill(person(), invoked)
      if ('ok' in requested) return undefined
      return activationConsentRequest(activation, asCall(invoked), requested, 'person', signal)
    },
    invoke: (invoked, options) => invoke(invoked, options),
    beginTurn: async (message, { id = crypto.randomUUID(), ...options } = {}) => {
      // Before the first `await`: a handler that begins a turn is still being called.
      const isAsked = isInHandler(options)
      if (typeof message === 'string') await matcher.match(message, options.signal)
      return takeTurn(
        {
          context,
          hasPerson,
          active: () => state.current().active,
          visible: () => model().list(),
          invocation: () => invocation(message, id),
          invoke: (invoked) => invoke(invoked, options, isAsked),
          trigger: (skill) => trigger(skill, options, isAsked),
        },
        message,
      )
    },
  }
}
