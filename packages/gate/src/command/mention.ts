import { foldPart, partsOf, readProtectedPath } from '../paths/inside.ts'
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
  const plain = text.replaceAll(/\\\r?\n|["']|\$(?:[A-Za-z_]\w*|\{\w*\}|(?=["']))/g, '')
  // A backslash keeps the next letter, or begins one that means something else: a new line, a separator.
  return ['', '\n'].map((replacement) => foldPart(plain.replaceAll('\\', replacement))).join('\n')
}

/** What continues a name, so that a longer one is not taken for it: `.env.example`, `process.env`. */
const LONGER_BEFORE = /[\p{L}\p{N}_.-]$/u
const LONGER_AFTER = /^\.*[\p{L}\p{N}_-]/u
/** What lies below a folder is not the folder. */
const BELOW = /^\/+\.?[\p{L}\p{N}_-]/u

/** Whether a text of `searchableText` holds the name of a path as a whole part of one; of a folder, as the last part. */
export function mentions(text: string, name: string, isFolder: boolean): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at)
    const after = text.slice(at + name.length, at + name.length + 10)
    if (!LONGER_BEFORE.test(before) && !LONGER_AFTER.test(after) && !(isFolder && BELOW.test(after))) return true
  }
  return false
}

/** The words of a line that a shell expands to names of files, as shapes. */
export function expandedShapes(line: ShellLine): readonly string[] {
  const shapes = line.problem === undefined ? line.expanded.map(({ shape }) => shape) : roughShapes(line.text)
  return [...new Set(shapes)].filter(hasPattern)
}

/** The same of a text that cannot be read. */
function roughShapes(text: string): readonly string[] {
  return text
    .replaceAll(/["'\\]/g, '')
    .split(/[\s;&|<>()=:]+/)
    .map((part) => part.replaceAll(/\{[^{}]*\}|\*/g, '\uE001').replaceAll(/\[[^\]]{0,50}\]|\?/g, '\uE002'))
}

/** A longer pattern may match any name. */
const MAX_PART = 255

/**
 * Whether a shell may expand a word to a path, from whatever folder: their last parts match, as far as both have some. A
 * wildcard does not match a dot at the beginning of a name.
 */
export function mayExpandTo(shape: string, path: readonly string[]): boolean {
  const parts = shape
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  for (let back = 1; back <= Math.min(parts.length, path.length); back++) {
    const [part, name] = [parts.at(-back)!, path.at(-back)!]
    if (part.includes(ANYTHING) || part === '..' || part.startsWith('~') || part.length > MAX_PART) return true
    if (name.startsWith('.') && hasPattern(part[0]!)) return false
    if (!matchShape(part, name)) return false
  }
  return parts.length > 0
}
