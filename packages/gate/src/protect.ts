import { type ReadCall, textsOf } from './call.ts'
import { expandedPaths, mayExpandTo, mentionedPaths, mentions, searchableText } from './command/mention.ts'
import { MAX_CALL_CHARS } from './limits.ts'
import { leadsThroughProcess, partsOf, pathReadings, readProtectedPath } from './paths/inside.ts'
import { joinedPaths } from './paths/joined-paths.ts'
import { comparablePath, expandPattern, foldParts, isPattern, mayName, placePatterns } from './paths/path-pattern.ts'

/** One of the host's protected paths, and how a call may reach it. */
export interface ProtectedFile {
  readonly file: string
  /** `name`: the call names it or something below. `folder`: it may change a folder above. `text`: it is mentioned. */
  readonly by: 'name' | 'folder' | 'text'
}

/**
 * The first of the host's protected paths that a call may reach. Tools for files: by resolved paths, and by patterns
 * that match it; those that do not only read may not name a folder above it either. All other tools: by mention,
 * anywhere in their input. What a program does by itself is not seen here.
 */
export function protectedBy(call: ReadCall, files: readonly string[]): ProtectedFile | undefined {
  if (files.length === 0) return undefined
  if (call.isUnreadable) return { file: files[0]!, by: 'text' }
  return call.argument?.kind === 'path' ? namedByPath(call, files) : mentionedBy(call, files)
}

/** Uses of a tool that change no folder. */
const READING: ReadonlySet<string> = new Set(['Read', 'NotebookRead', 'LS', 'Glob', 'Grep'])

function namedByPath(call: ReadCall, files: readonly string[]): ProtectedFile | undefined {
  const { argument, cwd, as, known } = call
  const read = call.arguments
  const isText = 'values' in read && read.values.every(({ text }) => text !== undefined)
  const isMissing = 'problem' in read && read.missing
  const declared = isText || isMissing ? textsOf(read) : textsIn(call.input)
  const joined = joinedPaths(call, declared)
  const paths = [...declared, ...joined.flatMap(({ text }) => text ?? [])]
  const isReading = (argument!.reads ?? false) !== false
  const changes = as === undefined ? known.by !== undefined || !isReading : !READING.has(as)
  const globs = new Set([...(isReading ? declared : []), ...joined.flatMap(({ text }) => text ?? [])].filter(isPattern))
  const expanded = expandAll(globs, MAX_CALL_CHARS - lettersOf(paths))
  const isUncertain = expanded === undefined || joined.some(({ text }) => text === undefined)
  if (isUncertain || paths.some(leadsThroughProcess)) return { file: files[0]!, by: 'name' }
  for (const file of files) {
    const { folder, name, isPartial } = readProtectedPath(file, cwd)
    const whole = `${folder}/${name}`
    const parts = foldParts(partsOf(whole), folder)
    const readings = paths.flatMap((path) =>
      pathReadings(path, whole, cwd).map((reading) => foldParts(reading, folder)),
    )
    const isNamed =
      readings.some((path) => isWithin(path, parts) || (isPartial && isWithin(path.slice(-parts.length), parts))) ||
      placePatterns(expanded, whole, cwd).some((pattern) => {
        // What it names may also lie below the file, if that is a folder.
        const above = pattern.split('/').slice(0, parts.length).join('/')
        return [pattern, above].some((each) => mayName(each, comparablePath(folder, name)))
      })
    if (isNamed) return { file, by: 'name' }
    if (changes && readings.some((path) => isWithin(parts, path))) return { file, by: 'folder' }
  }
  return undefined
}

/** What patterns may match; undefined: anything, or more than this many letters. */
function expandAll(globs: Iterable<string>, max: number): readonly string[] | undefined {
  const expanded: string[] = []
  let left = max
  for (const glob of globs) {
    const texts = left < 0 ? undefined : expandPattern(glob)
    if (texts === undefined) return undefined
    expanded.push(...texts)
    left -= lettersOf(texts)
  }
  return left < 0 ? undefined : expanded
}

function lettersOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}

function isWithin(path: readonly string[], folder: readonly string[]): boolean {
  return folder.length <= path.length && folder.every((part, index) => part === path[index])
}

function mentionedBy(call: ReadCall, files: readonly string[]): ProtectedFile | undefined {
  const texts = textsIn(call.input)
  const searched = texts.map(searchableText)
  const isShell = call.argument?.kind === 'shell' || call.maybe.includes('Bash')
  const commands = textsOf(call.arguments)
  const lines = isShell ? (commands.length > 0 ? commands : texts) : []
  const expanded = lines.flatMap((text) => expandedPaths(call.line(text)))
  const file = files.find((each) =>
    mentionedPaths(each, call.cwd).some(
      (path, index) =>
        searched.some((text) => mentions(text, path.at(-1) ?? '', index > 0)) ||
        expanded.some((parts) => mayExpandTo(parts, path, index === 0)),
    ),
  )
  return file === undefined ? undefined : { file, by: 'text' }
}

/** Every text of an input and the names of its properties. */
function textsIn(input: unknown): readonly string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value === 'string') found.push(value)
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) found.push(...Object.keys(value))
    for (const item of Object.values(value)) visit(item)
  }
  visit(input)
  return found
}
