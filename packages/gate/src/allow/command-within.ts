import { readCommandLine } from '../shell/command-line.ts'
import { readCommandPattern } from '../shell/command-pattern.ts'
import { compareCommand } from './command.ts'
import { judgeHarmless } from './harmless/judge.ts'

/**
 * Whether a pattern for commands certainly covers none that another does not cover. What a longer prefix names is then
 * nothing that the shorter one keeps from its commands: `git log:*` lies within `git:*`, and `git -c x:*` does not.
 */
export function isCommandWithin(pattern: string, bounds: string): boolean {
  const inner = readCommandPattern(pattern)
  const outer = readCommandPattern(bounds)
  if (inner === undefined || outer === undefined) return false
  if (!inner.isPrefix)
    return compareCommand(readCommandLine(pattern), { isPosix: true, onlyKnown: false })(bounds) === undefined
  if (!outer.isPrefix || outer.words.length > inner.words.length) return false
  if (outer.words.some((word, index) => word !== inner.words[index])) return false
  const judged = judgeHarmless(inner.words, outer.words.length)
  return judged === undefined || !('problem' in judged)
}
