import type { CatalogView } from '../../catalog/view.ts'
import type { Skill } from '@repertoire/skill-md/internal'
import type { CallScope } from '../context.ts'
import { reportEndedEarly } from '../ended-early.ts'
import type { Lifetime } from '../lifetime.ts'
import { isFork } from '../state/state.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { type DecideActivation, activate } from '../activation/activate.ts'
import { askWhileWaiting } from '../consent/asking.ts'
import { reportDetail } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { CallOptions, TurnOptions } from '../session.ts'
import { type Invocation, type Turn, invocationCall, invokedSkill, parseInvocation, takeTurn } from './turn.ts'
import { activationConsentRequest } from '../activation/prepare.ts'
import type { TurnMatcher } from './match-turn.ts'

interface PersonNeeds {
  /** With the current stack: no message of the model's requests what happens here. */
  readonly activation: CallScope
  readonly model: () => CatalogView
  /** What a person may name: also what is not shown to models. */
  readonly person: () => CatalogView
  readonly lifetime: Lifetime
  readonly decideActivation: DecideActivation
  readonly matcher: TurnMatcher
}

type IdentifiedInvocation = Invocation & { readonly id: string }

/** What a session does because a person says so. */
export interface Person {
  /** Returns the request for consent that the `/name` of a message waits for; undefined where it waits for none. */
  readonly requestFor: (message: string, id: string, signal: AbortSignal) => Promise<ConsentRequest | undefined>
  readonly invokes: (message: string) => boolean
  readonly invoke: (invocation: Invocation, options?: CallOptions) => Promise<Outcome>
  readonly beginTurn: (message: string, options?: TurnOptions) => Promise<Turn>
}

/** Creates what a session does because a person says so. */
export function createPerson({ activation, model, person, lifetime, decideActivation, matcher }: PersonNeeds): Person {
  const { context, state } = activation
  const asCall = (invoked: IdentifiedInvocation): ToolCall =>
    invocationCall(invoked.id, invoked, context.toolNames.activate)
  const hasPerson = (): boolean => !lifetime.hasEnded() && !isFork(state.current())

  async function record(call: ToolCall, outcome: Outcome): Promise<Outcome> {
    if (!outcome.ok && outcome.waits === undefined) {
      reportDetail(context, outcome)
      await context.audit?.recordRefusal(call, state.current().active, outcome.refusal)
    }
    return outcome
  }

  /** Carries out an activation, in its turn among the questions of the task. */
  async function carryOut(
    call: ToolCall,
    options: CallOptions,
    work: Parameters<DecideActivation>[1],
  ): Promise<Outcome> {
    const deciding = lifetime.runUntilEnd(options.signal, (until) =>
      askWhileWaiting(activation, until, () => decideActivation(options, work)),
    )
    const decided = (await deciding) ?? refuse.sessionEnded()
    return record(call, 'ok' in decided ? decided : await decided.begin())
  }

  function invocation(message: string, id: string): IdentifiedInvocation | undefined {
    const parsed = hasPerson() ? parseInvocation(message) : undefined
    if (parsed === undefined || person().find(parsed.name) === undefined) return undefined
    const { name, args } = parsed
    return { id, skill: name, args }
  }

  async function invoke(invoked: Invocation, options: CallOptions = {}): Promise<Outcome> {
    const call = asCall({ ...invoked, id: invoked.id ?? crypto.randomUUID() })
    // The messages of a sub-agent are written by a model, whether or not a person passes them on.
    if (isFork(state.current())) return record(call, refuse.onlyForModels(invoked.skill))
    const canFork = options.fork !== undefined
    const { canWait = false, recorded } = options
    return carryOut(call, options, async (signal) => {
      const requested = invokedSkill(person(), invoked)
      if ('ok' in requested) return requested
      return activate(activation, call, requested, { by: 'person', canFork, canWait, recorded }, signal)
    })
  }

  async function trigger(skill: Skill, { signal }: CallOptions): Promise<Outcome> {
    const input = { trigger: { skill: skill.name } }
    const call = { id: crypto.randomUUID(), tool: context.toolNames.activate, input }
    return carryOut(call, { signal }, (until) =>
      activate(activation, call, { skill, args: undefined }, { by: 'model', canFork: false, canWait: false }, until),
    )
  }

  return {
    async requestFor(message, id, signal) {
      const invoked = invocation(message, id)
      const requested = invoked && invokedSkill(person(), invoked)
      if (requested === undefined || 'ok' in requested) return undefined
      return activationConsentRequest(activation, asCall(invoked!), requested, 'person', signal)
    },
    invokes: (message) => invocation(message, '') !== undefined,
    invoke,
    beginTurn: async (message, { id = crypto.randomUUID(), ...options } = {}) => {
      if (lifetime.hasEnded()) reportEndedEarly({ context, state }, options.signal)
      const isInvocation = typeof message === 'string' && invocation(message, id) !== undefined
      if (typeof message === 'string' && !isInvocation) await matcher.match(message, options.signal)
      const turn = await takeTurn(
        {
          context,
          state,
          hasPerson,
          visible: () => model().list(),
          invocation: () => invocation(message, id),
          invoke: (invoked) => invoke(invoked, options),
          trigger: (skill) => trigger(skill, options),
        },
        message,
      )
      // A turn that waits begins once more.
      if (isInvocation && turn.waits === undefined) await matcher.match(message, options.signal)
      return turn
    },
  }
}
