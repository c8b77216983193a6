import { quote } from '@repertoire/skill-md/internal'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import { type Check, unjudged } from '../texts.ts'
import { matchParts, type PatternPart } from './glob.ts'
import { baseFolder, globProblem, isOnDrive, type LexicalPath, readPath } from './path.ts'

/**
 * Compares a file's path with a pattern of `*`, `?` and `**` (see `matchParts`), by text alone: links are not followed
 * here, that is up to what opens the file. A relative path and a relative pattern are relative to the working folder;
 * where that is unknown, both must be relative or both absolute. A path that climbs above where it begins matches
 * nothing, whatever the folder. With a working folder on a Windows drive, `\` separates too.
 */
export function allowPath(value: string, cwd: string | undefined): Check {
  const windows = isOnDrive(cwd)
  const path = globProblem(value) ?? readPath(value, windows)
  if ('problem' in path) return unjudged(false, `the path ${quote(value)} ${path.problem}`)
  const base = cwd === undefined ? undefined : baseFolder(cwd, windows)
  return {
    why: `the path ${quote(value)} is not covered`,
    matches(pattern) {
      if (pattern.length > MAX_PATTERN_CHARS) return false
      const wanted = readPath(pattern, windows)
      return !('problem' in wanted) && coversPath(wanted, path, base)
    },
  }
}

function coversPath(pattern: LexicalPath, path: LexicalPath, base: LexicalPath | undefined): boolean {
  const patternParts = pattern.parts.map((text) => ({ text }))
  if (pattern.root === path.root) return matchParts(patternParts, path.parts)
  if (base === undefined) return false
  if (path.root === undefined)
    return pattern.root === base.root && matchParts(patternParts, [...base.parts, ...path.parts])
  const literal: readonly PatternPart[] = base.parts.map((text) => ({ text, literal: true }))
  return pattern.root === undefined && path.root === base.root && matchParts([...literal, ...patternParts], path.parts)
}
