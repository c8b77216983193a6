import { argumentValues, LONGEST_PATTERN, matchParts, matchText, type TakenPath, toolArgument } from '../gate/index.ts'
import type { ToolArguments } from '../gate/index.ts'
import { foldPart, leadsThroughProcess, partsOf, pathReadings, pathsInside } from '../resources/inside.ts'
import type { ToolArgument, ToolCall } from '../types.ts'
import { alternatives, comparable, isPattern, mayName, pathPatterns, widened } from './path-pattern.ts'
import { pathsTaken } from './taken-paths.ts'

/** One of the host's protected files, and how a call may reach it. */
export interface ProtectedFile {
  readonly file: string
  /** `name`: the call names it. `folder`: it moves, removes or replaces a folder above it. */
  readonly by: 'name' | 'folder'
}

/** What paths are taken by. */
interface Reading {
  readonly toolArguments: ToolArguments
  readonly cwd?: string | undefined
}

/**
 * The first of the host's protected files that a call may name: by a path in whatever spelling, by a pattern that takes
 * it in, or, for tools whose arguments are no paths (a shell, one that is not known), by its name anywhere in the input,
 * with that of its folder unless it lies in the working folder. Else the first with a folder above it that the call may
 * move, remove or replace. By text alone: what a program does by itself is not seen here.
 */
export async function protectedBy(
  call: ToolCall,
  files: readonly string[],
  { toolArguments, cwd }: Reading,
): Promise<ProtectedFile | undefined> {
  if (files.length === 0) return undefined
  const argument = toolArgument(toolArguments, call.tool)
  const named = namedBy(call, files, argument, cwd)
  if (named !== undefined) return { file: named, by: 'name' }
  const taken = await pathsTaken(call, argument)
  const file = taken.length === 0 ? undefined : files.find((each) => mayTakeAway(taken, placeOf(each, cwd), cwd))
  return file === undefined ? undefined : { file, by: 'folder' }
}

function namedBy(
  call: ToolCall,
  files: readonly string[],
  argument: ToolArgument | undefined,
  cwd: string | undefined,
): string | undefined {
  const texts = textsIn(call.input)
  if (argument?.kind === 'path') {
    const declared = new Set((argumentValues(argument, call.input) ?? []).flatMap(({ value }) => textsIn(value)))
    // A tool that only lists names shows nothing of a file, and one that writes takes its path as it stands.
    const expands = argument.reads !== undefined && argument.reads !== false
    return files.find((file) => {
      const place = placeOf(file, cwd)
      return texts.some((text) => {
        const isPath = declared.size === 0 || declared.has(text)
        return (
          mayMean(text, place, cwd) ||
          (isPath && leadsThroughProcess(text, cwd)) ||
          (expands && declared.has(text) && mayTakeIn(text, place, cwd))
        )
      })
    })
  }
  const plain = foldPart(texts.map((text) => text.replaceAll(/["'\\]/g, '')).join('\n'))
  const words = argument?.kind === 'shell' ? patternWords(texts) : []
  return files.find((file) => {
    const place = placeOf(file, cwd)
    return mention(plain, place, cwd) || words.some((word) => mayExpandTo(word, place, cwd))
  })
}

/** A protected file, by its folder and its name in it. */
interface Place {
  readonly folder: string
  readonly name: string
  /** Whether the folder is only the end of its path: the file is relative to a working folder that is not known. */
  readonly anywhere: boolean
}

function placeOf(file: string, cwd: string | undefined): Place {
  const isAbsolute = /^[/\\]|^[a-z]:[/\\]/i.test(file)
  const parts: string[] = []
  for (const part of partsOf(isAbsolute || cwd === undefined ? file : `${cwd}/${file}`)) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  const folder = parts.slice(0, -1).join('/')
  return {
    folder: /^[a-z]:/i.test(folder) ? folder : `/${folder}`,
    name: parts.at(-1) ?? file,
    anywhere: !isAbsolute && cwd === undefined,
  }
}

function mayMean(value: string, place: Place, cwd: string | undefined): boolean {
  if (value.length > LONGEST_PATH) return false
  const { folder, name, anywhere } = place
  const wanted = foldPart(name)
  if (pathsInside(value, folder, cwd).some((inside) => foldPart(inside) === wanted)) return true
  return anywhere && pathReadings(value, folder, cwd).some((parts) => endsAt(parts, place))
}

/** Whether a pattern takes the file in. */
function mayTakeIn(value: string, { folder, name }: Place, cwd: string | undefined): boolean {
  const file = comparable(folder, name)
  return isPattern(value) && pathPatterns(value, folder, cwd).some((pattern) => mayName(pattern, file))
}

/** Characters of a path at the most: what is longer names no file. */
const LONGEST_PATH = 65_536

function endsAt(parts: readonly string[], { folder, name }: Place): boolean {
  const wanted = [...partsOf(folder), name].map(foldPart)
  const end = parts.slice(-wanted.length).map(foldPart)
  return end.length === wanted.length && wanted.every((part, index) => part === end[index])
}

/** Whether a command or other texts speak of a file, quotes and backslashes taken out of them. */
function mention(texts: string, { folder, name }: Place, cwd: string | undefined): boolean {
  const above = cwd !== undefined && comparable(cwd, '') === comparable(folder, '') ? '' : partsOf(folder).at(-1)
  return texts.includes(foldPart(name)) && texts.includes(foldPart(above ?? ''))
}

/** Words of a command that a shell expands. */
function patternWords(texts: readonly string[]): readonly string[] {
  const words = texts.flatMap((text) => text.replaceAll(/["'\\]/g, '').split(/[\s;&|<>()=`]+/))
  return words.filter((word) => word.length <= LONGEST_PATTERN_WORD && /[*?[{]/.test(word))
}

const LONGEST_PATTERN_WORD = 1_000

/** Whether a shell may expand a word to a file: there, a wildcard stands for no slash. */
function mayExpandTo(word: string, { folder, name }: Place, cwd: string | undefined): boolean {
  const wide = word.replaceAll(/\{[^{}]*\}|\[[^\]/]*\]|\?/g, '*')
  const file = [...partsOf(folder), name].map(foldPart)
  return pathReadings(wide, folder, cwd).some(
    (parts) =>
      parts.length === file.length && parts.every((part, index) => matchText(foldPart(part), file[index] ?? '')),
  )
}

/** Somebody's home, and nothing in it. */
const HOME = /^(?:~[^/\\]*|\$HOME|\$\{HOME\}|%USERPROFILE%)$/i

/** Whether one of the paths may be a folder above the file, or the file. */
function mayTakeAway(taken: readonly TakenPath[], place: Place, cwd: string | undefined): boolean {
  return taken.some((one) => {
    const { anywhere, into } = one
    const from = anywhere === true ? undefined : cwd
    const path = one.path.replace(HOME, '$&/')
    // A folder that is there for certain: what is put there, is put into it.
    if (into === true && (/^[./\\]+$/.test(path) || HOME.test(one.path.replace(/[/\\]+$/, '')))) return false
    if (path.length > LONGEST_PATH) return false
    if (leadsThroughProcess(path, from)) return true
    // What cannot be read may mean it.
    const plain = path.length > LONGEST_PATTERN && isPattern(path) ? undefined : alternatives([path])
    if (plain === undefined) return true
    return plain.map(widened).some((text) => {
      const readings = pathReadings(text, place.folder, from)
      // Taken from the root too, `rm -r app` in `/app` would mean `/app` itself.
      const begins = /^\s*(?:[/\\]|[a-z][a-z\d+.-]*:)/i.test(text) ? readings : readings.slice(1)
      return begins.some((parts) => isAbove(parts, one, place, cwd))
    })
  })
}

function isAbove(
  path: readonly string[],
  { into, named }: TakenPath,
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
  const length = [parts, ...ends].map((end) => lengthAbove(end, file)).find((found) => found !== undefined)
  if (length === undefined) return false
  return (
    named === undefined || file.slice(length).some((part) => named.every((text) => matchText(wildName(text), part)))
  )
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

/** The pattern of a name as `find` takes it. */
function wildName(text: string): string {
  return foldPart(widened(text))
}

/** Every text of an input, however deep. Inputs are bounded in depth before. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)])
}
