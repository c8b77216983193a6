import { quote } from '@repertoire/skill-md/internal'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import { type Check, unjudged } from '../texts.ts'
import { matchParts } from './glob.ts'
import { foldPart, leadsThroughProcess } from './inside.ts'
import { baseFolder, globProblem, isOnDrive, type LexicalPath, type PathProblem, readPath } from './path.ts'

/** What begins a pattern, in a path or in a rule, to one tool or another. */
const WILDCARD = /[*?[\]{}()]/

/** A home folder: `~/`, `~user/`. */
const HOME = /^~[^/]*\//

/**
 * Checks a path, by text alone as for rules that allow. A pattern means what it matches and all below it, and a folder
 * that such files lie in, since the tool may work on all files of the folder. Spellings that some file system takes for
 * the same file are the same here. Of an argument that is a pattern itself, only what precedes its first wildcard
 * is certain.
 * @param below whether the tool reads the files below a folder
 */
export function denyPath(value: string, cwd: string | undefined, below: boolean): Check {
  const windows = isOnDrive(cwd)
  const path = globProblem(value) ?? readPath(value, windows)
  if ('problem' in path) return unjudged(true, `the path ${quote(value)} ${path.problem}`)
  if (leadsThroughProcess(value)) {
    return unjudged(true, `the path ${quote(value)} leads through a process: its text does not show which file it is`)
  }
  const base = cwd === undefined ? undefined : baseFolder(cwd, windows)
  return {
    why: `the path ${quote(value)} may match it`,
    matches(pattern) {
      const wanted = readPattern(pattern, windows)
      if ('problem' in wanted) return true
      // Whose home it is, and on which drive, is not known.
      const anyHome = HOME.test(pattern) ? { ...wanted, root: path.root ?? base?.root } : wanted
      return mayMean(anyHome, path, { base, below })
    },
  }
}

/** A pattern whose groups are widened to `*`, or why it is not certain what it means. */
function readPattern(pattern: string, windows: boolean): LexicalPath | PathProblem {
  if (pattern.length > MAX_PATTERN_CHARS) return { problem: 'is too long' }
  if (pattern.startsWith('!')) return { problem: 'is a negation' }
  const groups = /\{.*\}|\[.*?\]|[?*+@!]?\(.*\)/gs
  if (pattern.match(groups)?.some((group) => group.includes('/')) === true) {
    return { problem: 'holds a group of paths' }
  }
  const wide = pattern.replace(groups, '*').replace(/[{}[\]()]/g, '*')
  // Whose home it is, is not known: it may be anybody's.
  const home = HOME.exec(wide)?.[0]
  return readPath(home === undefined ? wide : `/**/${wide.slice(home.length)}`, windows && home === undefined)
}

function mayMean(
  pattern: LexicalPath,
  path: LexicalPath,
  { base, below }: { readonly base: LexicalPath | undefined; readonly below: boolean },
): boolean {
  const same = pattern.root === path.root
  if (!same && base === undefined) return true
  const wanted = absolute(pattern, same ? undefined : base)
  const given = absolute(path, same ? undefined : base)
  // Another drive, or a folder of which the drive is not known.
  if (wanted.root !== given.root) return wanted.root === undefined || given.root === undefined
  const before = given.fixed ?? given.all
  const certain = wanted.fixed ?? wanted.all
  const patternParts = wanted.all.map((text, index) => ({ text, literal: index < wanted.base }))
  if (matchParts(patternParts, before, true)) return true
  // As long as one of the two is only the beginning of the other, the rest may be anything.
  return agree(certain, before) && (below || given.fixed !== undefined || before.length <= certain.length)
}

interface Parts {
  readonly root: string | undefined
  readonly all: readonly string[]
  readonly fixed?: readonly string[]
  readonly base: number
}

function absolute(path: LexicalPath, base: LexicalPath | undefined): Parts {
  const before = path.root === undefined && base !== undefined ? base.parts : []
  const all = [...before, ...path.parts].map(foldPart)
  const first = all.findIndex((part, index) => index >= before.length && WILDCARD.test(part))
  return {
    root: path.root ?? base?.root,
    all,
    base: before.length,
    ...(first >= 0 && { fixed: all.slice(0, first) }),
  }
}

function agree(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.min(a.length, b.length)
  return a.slice(0, length).every((part, index) => part === b[index])
}
