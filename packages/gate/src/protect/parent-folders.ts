import { foldPart, leadsThroughProcess, partsOf, readingsFromHere } from '../inside.ts'
import { matchParts, matchText } from '../glob.ts'
import { MAX_CALL_PATHS, MAX_FILE_PATH_CHARS, MAX_PATTERN_CHARS } from '../limits.ts'
import type { MutatedPath } from '../shell/programs/program.ts'
import { alternatives, expandBraces } from './expansion.ts'
import { type ProtectedPath, foldParts, isPattern, widen } from './path-pattern.ts'

/** A home folder itself, and nothing in it. */
const HOME = /^(?:~[^/\\]*|\$HOME|\$\{HOME\}|%USERPROFILE%)$/i

/** A mutated path, in the form in which it is compared with each protected file. */
export interface ComparedPath {
  readonly mutated: MutatedPath
  /** The path without braces, and with `*` for everything else in it that is a pattern. */
  readonly texts: readonly string[]
  /** The folder that it is relative to; undefined: unknown. */
  readonly cwd: string | undefined
}

/** Prepares mutated paths, once for all files; undefined where one may be any path. */
export function preparePaths(
  mutatedPaths: readonly MutatedPath[],
  isShell: boolean,
  cwd: string | undefined,
): readonly ComparedPath[] | undefined {
  const prepared: ComparedPath[] = []
  let count = 0
  for (const mutated of mutatedPaths) {
    const from = mutated.anywhere === true ? undefined : cwd
    const path = mutated.path.replace(HOME, '$&/')
    // A folder that certainly exists: what is put there, is put into it.
    const isExisting = /^[./\\]+$/.test(path) || HOME.test(mutated.path.replace(/[/\\]+$/, ''))
    if (mutated.into === true && isExisting) continue
    if (path.length > MAX_FILE_PATH_CHARS) continue
    if (leadsThroughProcess(path, from)) return undefined
    // A pattern that is not read may match any file.
    if (path.length > MAX_PATTERN_CHARS && isPattern(path)) return undefined
    const texts = isShell ? expandBraces(path) : alternatives([path])
    count += texts?.length ?? 0
    if (texts === undefined || count > MAX_CALL_PATHS) return undefined
    prepared.push({ mutated, texts: texts.map(widen), cwd: from })
  }
  return prepared
}

/** Whether one of the paths may be the protected file or one of its parent folders. */
export function mayMutate(paths: readonly ComparedPath[], file: ProtectedPath, cwd: string | undefined): boolean {
  return paths.some(({ mutated, texts, cwd: from }) =>
    texts.some((text) =>
      readingsFromHere(text, file.folder, from).some((parts) => isParentOrFile(parts, mutated, file, cwd)),
    ),
  )
}

function isParentOrFile(
  path: readonly string[],
  { path: written, anywhere, into, named, only }: MutatedPath,
  { folder, name, isPartial }: ProtectedPath,
  cwd: string | undefined,
): boolean {
  const parts = foldParts(path, folder)
  const file = [...partsOf(folder), name].map(foldPart)
  // The working folder and those above it exist too: what is put there, is put into them.
  const working = partsOf(cwd ?? '').map(foldPart)
  if (into === true && parts.every((part, index) => part === working[index])) return false
  // Of a file of which only the end of its path is known, the same goes for its parent folders.
  const ends = isPartial ? file.map((_, length) => parts.slice(-length - 1)) : [parts]
  // Where both are relative to the same folder, what precedes a wildcard is a part of the path and not of its location.
  const isSameBase = isPartial && anywhere !== true && !/^\s*(?:[/\\~$%]|[a-z]:)/i.test(written)
  const fitting = ends.filter((end) => !isSameBase || end.length === parts.length || !end[0]?.includes('*'))
  const length = [parts, ...fitting].map((end) => matchedLength(end, file)).find((found) => found !== undefined)
  if (length === undefined) return false
  if (named === undefined) return true
  // The folder that the search starts in has the name by which it is called, or its own where that is a pattern.
  const start = partsOf(written).at(-1) ?? '.'
  const names = [isPattern(start) ? (file[length - 1] ?? '.') : foldName(start), ...file.slice(length)]
  const removable = only === 'file' ? names.slice(-1) : only === 'folder' ? names.slice(0, -1) : names
  return removable.some((part) => named.every((texts) => texts.some((text) => matchText(foldName(widen(text)), part))))
}

/** How many parts of a file's path a path matches, from the first on; undefined where it does not match them. */
function matchedLength(parts: readonly string[], file: readonly string[]): number | undefined {
  if (parts.includes('**')) {
    const pattern = parts.map((text) => ({ text }))
    const length = file.findIndex((_, index) => matchParts(pattern, file.slice(0, index + 1)))
    return length < 0 ? undefined : length + 1
  }
  const isMatch = parts.length <= file.length && parts.every((part, index) => mayMatchPart(part, file[index]!))
  return isMatch ? parts.length : undefined
}

/** Whether a shell may expand a part of a path to a name. A wildcard at its beginning does not match a dot there. */
function mayMatchPart(part: string, name: string): boolean {
  if (!part.includes('*')) return part === name
  return !(part.startsWith('*') && name.startsWith('.')) && matchText(part, name)
}

/** `.` and `..` are names too. */
function foldName(name: string): string {
  return /^\.+$/.test(name) ? name : foldPart(name)
}
