import { quote } from '@repertoire/skill-md/internal'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import { type Check, unjudged } from '../texts.ts'
import { matchParts, type PatternPart } from './glob.ts'
import { foldPart, leadsThroughProcess } from './inside.ts'
import { baseFolder, fromRoot, globProblem, isOnDrive, type LexicalPath, type PathProblem, readPath } from './path.ts'

/** What begins a pattern, in a path or in a rule, to one tool or another. */
const WILDCARD = /[*?[\]{}()]/

/** A home folder: `~/`, `~user/`. */
const HOME = /^~[^/]*\//

/**
 * Checks a path, by text alone. A pattern means what it matches, all below it, and a folder that such files lie in.
 * Spellings that some file system takes for the same file are the same here. Of a path that is a pattern itself, only
 * what precedes its first wildcard is certain.
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
  const given = foldedParts(path, base)
  return {
    why: `the path ${quote(value)} may match it`,
    matches(pattern) {
      const wanted = readPattern(pattern, windows)
      if ('problem' in wanted) return true
      // Whose home it is, and on which drive, is not known.
      const anyHome = HOME.test(pattern) ? { ...wanted, root: given.root } : wanted
      return mayMean(foldedParts(anyHome, base), given, below)
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

/** A path or a pattern as its parts, folded, and those before its first wildcard. */
interface Parts {
  readonly root: string | undefined
  readonly all: readonly PatternPart[]
  readonly fixed: readonly string[]
}

function foldedParts(path: LexicalPath, base: LexicalPath | undefined): Parts {
  const { root, parts } = fromRoot(path, base)
  const all = parts.map(({ text, literal }) => ({ text: foldPart(text), literal }))
  const first = all.findIndex(({ text, literal }) => literal !== true && WILDCARD.test(text))
  return { root, all, fixed: (first < 0 ? all : all.slice(0, first)).map(({ text }) => text) }
}

function mayMean(wanted: Parts, given: Parts, below: boolean): boolean {
  // Another drive, or a folder on an unknown drive.
  if (wanted.root !== given.root) return wanted.root === undefined || given.root === undefined
  if (matchParts(wanted.all, given.fixed, true)) return true
  // As long as one of the two is only the beginning of the other, the rest may be anything.
  const length = Math.min(wanted.fixed.length, given.fixed.length)
  if (!wanted.fixed.slice(0, length).every((part, index) => part === given.fixed[index])) return false
  return below || given.fixed.length < given.all.length || given.fixed.length <= wanted.fixed.length
}
