import { activationText } from '../../disclosure/skill-content.ts'
import type { Mount, Outcome } from '@repertoire/gate/internal'
import type { SessionContext } from '../context.ts'
import type { StateHolder } from '../state/holder.ts'
import type { ActiveSkill } from '../state/state.ts'
import { mountSkill, unmountSkill } from './mount.ts'
import type { PreparedActivation } from './prepare.ts'
import { activationValue } from './value.ts'

/** What a prepared activation is committed with. */
export interface CommitContext {
  readonly context: Pick<SessionContext, 'mounts' | 'loadTimeout' | 'pinnedFolders' | 'reportProblem' | 'audit' | 'use'>
  readonly state: Pick<StateHolder, 'current' | 'apply' | 'hasUnknownAnswer'>
  /** The stack that the call is judged by: that of its step. */
  readonly active: () => readonly ActiveSkill[]
}

/**
 * Commits a prepared activation: mounts the skill, and pushes it onto the stack of the session whose context is given.
 * @throws the signal's reason
 */
export async function commitActivation(
  commit: CommitContext,
  prepared: PreparedActivation,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { context, state } = commit
  const { inspected, active } = prepared
  const { id } = state.current()
  signal?.throwIfAborted()
  const isUnwanted = (): boolean => state.current().active.every(({ name }) => name !== active.name)
  const mount = await mountSkill(context, id, { skill: active, mounted: inspected, isUnwanted, signal })
  if (mount !== undefined && 'ok' in mount) return mount
  if (signal?.aborted) {
    await unmountSkill(context, id, active.name)
    signal.throwIfAborted()
  }
  return push(commit, prepared, mount)
}

async function push(
  { context, state, active: judgingStack }: CommitContext,
  { call, inspected, active, fit }: PreparedActivation,
  mount: Mount | undefined,
): Promise<Outcome> {
  const since = context.audit?.now()
  const skill = { ...active, ...(mount !== undefined && { mount }), ...(since !== undefined && { since }) }
  const judging = judgingStack()
  state.apply({ type: 'activated', skill })
  context.use.record(skill.name)
  const value = activationValue(inspected, skill)
  const text = activationText(value)
  context.pinnedFolders.rememberText(skill, text)
  const outcome = { ok: true, value, text } as const
  if (context.audit === undefined) return outcome
  const draft = { active: judging, call, skill, unmatchedTools: fit.unmatched }
  await context.audit.record({ type: 'skill.activated', outcome: 'succeeded', ...draft })
  return outcome
}
