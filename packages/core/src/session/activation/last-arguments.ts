import type { ActiveSkill } from '../state/state.ts'

/** Returns an active skill as if it had been activated with the arguments that were passed last. */
export function withLastArguments(skill: ActiveSkill): ActiveSkill {
  const { laterArgs, ...activated } = skill
  return laterArgs === undefined ? skill : { ...activated, args: laterArgs }
}
