import type { CatalogView } from '../../catalog/view.ts'
import type { Skill } from '@repertoire/skill-md/internal'
import type { CallScope } from '../context.ts'
import { reportEndedEarly } from '../ended-early.ts'
import type { Lifetime } from '../lifetime.ts'
import { isFork } from '../state/state.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { type RunActivation, activate } from '../activation/activate.ts'
import type { Place } from '../consent/questions.ts'
import { refuse } from '../refusals.ts'
import type { CallOptions, TurnOptions } from '../session.ts'
import { type Invocation, type Turn, invocationCall, invokedSkill, parseInvocation, takeTurn } from './turn.ts'
import { activationConsentRequest } from '../activation/prepare.ts'
import type { TurnMatcher } from './match-turn.ts'

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
  readonly openConsent: (invocation: IdentifiedInvocation, signal: AbortSignal) => Promise<ConsentRequest | undefined>
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
    return { id, skill: name, args }
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
    async openConsent(invoked, signal) {
      const requested = invokedSkill(person(), invoked)
      if ('ok' in requested) return undefined
      return activationConsentRequest(activation, asCall(invoked), requested, 'person', signal)
    },
    invoke: (invoked, options) => invoke(invoked, options),
    beginTurn: async (message, { id = crypto.randomUUID(), ...options } = {}) => {
      // Before the first `await`: a handler that begins a turn is still being called.
      const isAsked = isInHandler(options)
      if (lifetime.hasEnded()) reportEndedEarly({ context, state }, options.signal)
      if (typeof message === 'string') await matcher.match(message, options.signal)
      return takeTurn(
        {
          context,
          state,
          hasPerson,
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
