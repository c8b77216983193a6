import type { CatalogView } from '../../catalog/view.ts'
import type { Skill } from '@repertoire/skill-md/internal'
import { reportEndedEarly } from '../step/begin.ts'
import type { Forks } from '../fork/forks.ts'
import { isFork } from '../state/state.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { isSummaryMessage } from '../../window/message.ts'
import { activate, type ActivationResult, complete, decideActivation } from '../activation/activate.ts'
import { askWhileWaiting } from '../consent/asking.ts'
import { refuse } from '../refusals.ts'
import type { SkillCallScope } from '../requested-skill.ts'
import type { CallOptions, TurnOptions } from '../session.ts'
import {
  type Invocation,
  type Turn,
  type TurnActivation,
  invocationCall,
  invokedSkill,
  invokedTurn,
  outcomeText,
  parseInvocation,
  shown,
  suggestion,
} from './turn.ts'
import { activationConsentRequest } from '../activation/prepare.ts'
import { matchTurn } from './match-turn.ts'
import { triggeredSkills } from './triggers.ts'

export type Person = ReturnType<typeof createPerson>

/** Skills that one message activates or suggests. */
const MAX_TRIGGERED = 5

const NOTHING: Turn = { activated: [], suggested: [] }

/**
 * Does what a person says.
 * @param scope with the current stack: no message of the model's requests what happens here
 * @param visible what a person may name: also what is not shown to models
 */
export function createPerson(scope: SkillCallScope, visible: () => CatalogView, forks: Forks) {
  const { context, state, lifetime } = scope
  const hasPerson = (): boolean => !lifetime.hasEnded() && !isFork(state.current())

  /** Carries out an activation, in its turn among the questions of the task. */
  async function carryOut(
    call: ToolCall,
    options: CallOptions,
    work: (signal: AbortSignal) => ActivationResult | Promise<ActivationResult>,
  ): Promise<Outcome> {
    const deciding = lifetime.runUntilEnd(options.signal, (until) =>
      askWhileWaiting(scope, until, () => decideActivation(scope, forks, options, work)),
    )
    return complete(context, call, await deciding, scope.active)
  }

  function invocation(message: string, id: string): (Invocation & { readonly id: string }) | undefined {
    const parsed = hasPerson() ? parseInvocation(message) : undefined
    if (parsed === undefined || visible().find(parsed.name) === undefined) return undefined
    return { id, skill: parsed.name, args: parsed.args }
  }

  async function invoke(invoked: Invocation, options: CallOptions = {}): Promise<Outcome> {
    const { canWait = false, recorded, fork } = options
    const call = invocationCall(invoked.id ?? crypto.randomUUID(), invoked, context.toolNames.activate)
    // The messages of a sub-agent are written by a model, whether or not a person passes them on.
    if (isFork(state.current())) return complete(context, call, refuse.onlyForModels(invoked.skill), scope.active)
    return carryOut(call, options, async (signal) => {
      const requested = invokedSkill(visible(), invoked)
      if ('ok' in requested) return requested
      return activate(scope, call, requested, { by: 'person', canFork: fork !== undefined, canWait, recorded }, signal)
    })
  }

  async function trigger(skill: Skill, { signal }: CallOptions): Promise<Outcome> {
    const input = { trigger: { skill: skill.name } }
    const call = { id: crypto.randomUUID(), tool: context.toolNames.activate, input }
    return carryOut(call, { signal }, (until) =>
      activate(scope, call, { skill, args: undefined }, { by: 'model', canFork: false, canWait: false }, until),
    )
  }

  async function triggeredTurn(message: string, options: CallOptions): Promise<Turn> {
    const names = new Set(state.current().active.map(({ name }) => name))
    const candidates = scope.view.list().filter(({ name }) => !names.has(name))
    const skills = (await triggeredSkills(message, candidates)).slice(0, MAX_TRIGGERED)
    const activated: TurnActivation[] = []
    const suggested: string[] = []
    for (const skill of skills) {
      const { name, manifest } = skill
      // A fork's sub-agent does not see the message, and neither does what is executed: what it is to do is for the
      // model to say.
      const canActivate =
        context.triggers === 'activate' &&
        context.consent !== undefined &&
        manifest.context !== 'fork' &&
        manifest.type === 'instruction'
      if (canActivate) activated.push({ name, outcome: await trigger(skill, options) })
      else suggested.push(name)
    }
    const texts = activated.map(({ name, outcome }) =>
      outcomeText(outcome, `The skill ${shown(name)} fits this message, and it was not activated.`),
    )
    if (suggested.length > 0) texts.push(suggestion(suggested, context))
    return { activated, suggested, text: texts.join('\n\n') || undefined }
  }

  return {
    /** Returns the request for consent that the `/name` of a message waits for; undefined if it waits for none. */
    async requestFor(message: string, id: string, signal: AbortSignal): Promise<ConsentRequest | undefined> {
      const invoked = invocation(message, id)
      if (invoked === undefined) return undefined
      const requested = invokedSkill(visible(), invoked)
      if ('ok' in requested) return undefined
      const call = invocationCall(id, invoked, context.toolNames.activate)
      return activationConsentRequest(scope, call, requested, 'person', signal)
    },
    invokes: (message: string) => invocation(message, '') !== undefined,
    invoke,
    /** Carries out what a message invokes or triggers. In a fork, whose messages no person writes, that is nothing. */
    async beginTurn(message: string, { id = crypto.randomUUID(), ...options }: TurnOptions = {}): Promise<Turn> {
      if (lifetime.hasEnded()) reportEndedEarly(scope, options.signal)
      if (typeof message !== 'string') {
        throw new TypeError(
          '`beginTurn` takes the text of the message. Join the parts that are text, or give an empty one.',
        )
      }
      // A summary that a host has stored among its messages comes back in the role of a person.
      if (!hasPerson() || isSummaryMessage(message)) return NOTHING
      const invoked = invocation(message, id)
      if (invoked === undefined) {
        await matchTurn(scope, message, options.signal)
        return context.triggers === 'off' || !hasPerson() ? NOTHING : triggeredTurn(message, options)
      }
      // Who names a skill has chosen: triggers are not matched.
      const turn = invokedTurn(invoked.skill, await invoke(invoked, options))
      // A turn that waits begins once more.
      if (turn.waits === undefined) await matchTurn(scope, message, options.signal)
      return turn
    },
  }
}
