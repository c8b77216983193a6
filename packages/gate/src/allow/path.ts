import { quote } from '@repertoire/skill-md/internal'
import { matchParts, type PatternPart } from '../glob.ts'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import { baseFolder, globProblem, isOnDrive, type LexicalPath, readPath } from '../path.ts'
import { type Comparison, coveredByNothing } from './mismatch.ts'

/**
 * Compares a file's path with a pattern of `*`, `?` and `**` (see `matchParts`), by text alone: links are not followed
 * here, that is up to what opens the file. A relative path and a relative pattern are relative to the working folder;
 * where that is unknown, both must be relative or both absolute. A path that climbs above where it begins matches
 * nothing, whatever the folder. With a working folder on a Windows drive, `\` separates too.
 */
export function comparePath(value: string, cwd: string | undefined): Comparison {
  const windows = isOnDrive(cwd)
  const path = globProblem(value) ?? readPath(value, windows)
  if ('problem' in path) return coveredByNothing(`the path ${quote(value)} ${path.problem}`)
  const base = cwd === undefined ? undefined : baseFolder(cwd, windows)
  return (pattern) => {
    const wanted = pattern.length > MAX_PATTERN_CHARS ? { problem: 'is too long' } : readPath(pattern, windows)
    if ('problem' in wanted) {
      return { why: `the rule's pattern ${quote(pattern)} ${wanted.problem} and covers nothing`, about: 'pattern' }
    }
    if (coversPath(wanted, path, base)) return undefined
    return { why: `the path ${quote(value)} is not covered`, about: 'form' }
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
