import { wordsExpanded } from '../commands.ts'
import { argumentValues, MAX_PATTERN_CHARS, matchParts, toolArgument } from '../index.ts'
import type { ToolArguments } from '../index.ts'
import { foldPart, leadsThroughProcess, partsOf, pathReadings, pathsInside } from '../../resources/inside.ts'
import type { ToolArgument, ToolCall } from '../../ports/tool.ts'
import { mayTakeAway, readTaken } from './parent-folders.ts'
import { braced, comparable, isPattern, mayName, pathPatterns } from './path-pattern.ts'
import { MAX_PATH_CHARS, MAX_READ, type Place, placeOf } from './protected-path.ts'
import { mutatedPaths } from './mutated-paths.ts'

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
  const argument = toolArgument(toolArguments, call.tool)
  const named = await namedBy(call, files, argument, cwd)
  if (named !== undefined) return { file: named, by: 'name' }
  const taken = await mutatedPaths(call, argument)
  const read = taken.length === 0 ? [] : readTaken(taken, argument?.kind === 'shell', cwd)
  const file = files.find((each) => read === undefined || mayTakeAway(read, placeOf(each, cwd), cwd))
  return file === undefined ? undefined : { file, by: 'folder' }
}

async function namedBy(
  call: ToolCall,
  files: readonly string[],
  argument: ToolArgument | undefined,
  cwd: string | undefined,
): Promise<string | undefined> {
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
  // A line that goes on joins to nothing.
  const unquoted = texts.map((text) => text.replaceAll(/\\\r?\n|["']/g, '')).join('\n')
  // A backslash keeps the next letter, or ends a name: as a separator, or with a letter that means a new line.
  const plain = ['', '\n'].map((put) => foldPart(unquoted.replaceAll('\\', put)))
  if (texts.some((text) => text.includes("$'"))) plain.push(foldPart(decoded(unquoted)))
  const words = argument?.kind === 'shell' ? await patternWords(texts) : []
  const dots = DOTS.test(unquoted)
  return files.find((file) => {
    const place = placeOf(file, cwd)
    return (
      plain.some((text) => mention(text, place, cwd)) ||
      words === undefined ||
      words.some((word) => mayExpandTo(word, place, { cwd, dots }))
    )
  })
}

/** What `$'…'` makes of the numbers of letters, the `$` taken away. */
function decoded(text: string): string {
  return text.replaceAll('$', '').replaceAll(NUMBERED, (_, ...found: readonly (string | undefined)[]) => {
    const [hex, octal] = [found.slice(0, 3).find(Boolean), found[3]]
    const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16)
    return code > 0x10ff_ff ? '' : String.fromCodePoint(code)
  })
}

const NUMBERED = /\\x([\da-fA-F]{1,2})|\\u([\da-fA-F]{1,4})|\\U([\da-fA-F]{1,8})|\\([0-7]{1,3})/g

function mayMean(value: string, place: Place, cwd: string | undefined): boolean {
  if (value.length > MAX_PATH_CHARS) return false
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

function endsAt(parts: readonly string[], { folder, name }: Place): boolean {
  const wanted = [...partsOf(folder), name].map(foldPart)
  const end = parts.slice(-wanted.length).map(foldPart)
  return end.length === wanted.length && wanted.every((part, index) => part === end[index])
}

/** Whether a command or other texts speak of a file, quotes and backslashes taken out of them. */
function mention(texts: string, { folder, name }: Place, cwd: string | undefined): boolean {
  const above = cwd !== undefined && comparable(cwd, '') === comparable(folder, '') ? '' : partsOf(folder).at(-1)
  return holdsName(texts, foldPart(name)) && texts.includes(foldPart(above ?? ''))
}

/** Whether a name stands in a text, and not as the beginning of a longer one. */
function holdsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    LONGER.lastIndex = at + name.length
    if (!LONGER.test(text)) return true
  }
  return false
}

/** A dot or a dash at the end may be one of a sentence, and some file systems drop it. */
const LONGER = /[.-]{0,9}[\p{L}\p{N}_]/uy

/** Words of commands that a shell expands, without braces; undefined where they are too many. */
async function patternWords(texts: readonly string[]): Promise<readonly string[] | undefined> {
  const words = (await Promise.all(texts.map(wordsExpanded))).flat()
  const found: string[] = []
  for (const word of new Set(words)) {
    if (word.length > MAX_PATTERN_CHARS) continue
    const plain = braced(word)
    if (plain === undefined || found.length + plain.length > MAX_READ) return undefined
    found.push(...plain.filter((text) => text !== word || /[*?[]/.test(text)).map(oneForOne))
  }
  return found
}

/** What makes a shell's wildcards stand for dots at the beginning of a name. */
const DOTS = /dotglob|glob_?dots|\*\(\w*D/i

/** A pattern in which a group is `*`, and a set of letters `?`. */
function oneForOne(text: string): string {
  return text.replace(/[@!+?*]\(.*\)/gs, '*').replaceAll(SET, '?')
}

/** A set of letters holds one, so `[]` is none. */
const SET = /\[[!^]?\]?(?:\[:\w+:\]|[^\]/])*\]/g

interface Expansion {
  readonly cwd: string | undefined
  /** Whether a wildcard stands for a dot at the beginning of a name. */
  readonly dots: boolean
}

/** Whether a shell may expand a word to a file: there, a wildcard stands for no slash. */
function mayExpandTo(word: string, { folder, name }: Place, { cwd, dots }: Expansion): boolean {
  const file = [...partsOf(folder), name].map(foldPart)
  return pathReadings(word, folder, cwd).some(
    (parts) =>
      parts.length === file.length &&
      parts.every((part, index) => {
        const text = file[index]!
        if (!dots && text.startsWith('.') && /^[*?]/.test(part)) return false
        return matchParts([{ text: foldPart(part) }], [text])
      }),
  )
}

/** Every text of an input, however deep. Inputs are bounded in depth before. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)])
}
