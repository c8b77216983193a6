import { deactivateSkill } from '../activation/deactivate.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { FitContext } from './request.ts'

/**
 * Deactivates skills from the bottom of the stack, one after the other, whose instructions would be shown again although
 * the conversation has lost them. The top of the stack stays, and so does what a parent session has activated.
 * @param reminder returns what is shown again of some skills
 * @param isTooMuch measures anew
 * @returns those that are no longer active
 */
export async function deactivateLower(
  { state, lifetime, removal }: Pick<FitContext, 'state' | 'lifetime' | 'removal'>,
  reminder: (active: readonly ActiveSkill[]) => Promise<string | undefined>,
  isTooMuch: () => Promise<boolean>,
): Promise<readonly ActiveSkill[]> {
  const removed: ActiveSkill[] = []
  for (const skill of state.current().active.slice(0, -1)) {
    if (skill.inherited === true || skill.forked === true || (await reminder([skill])) === undefined) continue
    const refusal = await lifetime.runExclusive(() => deactivateSkill(removal, skill, { by: 'window' }))
    if (refusal !== undefined) break
    removed.push(skill)
    if (!(await isTooMuch())) break
  }
  return removed
}
