import type { CatalogView } from '../../catalog/view.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { Skill } from '../../ports/skill.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { activate, type Activated, type ActivationContext, activationConsentRequest } from '../activation/activate.ts'
import { type Invocation, invocationCall, invokedSkill, notInvocable, parseInvocation } from './invocation.ts'
import type { CallOptions, TurnOptions } from '../session.ts'
import { isFork } from '../state/state.ts'
import { takeTurn, type Turn } from './turn.ts'

/** What a person's messages work on. */
export interface PersonContext {
  /** With the stack as it is: no message of the model's asks for what happens here. */
  readonly activation: ActivationContext
  /** What is shown to the model. */
  readonly model: () => CatalogView
  /** What a person may name: also what is not shown to models. */
  readonly person: () => CatalogView
  readonly isOver: () => boolean
  /** Carries out what may activate a skill. */
  readonly carryOut: (
    options: CallOptions,
    work: (signal: AbortSignal) => Activated | Promise<Activated>,
  ) => Promise<Outcome>
  /** Puts an outcome on record, where it is a refusal. */
  readonly recorded: (call: ToolCall, outcome: Outcome) => Outcome | Promise<Outcome>
}

/** An invocation that can be asked about before it is carried out. */
type NamedInvocation = Invocation & { readonly id: string }

/** What a session does because a person says so. */
export interface Person {
  /** The invocation that a message is, if it is one here. */
  readonly invocation: (message: string, id: string) => NamedInvocation | undefined
  readonly questionOf: (invocation: NamedInvocation) => Promise<ConsentRequest | undefined>
  readonly invoke: (invocation: Invocation, options?: CallOptions) => Promise<Outcome>
  readonly beginTurn: (message: string, options?: TurnOptions) => Promise<Turn>
}

export function createPerson({ activation, model, person, isOver, carryOut, recorded }: PersonContext): Person {
  const { context, state } = activation
  const asCall = (invoked: NamedInvocation): ToolCall => invocationCall(invoked.id, invoked, context.toolNames.activate)
  const isThere = (): boolean => !isOver() && !isFork(state())

  function invocation(message: string, id: string): NamedInvocation | undefined {
    const named = context.turns.invocations && isThere() ? parseInvocation(message) : undefined
    if (named === undefined || person().find(named.name) === undefined) return undefined
    const { name, args } = named
    return { id, skill: name, ...(args !== undefined && { args }) }
  }

  async function invoke(invoked: Invocation, options: CallOptions = {}): Promise<Outcome> {
    const call = asCall({ ...invoked, id: invoked.id ?? crypto.randomUUID() })
    // What a sub-agent is told is written by a model, whoever carries it in here.
    if (isFork(state())) return recorded(call, notInvocable(invoked.skill))
    const activator = { by: 'person', forks: options.fork !== undefined } as const
    const outcome = await carryOut(options, async (until) => {
      const wanted = invokedSkill(person(), invoked)
      return 'ok' in wanted ? wanted : activate(activation, call, wanted, activator, until)
    })
    return recorded(call, outcome)
  }

  async function trigger(skill: Skill, { signal }: CallOptions): Promise<Outcome> {
    const input = { trigger: { skill: skill.name } }
    const call = { id: crypto.randomUUID(), tool: context.toolNames.activate, input }
    const activator = { by: 'model', forks: false } as const
    const outcome = await carryOut({ signal }, (until) =>
      activate(activation, call, { skill, args: undefined }, activator, until),
    )
    return recorded(call, outcome)
  }

  return {
    invocation,
    async questionOf(invoked) {
      const wanted = invokedSkill(person(), invoked)
      return 'ok' in wanted ? undefined : activationConsentRequest(activation, asCall(invoked), wanted, 'person')
    },
    invoke,
    beginTurn: (message, { id = crypto.randomUUID(), ...options } = {}) =>
      takeTurn(
        {
          context,
          isOpen: isThere,
          active: () => state().active,
          visible: () => model().list(),
          invocation: () => invocation(message, id),
          invoke: (invoked) => invoke(invoked, options),
          trigger: (skill) => trigger(skill, options),
        },
        message,
      ),
  }
}
