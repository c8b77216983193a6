import { MAX_PATTERN_CHARS, matchParts, matchText, type MutatedPath } from '../index.ts'
import { foldPart, leadsThroughProcess, partsOf, pathReadings } from '../../resources/inside.ts'
import { alternatives, braced, isPattern, widened } from './path-pattern.ts'
import { MAX_PATH_CHARS, MAX_READ, type Place } from './protected-path.ts'

/** Somebody's home, and nothing in it. */
const HOME = /^(?:~[^/\\]*|\$HOME|\$\{HOME\}|%USERPROFILE%)$/i

/** A path that is taken, as it is compared with each file. */
export interface ReadPath {
  readonly taken: MutatedPath
  /** Without braces, and with `*` for all that a pattern holds else. */
  readonly texts: readonly string[]
  readonly from: string | undefined
}

/** Read once for all files; undefined where it may be anything. */
export function readTaken(
  taken: readonly MutatedPath[],
  isShell: boolean,
  cwd: string | undefined,
): readonly ReadPath[] | undefined {
  const read: ReadPath[] = []
  let count = 0
  for (const one of taken) {
    const from = one.anywhere === true ? undefined : cwd
    const path = one.path.replace(HOME, '$&/')
    // A folder that is there for certain: what is put there, is put into it.
    if (one.into === true && (/^[./\\]+$/.test(path) || HOME.test(one.path.replace(/[/\\]+$/, '')))) continue
    if (path.length > MAX_PATH_CHARS) continue
    if (leadsThroughProcess(path, from)) return undefined
    // What cannot be read may mean it.
    if (path.length > MAX_PATTERN_CHARS && isPattern(path)) return undefined
    const plain = isShell ? braced(path) : alternatives([path])
    count += plain?.length ?? 0
    if (plain === undefined || count > MAX_READ) return undefined
    read.push({ taken: one, texts: plain.map(widened), from })
  }
  return read
}

/** Whether one of the paths may be a folder above the file, or the file. */
export function mayTakeAway(read: readonly ReadPath[], place: Place, cwd: string | undefined): boolean {
  return read.some(({ taken, texts, from }) =>
    texts.some((text) => {
      const readings = pathReadings(text, place.folder, from)
      // Taken from the root too, `rm -r app` in `/app` would mean `/app` itself.
      const begins = /^\s*(?:[/\\]|[a-z][a-z\d+.-]*:)/i.test(text) ? readings : readings.slice(1)
      return begins.some((parts) => isAbove(parts, taken, place, cwd))
    }),
  )
}

function isAbove(
  path: readonly string[],
  { path: written, anywhere: unknown, into, named, only }: MutatedPath,
  { folder, name, anywhere }: Place,
  cwd: string | undefined,
): boolean {
  const onDrive = /^[a-z]:/i.test(folder)
  const parts = path.map((part, index) => foldPart(onDrive && index > 0 ? part.replace(/:.*$/s, '') : part))
  const file = [...partsOf(folder), name].map(foldPart)
  // So is the folder that all is relative to, and those above it.
  const working = partsOf(cwd ?? '').map(foldPart)
  if (into === true && parts.every((part, index) => part === working[index])) return false
  // Of a file whose place is known by its end alone, so are the folders above it.
  const ends = anywhere ? file.map((_, length) => parts.slice(-length - 1)) : [parts]
  // Both from the same folder, what stands before a wildcard is no part of where that is.
  const isSame = anywhere && unknown !== true && !/^\s*(?:[/\\~$%]|[a-z]:)/i.test(written)
  const fitting = ends.filter((end) => !isSame || end.length === parts.length || !end[0]?.includes('*'))
  const length = [parts, ...fitting].map((end) => lengthAbove(end, file)).find((found) => found !== undefined)
  if (length === undefined) return false
  if (named === undefined) return true
  // Where it starts has the name by which it is called, and its own where that is a pattern.
  const start = partsOf(written).at(-1) ?? '.'
  const names = [isPattern(start) ? (file[length - 1] ?? '.') : foldName(start), ...file.slice(length)]
  const meant = only === 'file' ? names.slice(-1) : only === 'folder' ? names.slice(0, -1) : names
  return meant.some((part) => named.every((texts) => texts.some((text) => matchText(wildName(text), part))))
}

/** How many of a file's parts a path's are, the file's folders first; undefined where they are others. */
function lengthAbove(parts: readonly string[], file: readonly string[]): number | undefined {
  if (parts.includes('**')) {
    const pattern = parts.map((text) => ({ text }))
    const length = file.findIndex((_, index) => matchParts(pattern, file.slice(0, index + 1)))
    return length < 0 ? undefined : length + 1
  }
  const isSame = parts.length <= file.length && parts.every((part, index) => mayBePart(part, file[index]!))
  return isSame ? parts.length : undefined
}

/** Whether a shell takes a part of a path for a name. A wildcard at its beginning stands for no dot there. */
function mayBePart(part: string, name: string): boolean {
  if (!part.includes('*')) return part === name
  return !(part.startsWith('*') && name.startsWith('.')) && matchText(part, name)
}

/** `.` and `..` are names too. */
function foldName(name: string): string {
  return /^\.+$/.test(name) ? name : foldPart(name)
}

/** The pattern of a name as `find` takes it. */
function wildName(text: string): string {
  return foldName(widened(text))
}
