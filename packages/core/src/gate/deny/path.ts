import { foldPart, leadsThroughProcess } from '../../resources/inside.ts'
import { MAX_PATTERN_CHARS, matchParts } from '../glob.ts'
import { baseFolder, globLeavesFolder, isOnDrive, type Lexical, readPath } from '../path.ts'
import { quote } from '../wording.ts'
import type { Denial, Denier } from './denial.ts'

/** What begins a pattern, in a path or in a rule, for one tool or another. */
const WILD = /[*?[\]{}()]/

/** A folder of somebody's: `~/`, `~user/`. */
const HOME = /^~[^/]*\//

/**
 * A path, by text alone as for rules that permit. A pattern means what it matches and all below it, and a folder that
 * such files lie in, since a tool may take the folder for them. Spellings that some file system takes for the same
 * file are the same here, and of an argument that is a pattern itself only what stands before its first wildcard
 * tells anything.
 * @param below whether the tool reads the files below a folder
 */
export function denyPath(value: string, cwd: string | undefined, below: boolean): Denier {
  const windows = isOnDrive(cwd)
  const path = globLeavesFolder(value) ?? readPath(value, windows)
  if (typeof path === 'string') return () => ({ why: `the path ${quote(value)} ${path}` })
  if (leadsThroughProcess(value, cwd)) {
    return () => ({ why: `the path ${quote(value)} leads through a process, to what its text does not tell` })
  }
  const base = cwd === undefined ? undefined : baseFolder(cwd, windows)
  const meant: Denial = { why: `the path ${quote(value)} may be what it means` }
  return (pattern) => {
    const read = readPattern(pattern, windows)
    // Whose home that is, and on which drive, nobody says.
    const wanted = typeof read !== 'string' && HOME.test(pattern) ? { ...read, root: path.root ?? base?.root } : read
    if (typeof wanted === 'string')
      return { why: `what the pattern ${quote(pattern)} means is not certain: it ${wanted}` }
    return mayMean(wanted, path, { base, below }) ? meant : undefined
  }
}

/** A pattern whose groups are widened to `*`, or a clause that says why it cannot be told what it means. */
function readPattern(pattern: string, windows: boolean): Lexical | string {
  if (pattern.length > MAX_PATTERN_CHARS) return 'is too long'
  if (pattern.startsWith('!')) return 'means what it does not say'
  const groups = /\{.*\}|\[.*?\]|[?*+@!]?\(.*\)/gs
  if (pattern.match(groups)?.some((group) => group.includes('/')) === true) return 'holds a group of paths'
  const wide = pattern.replace(groups, '*').replace(/[{}[\]()]/g, '*')
  // Whose home that is, nobody says here: anybody's.
  const home = HOME.exec(wide)?.[0]
  return readPath(home === undefined ? wide : `/**/${wide.slice(home.length)}`, windows && home === undefined)
}

function mayMean(
  pattern: Lexical,
  path: Lexical,
  { base, below }: { readonly base: Lexical | undefined; readonly below: boolean },
): boolean {
  const same = pattern.root === path.root
  if (!same && base === undefined) return true
  const wanted = absolute(pattern, same ? undefined : base)
  const given = absolute(path, same ? undefined : base)
  // Another drive, or a folder of which that cannot be told.
  if (wanted.root !== given.root) return wanted.root === undefined || given.root === undefined
  const fixed = given.fixed ?? given.all
  const certain = wanted.fixed ?? wanted.all
  const patternParts = wanted.all.map((text, index) => ({ text, literal: index < wanted.base }))
  if (fixed.some((_, index) => matchParts(patternParts, fixed.slice(0, index + 1)))) return true
  // As long as one of the two is only the beginning of the other, the rest may be anything.
  return agree(certain, fixed) && (below || given.fixed !== undefined || fixed.length <= certain.length)
}

interface Parts {
  readonly root: string | undefined
  readonly all: readonly string[]
  /** Those before the first that holds a wildcard; absent where none does. */
  readonly fixed?: readonly string[]
  /** How many of them are the working folder's, which stand for themselves whatever they hold. */
  readonly base: number
}

function absolute(path: Lexical, base: Lexical | undefined): Parts {
  const before = path.root === undefined && base !== undefined ? base.parts : []
  const all = [...before, ...path.parts].map(foldPart)
  const first = all.findIndex((part, index) => index >= before.length && WILD.test(part))
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
