import { quote } from '@repertoire/skill-md/internal'
import type { UncoveredUse } from './program.ts'

/**
 * A word that makes a program run or write something else.
 * @param unless a clause about uses of the word that a prefix rule covers
 */
export function runsOrWrites(word: string, program: string, unless = ''): UncoveredUse {
  return {
    why: `${quote(word)} can make ${program} run or write something else${unless === '' ? '' : ` ${unless}`}`,
  }
}
