import { foldPart, partsOf, resolved } from '../inside.ts'
import type { ShellLine } from './line.ts'
import { ANYTHING, matchShape, type ShellWord } from './word.ts'

/** The names that mention a protected path: its own, and those of its parents below the working folder. */
export function mentionedNames(file: string, cwd: string | undefined): readonly string[] {
  const base = cwd === undefined ? [] : partsOf(cwd)
  const isAbsolute = /^[/\\]|^[a-z]:[/\\]/i.test(file)
  const parts = resolved(isAbsolute ? [] : base, file)
  const isBelow = base.every((part, index) => part === parts[index])
  const names = isBelow ? parts.slice(base.length) : parts.slice(-1)
  return names.map(foldPart).filter((name) => name !== '')
}

/** A text as it is searched for names: without variables, quotes and backslashes, in lower case. */
export function searchableText(text: string): string {
  const plain = text.replaceAll(/\\\r?\n|\$(?:[A-Za-z_]\w*|\{\w*\}|(?=["']))/g, '').replaceAll(/["'\\]/g, '')
  return foldPart(plain)
}

/** What continues a name, so that a longer one is not taken for it: `.env.example`, `process.env`. */
const LONGER_BEFORE = /[\p{L}\p{N}_.-]$/u
const LONGER_AFTER = /^\.*[\p{L}\p{N}_-]/u

/** Whether a text of `searchableText` holds a name as a whole part of a path. */
export function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at)
    const after = text.slice(at + name.length, at + name.length + 10)
    if (!LONGER_BEFORE.test(before) && !LONGER_AFTER.test(after)) return true
  }
  return false
}

/** The words of a line that a shell expands to names of files, as shapes of the parts of paths. */
export function expandedParts(line: ShellLine): readonly string[] {
  if (line.problem !== undefined) return roughParts(line.text)
  const words = line.commands.flatMap(({ words: own, assignments, redirects }) => [
    ...own,
    ...assignments.flatMap(({ values }) => values),
    ...redirects.flatMap(({ target }) => target ?? []),
  ])
  return [
    ...new Set(words.filter(isExpanded).flatMap(({ shape }) => shape.replaceAll(ANYTHING, '').split('/'))),
  ].filter(hasWildcard)
}

function isExpanded({ expands }: ShellWord): boolean {
  return expands.has('pattern') || expands.has('braces') || expands.has('other')
}

/** The same of a text that cannot be read. */
function roughParts(text: string): readonly string[] {
  return text
    .replaceAll(/["'\\]/g, '')
    .split(/[\s;&|<>()=:/]+/)
    .map((part) => part.replaceAll(/\{[^{}]*\}|\*/g, '\uE001').replaceAll(/\[[^\]]*\]|\?/g, '\uE002'))
    .filter(hasWildcard)
}

function hasWildcard(part: string): boolean {
  return /[\uE001\uE002]/.test(part)
}

/** A longer pattern may match any name. */
const MAX_PART = 255

/** Whether a shell may expand a part of a path to a name. A wildcard does not match a dot at the beginning. */
export function mayExpandTo(part: string, name: string): boolean {
  if (part.length > MAX_PART) return true
  if (name.startsWith('.') && hasWildcard(part[0]!)) return false
  return matchShape(part.toLowerCase(), name)
}
