import { foldPart, fromFileUrl, leadsThroughProcess, partsOf, pathReadings, pathsInside } from '../inside.ts'
import type { ToolArgument } from '../ports/tool.ts'
import { commandSequence } from '../arguments.ts'
import { MAX_CALL_PATHS, MAX_FILE_PATH_CHARS, MAX_PATTERN_CHARS } from '../limits.ts'
import { expandBraces, matchesDots, mayExpandPart, simplify } from './expansion.ts'
import { mutatedPaths } from './mutated-paths.ts'
import { mayMutate, preparePaths } from './parent-folders.ts'
import { mayReach } from './reach.ts'
import { shellArgument, type ReadCall } from '../call.ts'
import { workingFolders } from '../shell-input.ts'
import { isFixed } from '../shell/walk.ts'
import type { LocatedWords } from '../shell/file-words.ts'
import {
  type ProtectedPath,
  comparablePath,
  isPattern,
  mayName,
  pathPatterns,
  readProtectedPath,
} from './path-pattern.ts'

/** One of the host's protected files, and how a call may reach it. */
export interface ProtectedFile {
  readonly file: string
  /** `name`: the call names it. `folder`: the call moves, removes or replaces a folder above it. */
  readonly by: 'name' | 'folder'
}

/**
 * The first of the host's protected files that a call may name: by a path in whatever spelling, by a pattern that matches
 * it, or, for tools whose arguments are not paths (a shell, one that is not known), by its name anywhere in the input,
 * with that of its folder unless it lies in the working folder. Otherwise the first with a folder above it that the call
 * may move, remove or replace. By text alone: what a program does by itself is not seen here.
 */
export function protectedBy(call: ReadCall, files: readonly string[]): ProtectedFile | undefined {
  const named = call.argument?.kind === 'path' ? namedByPath(call, files) : namedByText(call, files)
  if (named !== undefined) return { file: named, by: 'name' }
  const shell = shellArgument(call)
  const mutated = mutatedPaths(call)
  const paths = mutated.length === 0 ? [] : preparePaths(mutated, shell !== undefined, call.cwd)
  const file = files.find(
    (each) => paths === undefined || mayMutate(paths, readProtectedPath(each, call.cwd), call.cwd),
  )
  if (file !== undefined) return { file, by: 'folder' }
  const reached = shell === undefined ? undefined : reachedByCommand(call, shell, files)
  return reached === undefined ? undefined : { file: reached, by: 'name' }
}

/** The first file that a word of a command may be, in the folders that the command runs in. */
function reachedByCommand(call: ReadCall, shell: ToolArgument, files: readonly string[]): string | undefined {
  const { input, cwd } = call
  const read = call.readArgument(shell)
  const texts = [...textsIn(input), ...('values' in read ? commandSequence(read.values) : [])]
  const located = wordsInFolders(call, shell, texts)
  const dots = texts.some(matchesDots)
  return files.find((file) => {
    const path = readProtectedPath(file, cwd)
    const budget = { left: MAX_CALL_PATHS }
    return located.some((group) => mayReach(group, path, { cwd, dots, budget }))
  })
}

function namedByPath(
  { argument, arguments: read, input, cwd }: ReadCall,
  files: readonly string[],
): string | undefined {
  const declared = new Set('values' in read ? read.values.flatMap(({ value }) => textsIn(value)) : [])
  // A tool that only lists names shows nothing of a file, and one that writes uses its path literally.
  const expands = argument?.reads !== undefined && argument.reads !== false
  const texts = textsIn(input)
  const joined = texts.length > 1 ? joinedPaths(texts, (text) => expands && declared.has(text)) : []
  return files.find((file) => {
    const path = readProtectedPath(file, cwd)
    if (joined.some((group) => mayReach(group, path, { cwd, dots: true, budget: { left: MAX_CALL_PATHS } })))
      return true
    return texts.some((text) => {
      const isPath = declared.size === 0 || declared.has(text)
      return (
        mayBePath(text, path, cwd) ||
        (isPath && leadsThroughProcess(text, cwd)) ||
        (expands && declared.has(text) && mayMatch(text, path, cwd))
      )
    })
  })
}

/** Texts that a tool may join to one path, each of which may stand before the others. */
function joinedPaths(texts: readonly string[], expands: (text: string) => boolean): readonly LocatedWords[] {
  const paths = texts
    .filter((text) => text.length <= MAX_PATTERN_CHARS && !text.includes('\n'))
    .map((text) => fromFileUrl(expands(text) ? text : asLiteral(text)))
  const climbing = paths.filter((path) => path.includes('..'))
  if (paths.length * climbing.length > MAX_CALL_PATHS) return [{ words: paths, folders: ['', undefined] }]
  const pairs = climbing.flatMap((path) => paths.filter((base) => base !== path).map((base) => `${base}/${path}`))
  return [{ words: [...paths, ...paths, ...pairs], folders: [''] }]
}

/** A text in which nothing stands for anything else. */
function asLiteral(text: string): string {
  return text.replaceAll(/[*?[\]{},()]/g, '\0')
}

function namedByText(call: ReadCall, files: readonly string[]): string | undefined {
  const { input, cwd } = call
  const texts = textsIn(input)
  // A line that is continued joins the next one without a blank.
  const unquoted = texts.map((text) => text.replaceAll(/\\\r?\n|["']/g, '')).join('\n')
  // A backslash keeps the next letter, or ends a name: as a separator, or with a letter that means a new line.
  const plain = ['', '\n'].map((replacement) => foldPart(unquoted.replaceAll('\\', replacement)))
  if (/%[\da-f]{2}/i.test(unquoted)) plain.push(foldPart(decodePercents(unquoted)))
  if (texts.some((text) => text.includes("$'"))) plain.push(foldPart(decodeEscapes(unquoted)))
  const words = shellArgument(call) === undefined ? [] : patternWords(call, texts)
  const dots = matchesDots(unquoted)
  return files.find((file) => {
    const path = readProtectedPath(file, cwd)
    return (
      plain.some((text) => mentions(text, path, cwd)) ||
      words === undefined ||
      words.some((word) => mayExpandTo(word, path, { cwd, dots }))
    )
  })
}

/** The words of the call's commands, in the folders that they run in: from the session's, or from one that the call names. */
function wordsInFolders(call: ReadCall, shell: ToolArgument, texts: readonly string[]): readonly LocatedWords[] {
  const from = workingFolders(shell, call.input)
  const groups = texts.flatMap((text) => call.commandLine(text).locatedWords)
  if (from.length === 0) return groups
  return groups.map(({ words, folders }) => ({
    words,
    folders: [
      ...folders,
      ...from.flatMap((base) => folders.map((folder) => (base === undefined ? base : below(base, folder)))),
    ],
  }))
}

/** A folder as it is seen from the folder that the call names. */
function below(base: string, folder: string | undefined): string | undefined {
  if (folder === undefined || isFixed(folder)) return folder
  return folder === '' ? base : `${base}/${folder}`
}

/** Decodes what an address has instead of letters: `%2e`. */
function decodePercents(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Decodes the numbers of letters in `$'…'`, and removes the `$`. */
function decodeEscapes(text: string): string {
  return text.replaceAll('$', '').replaceAll(NUMBERED, (_, ...found: readonly (string | undefined)[]) => {
    const [hex, octal] = [found.slice(0, 3).find(Boolean), found[3]]
    const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16)
    return code > 0x10ff_ff ? '' : String.fromCodePoint(code)
  })
}

const NUMBERED = /\\x([\da-fA-F]{1,2})|\\u([\da-fA-F]{1,4})|\\U([\da-fA-F]{1,8})|\\([0-7]{1,3})/g

function mayBePath(value: string, path: ProtectedPath, cwd: string | undefined): boolean {
  if (value.length > MAX_FILE_PATH_CHARS) return false
  const { folder, name, isPartial } = path
  const wanted = foldPart(name)
  if (pathsInside(value, folder, cwd).some((inside) => foldPart(inside) === wanted)) return true
  return isPartial && pathReadings(value, folder, cwd).some((parts) => endsWith(parts, path))
}

/** Whether a pattern may match the file. */
function mayMatch(value: string, { folder, name }: ProtectedPath, cwd: string | undefined): boolean {
  const file = comparablePath(folder, name)
  return isPattern(value) && pathPatterns(value, folder, cwd).some((pattern) => mayName(pattern, file))
}

function endsWith(parts: readonly string[], { folder, name }: ProtectedPath): boolean {
  const wanted = [...partsOf(folder), name].map(foldPart)
  const end = parts.slice(-wanted.length).map(foldPart)
  return end.length === wanted.length && wanted.every((part, index) => part === end[index])
}

/** Whether a command or other texts name a file, once quotes and backslashes are removed from them. */
function mentions(texts: string, { folder, name }: ProtectedPath, cwd: string | undefined): boolean {
  const parent =
    cwd !== undefined && comparablePath(cwd, '') === comparablePath(folder, '') ? '' : partsOf(folder).at(-1)
  return holdsName(texts, foldPart(name)) && texts.includes(foldPart(parent ?? ''))
}

/** Whether a name occurs in a text, and not as the beginning of a longer one. */
function holdsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    LONGER.lastIndex = at + name.length
    if (!LONGER.test(text)) return true
  }
  return false
}

/** A dot or a dash at the end may be one of a sentence, and some file systems drop it. */
const LONGER = /[.-]{0,9}[\p{L}\p{N}_]/uy

/** The words of commands that a shell expands, without braces; undefined where they are too many. */
function patternWords(call: ReadCall, texts: readonly string[]): readonly string[] | undefined {
  const words = texts.flatMap((text) => call.commandLine(text).expandedWords)
  const found: string[] = []
  for (const word of new Set(words)) {
    if (word.length > MAX_PATTERN_CHARS) continue
    const plain = expandBraces(word)
    if (plain === undefined || found.length + plain.length > MAX_CALL_PATHS) return undefined
    found.push(...plain.filter((text) => text !== word || /[*?[]/.test(text)).map(simplify))
  }
  return found
}

interface Expansion {
  readonly cwd: string | undefined
  /** Whether a wildcard matches a dot at the beginning of a name. */
  readonly dots: boolean
}

/** Whether a shell may expand a word to a file: there, a wildcard does not match a slash. */
function mayExpandTo(word: string, { folder, name }: ProtectedPath, { cwd, dots }: Expansion): boolean {
  const file = [...partsOf(folder), name].map(foldPart)
  return pathReadings(word, folder, cwd).some(
    (parts) =>
      parts.length === file.length &&
      parts.every((part, index) => {
        return mayExpandPart(part, file[index]!, dots)
      }),
  )
}

/** Every text of an input, however deep. Inputs are bounded in depth before. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)])
}
