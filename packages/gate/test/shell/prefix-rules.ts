import { uncoveredUse } from '../../src/shell/prefix.ts'

/**
 * Whether a command certainly runs and writes nothing else.
 * @param command its words are separated by blanks; by "|", where it has one
 * @param fixed how many words are taken as they are
 */
export function covers(command: string, fixed = 1): boolean {
  return uncoveredUse(command.split(command.includes('|') ? '|' : ' '), fixed) === undefined
}
