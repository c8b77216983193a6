import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { RequestedSkill } from '../requested-skill.ts'
import type { RequestedExecution } from '../execution/executions.ts'
import { isExecuted } from '../execution/request.ts'
import type { ActiveSkill } from '../state/state.ts'
import { type CommitContext, commitActivation } from './commit.ts'
import { type PreparationContext, type PreparedActivation, prepareActivation } from './prepare.ts'
import type { Activator } from './refusal.ts'
import { repeatActivation } from './repeat.ts'

/** What a skill is activated with. */
export interface ActivationContext extends PreparationContext, CommitContext {
  readonly context: PreparationContext['context'] & CommitContext['context']
}

/** A prepared activation that a sub-agent is to run. */
export interface RequestedFork {
  readonly prepared: PreparedActivation
  /** The stack of the step that requests it. */
  readonly active: readonly ActiveSkill[]
  readonly callId: string
}

/** What an activation comes to: its outcome, or a fork or an execution that is still to be run. */
export type ActivationResult = Outcome | { readonly fork: RequestedFork } | { readonly execution: RequestedExecution }

/**
 * Activates a skill: inspects its folder, obtains consent, runs its hooks, mounts it, and pushes it onto the stack.
 * What stops it leaves nothing active and nothing mounted.
 * @throws the signal's reason
 */
export async function activate(
  activation: ActivationContext,
  call: ToolCall,
  requested: RequestedSkill,
  activator: Activator,
  signal?: AbortSignal,
): Promise<ActivationResult> {
  const { skill } = requested
  const { audit } = activation.context
  const active = activation.active()
  const isRequested = ({ name }: ActiveSkill): boolean => name === skill.name
  // Another call of the same message may have activated it too.
  const already = active.find(isRequested) ?? activation.state.current().active.find(isRequested)
  if (already !== undefined) return repeatActivation(activation, call, requested, already)
  try {
    const prepared = await prepareActivation(activation, call, requested, activator, signal)
    if (!('ok' in prepared) && isExecuted(prepared.inspected.manifest, activation.context)) {
      return { execution: { prepared, active } }
    }
    if (!('ok' in prepared) && prepared.inspected.manifest.context === 'fork') {
      return { fork: { prepared, active, callId: call.id } }
    }
    if ('ok' in prepared) {
      await audit?.recordRefusal(call, active, prepared.refusal, { skill })
      return prepared
    }
    const outcome = await activation.context.messageActivations.commit(prepared, activator.message, async () => {
      const committed = await commitActivation(activation, prepared, signal)
      return { outcome: committed, skill: activation.state.current().active.find(isRequested) }
    })
    if ('elsewhere' in outcome) {
      activation.state.apply({ type: 'activated', skill: outcome.elsewhere })
      return await repeatActivation(activation, call, requested, outcome.elsewhere)
    }
    if (!outcome.ok) await audit?.recordRefusal(call, active, outcome.refusal, { skill })
    return outcome
  } catch (error) {
    await audit?.record({ type: 'skill.denied', outcome: 'aborted', active, call, skill, error })
    throw error
  }
}
