import { foldPart, leadsThroughProcess } from '../inside.ts'
import { quote } from '@repertoire/skill-md/internal'
import { matchParts } from '../glob.ts'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import { type LexicalPath, type PathProblem, baseFolder, globProblem, isOnDrive, readPath } from '../path.ts'

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
export function denyPath(value: string, cwd: string | undefined, below: boolean): DenialCheck {
  const windows = isOnDrive(cwd)
  const path = globProblem(value) ?? readPath(value, windows)
  if ('problem' in path) return deniedByAll(`the path ${quote(value)} ${path.problem}`)
  if (leadsThroughProcess(value, cwd)) {
    return deniedByAll(
      `the path ${quote(value)} leads through a process, so that its text does not show which file it is`,
    )
  }
  const base = cwd === undefined ? undefined : baseFolder(cwd, windows)
  return (pattern) => {
    const wanted = readPattern(pattern, windows)
    if ('problem' in wanted) {
      return { why: `it is uncertain what the pattern ${quote(pattern)} matches: it ${wanted.problem}` }
    }
    // Whose home it is, and on which drive, is not known.
    const anyHome = HOME.test(pattern) ? { ...wanted, root: path.root ?? base?.root } : wanted
    if (!mayMean(anyHome, path, { base, below })) return undefined
    return { why: `the path ${quote(value)} may match it` }
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
  if (before.some((_, index) => matchParts(patternParts, before.slice(0, index + 1)))) return true
  // As long as one of the two is only the beginning of the other, the rest may be anything.
  return agree(certain, before) && (below || given.fixed !== undefined || before.length <= certain.length)
}

interface Parts {
  readonly root: string | undefined
  readonly all: readonly string[]
  /** Those before the first that holds a wildcard; absent where none does. */
  readonly fixed?: readonly string[]
  /** How many of them are the working folder's, which stand for themselves whatever they hold. */
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

/** Why a rule denies a call. */
export interface Denial {
  /** A clause about the call. */
  readonly why: string
  /** What the model can do about it: a sentence. */
  readonly hint?: string
}

/** Compares one pattern with the argument that it was made for. Undefined: the pattern certainly does not mean it. */
export type DenialCheck = (pattern: string) => Denial | undefined

/** A check of an argument that every pattern may mean. */
export function deniedByAll(why: string, hint?: string): DenialCheck {
  const denial: Denial = { why, hint }
  return () => denial
}
