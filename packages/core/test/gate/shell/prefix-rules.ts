import { prefixProblem } from '../../../src/gate/shell/prefix.ts'

/**
 * Whether a rule for the first words of a command, `gh pr:*` for one, covers all of it.
 * @param command its words are separated by blanks; by "|", where it has one
 * @param fixed how many words the rule names
 */
export function covers(command: string, fixed = 1): boolean {
  return prefixProblem(command.split(command.includes('|') ? '|' : ' '), fixed) === undefined
}
