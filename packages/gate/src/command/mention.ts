import { commands } from '../load-commands.ts'
import { foldPart, partsOf, readProtectedPath } from '../paths/inside.ts'
import { expandBraces } from '../paths/path-pattern.ts'
import { codeOf } from './interpreters.ts'
import type { ShellLine } from './line.ts'
import { ANYTHING, hasPattern, matchShape } from './word.ts'

/** A protected path and its parents below the working folder, each as its parts, folded. The path itself is first. */
export function mentionedPaths(file: string, cwd: string | undefined): readonly (readonly string[])[] {
  const { folder, name, isPartial } = readProtectedPath(file, cwd)
  const base = cwd === undefined ? [] : partsOf(cwd)
  const parents = partsOf(folder)
  const isBelow = isPartial || (cwd !== undefined && base.every((part, index) => part === parents[index]))
  const own = isBelow ? parents.slice(base.length) : []
  const path = [...parents, name].map(foldPart)
  return [path, ...own.map((_, index) => path.slice(0, path.length - 1 - index))]
}

/** A text as it is searched for names: without variables, quotes and backslashes, in lower case. */
export function searchableText(text: string): string {
  const plain = text.replaceAll(/\\\r?\n/g, '').replaceAll(/\$\{\w+:?[-+=]/g, ' ')
  // A variable may be empty, or end a folder. A backslash keeps the next letter, or begins a new line or a separator.
  return ['', ' ']
    .map((value) => plain.replaceAll(/\$(?:[A-Za-z_]\w*|\{\w*\})/g, value).replaceAll(/["']|\$(?=["'])/g, ''))
    .flatMap((each) => ['', '\n'].map((replacement) => foldPart(each.replaceAll('\\', replacement))))
    .join('\n')
}

/** What continues a name, so that a longer one is not taken for it: `.env.example`, `process.env`. */
const LONGER_BEFORE = /[\p{L}\p{N}_.-]$/u
const LONGER_AFTER = /^\.*[\p{L}\p{N}_-]/u
/** Letters of options, to which a name may be glued: `-o.env`. */
const OPTION_BEFORE = /(?:^|[^\p{L}\p{N}_.-])-[a-z\d]+$/u
/** What lies below a folder is not the folder. */
const BELOW = /^\/+\.?[\p{L}\p{N}_-]/u

/** Whether a text of `searchableText` holds a path's name as a whole part of one; a folder's, as the last part. */
export function mentions(text: string, name: string, isFolder: boolean): boolean {
  // The whole file system, or a name of dots alone: any text may mean it.
  if (name === '') return true
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 20), at)
    const isLonger = LONGER_BEFORE.test(before) && !OPTION_BEFORE.test(before)
    const after = text.slice(at + name.length, at + name.length + 10)
    if (!isLonger && !LONGER_AFTER.test(after) && !(isFolder && BELOW.test(after))) return true
  }
  return false
}

/** Pieces of shell code in one line that are read, and words with groups in braces. */
const MAX_CODES = 32
const MAX_BRACES = 32

const ANY_PATH = `${ANYTHING}\uE001`

/** The paths that a shell partly expands in a line, or in code that it gives to shells: parts of their shapes. */
export function expandedPaths(line: ShellLine): readonly (readonly string[])[] {
  return [...new Set(expandedShapes(line))].map((shape) =>
    shape
      .toLowerCase()
      .replace(/^\/+proc\/.*\/(?:cwd|root)(?=\/)/, '..')
      .split('/')
      .filter((part) => part !== '' && part !== '.'),
  )
}

function expandedShapes(line: ShellLine, limits = { codes: MAX_CODES }): readonly string[] {
  if (line.problem !== undefined) return roughShapes(line.text)
  if (line.expanded.filter(({ expands }) => expands.has('braces')).length > MAX_BRACES) return [ANY_PATH]
  const shapes = line.expanded.flatMap(({ text, shape, expands }) =>
    expands.has('braces') ? roughShapes(text) : hasPattern(shape) ? [shape] : [],
  )
  const codes = line.commands.flatMap((command) => codeOf(command).lines)
  const inner = codes.flatMap((code) =>
    --limits.codes < 0 ? [ANY_PATH] : expandedShapes(commands().readLine(code), limits),
  )
  return [...shapes, ...inner]
}

/** The same of a text that cannot be read, or that holds groups in braces. */
function roughShapes(text: string): readonly string[] {
  const words = text
    .replaceAll(/["'\\]/g, '')
    .replaceAll(/\$(?:\w+|\{[^{}]*\})/g, ANYTHING)
    .split(/[\s;&|<>()=:]+/)
  return words
    .filter((word) => /[*?[{]/.test(word) && !/^\{\d+\.\.\d+\}$/.test(word))
    .flatMap((word) => expandBraces([word]) ?? [ANY_PATH])
    .map((part) => part.replaceAll('*', '\uE001').replaceAll(/\[[^\]]{0,50}\]|\?/g, '\uE002'))
    .filter((shape) => hasPattern(shape) || !shape.includes(ANYTHING))
}

// A part that is `*` alone would match every protected file of its folder.
const NAMING = /[^\uE000-\uE002]/

/**
 * Whether a shell may expand a word to a path, or to what lies below it, from whatever folder: their last parts match,
 * as far as both have some. A wildcard does not match a dot at the beginning of a name.
 */
export function mayExpandTo(parts: readonly string[], path: readonly string[], orBelow: boolean): boolean {
  const first = parts.findIndex((part) => hasPattern(part))
  const ends = parts.flatMap((part, index) =>
    index === parts.length - 1 || (orBelow && index >= first && NAMING.test(part)) ? [index + 1] : [],
  )
  return ends.some((end) => endsWith(parts, end, path))
}

function endsWith(parts: readonly string[], end: number, path: readonly string[]): boolean {
  for (let back = 1; back <= Math.min(end, path.length); back++) {
    const [part, name] = [parts[end - back]!, path.at(-back)!]
    if (part.includes(ANYTHING) || part === '..' || part.startsWith('~')) return true
    if (name.startsWith('.') && hasPattern(part[0]!)) return false
    if (!matchShape(part, name)) return false
  }
  return true
}
