import { quote } from '@repertoire/skill-md/internal'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import { type Check, unjudged } from '../texts.ts'
import { matchParts } from './glob.ts'
import { baseFolder, fromRoot, globProblem, isOnDrive, readPath } from './path.ts'

/**
 * Compares a file's path with a pattern of `*`, `?` and `**` (see `matchParts`), by text alone: links are not followed.
 * Relative paths and patterns are relative to the working folder; if that is unknown, both must be relative or both
 * absolute. A path that climbs above where it begins matches nothing. On a Windows drive, `\` separates too.
 */
export function allowPath(value: string, cwd: string | undefined): Check {
  const windows = isOnDrive(cwd)
  const path = globProblem(value) ?? readPath(value, windows)
  if ('problem' in path) return unjudged(false, `the path ${quote(value)} ${path.problem}`)
  const base = cwd === undefined ? undefined : baseFolder(cwd, windows)
  const given = fromRoot(path, base)
  const parts = given.parts.map(({ text }) => text)
  return {
    why: `the path ${quote(value)} is not covered`,
    matches(pattern) {
      if (pattern.length > MAX_PATTERN_CHARS) return false
      const read = readPath(pattern, windows)
      if ('problem' in read) return false
      const wanted = fromRoot(read, base)
      return wanted.root === given.root && matchParts(wanted.parts, parts)
    },
  }
}
