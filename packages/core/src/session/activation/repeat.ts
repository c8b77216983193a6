import { quoteName } from '@repertoire/skill-md/internal'
import type { Outcome, ToolCall } from '@repertoire/gate/internal'
import type { RequestedSkill } from '../requested-skill.ts'
import { failureReason, type Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import { isAnyRequestOf } from '../consent/activation-consent.ts'
import type { SessionContext } from '../context.ts'
import type { StateHolder } from '../state/holder.ts'
import type { ActiveSkill } from '../state/state.ts'
import { tooManyArguments } from './refusal.ts'
import { executionRefusal } from '../execution/request.ts'
import { inspectActive, laterArgumentsText } from './active-skill.ts'

/** What a skill that is active already is activated with. */
export interface RepeatContext {
  readonly context: Pick<SessionContext, 'parser' | 'profile' | 'loadTimeout' | 'pinnedFolders' | 'runStep' | 'scripts'>
  readonly state: StateHolder
}

/**
 * Answers the activation of a skill that is active already: a note, and not the instructions again. Other arguments than
 * those it has are kept, and what they change is returned.
 * @param active as the call's step has it, or as another call of the same message has activated it
 */
export async function repeatActivation(
  { context, state }: RepeatContext,
  call: ToolCall,
  { skill, args }: RequestedSkill,
  active: ActiveSkill,
): Promise<Outcome> {
  const { id, open } = state.current()
  // Where both calls of one message were asked about, the answer to this one has nothing left to decide.
  const request = open.find(({ id: requestId }) => isAnyRequestOf([requestId], id, call, skill))
  if (request !== undefined) state.apply({ type: 'settled', id: request.id })
  const current = state.current().active.find(({ name }) => name === skill.name)
  const isChange = args !== undefined && args !== (current?.laterArgs ?? current?.args)
  if (current === undefined || !isChange || current.inherited === true || current.forked === true) {
    return { ok: true, value: { name: active.name, active: true }, text: note(active) }
  }
  const changed = tooManyArguments(skill.name, args) ?? (await changeOf(context, current, args))
  if (typeof changed !== 'string') return changed
  state.apply({ type: 'passed', name: active.name, args })
  context.pinnedFolders.rememberText({ ...current, laterArgs: args }, changed)
  const text = `The skill ${quoteName(active.name)} is already active. Its instructions are above and still apply, with other arguments from now on:\n${changed}`
  return { ok: true, value: { name: active.name, active: true, args }, text }
}

/** Returns what arguments change of an active skill's instructions. */
async function changeOf(
  context: RepeatContext['context'],
  active: ActiveSkill,
  args: string,
): Promise<string | Refused> {
  try {
    const inspected = await inspectActive(context, active)
    if (inspected === undefined) return refuse.argumentsNotPassed(active.name, 'its folder is not what was agreed to.')
    return (await executionRefusal(context, inspected, args)) ?? laterArgumentsText(inspected, args)
  } catch (error) {
    return refuse.argumentsNotPassed(active.name, failureReason(error))
  }
}

function note({ name, inherited, forked }: ActiveSkill): string {
  let hint =
    'Its instructions are above and still apply; if you no longer see them, deactivate it and activate it again.'
  if (forked === true) hint = 'Its instructions are above and still apply: this work is done under it.'
  if (inherited === true) {
    hint =
      'It belongs to the task that this work is a part of: its rules apply here, and its instructions are for that task. Go on without it.'
  }
  return `The skill ${quoteName(name)} is already active. ${hint}`
}
