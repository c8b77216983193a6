import { foldPart, fromFileUrl, partsOf, pathReadings } from '../inside.ts'
import { matchParts } from '../glob.ts'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import type { LocatedWords } from '../shell/file-words.ts'
import { VARIABLE } from '../shell/variables.ts'
import { expandBraces, mayExpandPart, simplify } from './expansion.ts'
import type { ProtectedPath } from './path-pattern.ts'

/** How words are compared with protected files. */
export interface ReachContext {
  readonly cwd: string | undefined
  /** Whether a wildcard matches a dot at the beginning of a name. */
  readonly dots: boolean
  /** How many more paths of the call are compared. With more of them it may reach any file. */
  readonly budget: { left: number }
}

/** A path that means the same in every folder. */
const FIXED = /^\s*(?:[/\\~]|[a-z]:|file:|\$\{?HOME\b|%USERPROFILE%)/i

/** Links that every process has. */
const PROCESS_LINKS = ['cwd', 'root', 'fd', 'map_files', 'task']

/**
 * Whether words of a command may name a protected file, by what a shell may expand them to, in the folders that the
 * command may run in. Each word may also be a folder that those behind it are relative to: `git -C folder`,
 * `env --chdir=folder`, `tar -C folder`, a path and a file's name in arguments of their own.
 */
export function mayReach(
  { words, folders }: LocatedWords,
  { folder, name }: ProtectedPath,
  { cwd, dots, budget }: ReachContext,
): boolean {
  const file = [...partsOf(folder), name].map(foldPart)
  const names = new Set(file)
  // How many parts of the file's path a folder of the command has.
  const depths = new Set<number>()

  /** How much of the file's path a path may be: all of it, one of its folders, or nothing. */
  function lengthOf(parts: readonly string[]): number | undefined {
    if (parts.some((part) => /^\*\*+$/.test(part))) {
      const pattern = parts.map((text) => ({ text: foldPart(text) }))
      if (matchParts(pattern, file)) return file.length
      const at = file.findIndex((_, index) => matchParts(pattern, file.slice(0, index + 1)))
      return at < 0 ? undefined : at + 1
    }
    const isMatch = parts.length <= file.length && parts.every((part, at) => mayExpandPart(part, file[at]!, dots))
    return isMatch ? parts.length : undefined
  }

  function mayEnd(parts: readonly string[]): boolean {
    const end = file.slice(-parts.length)
    return (
      parts.length > 0 && end.length === parts.length && parts.every((part, at) => mayExpandPart(part, end[at]!, dots))
    )
  }

  function readingsOf(text: string): readonly (readonly string[])[] {
    if (FIXED.test(text)) return pathReadings(text, folder, cwd)
    const inFolders = folders.flatMap((base) => {
      if (base === undefined) return []
      const joined = base === '' ? text : `${base}/${text}`
      // Read from the root, a relative path would be another one.
      return FIXED.test(joined) ? pathReadings(joined, folder, cwd) : pathReadings(joined, folder, cwd).slice(1)
    })
    return [...inFolders, ...Array.from(depths, (depth) => resolveFrom(file.slice(0, depth), text))]
  }

  for (const word of words) {
    const found: number[] = []
    for (const piece of piecesOf(word)) {
      if (!isRelevant(piece, names)) continue
      // A pattern that is not read may stand for any file.
      if (isTooLong(piece, file)) continue
      const texts = piece.length > MAX_PATTERN_CHARS ? undefined : expandBraces(piece)
      if (texts === undefined) return true
      for (const text of texts.map(simplify).filter((each) => isRelevant(each, names))) {
        const readings = readingsOf(text)
        budget.left -= readings.length
        if (budget.left < 0) return true
        for (const parts of readings) {
          const length = lengthOf(parts)
          if (length === file.length) return true
          if (length !== undefined && length > 0) found.push(length)
          if (isProcessLink(parts) && [3, 4, 6].some((at) => mayEnd(parts.slice(at)))) return true
        }
        if (folders.includes(undefined) && !FIXED.test(text) && mayEnd(behindSteps(text))) return true
      }
    }
    for (const length of found) depths.add(length)
  }
  return false
}

/** A word, and what in it may be the value of an option. */
function piecesOf(word: string): readonly string[] {
  const at = word.indexOf('=')
  return [
    word,
    ...(at >= 0 ? [word.slice(at + 1)] : []),
    ...(/^-[^-]/.test(word) && word.length > '-C'.length ? [word.slice('-C'.length)] : []),
  ]
}

/** Whether the last part of a path may be one of the names, or a step. Most words are neither. */
function isRelevant(piece: string, names: ReadonlySet<string>): boolean {
  // What a variable holds as a whole word is not known.
  if (piece.includes(VARIABLE)) return /[\p{L}\p{N}]/u.test(fromFileUrl(piece))
  if (/[*?[{(]/.test(piece)) return true
  const last = partsOf(piece).at(-1)
  return last !== undefined && (/^\.+$/.test(last) || /^[~$%]/.test(last) || names.has(foldPart(last)))
}

/** Whether a pattern has more letters than the whole path of a file. */
function isTooLong(piece: string, file: readonly string[]): boolean {
  if (piece.length <= MAX_PATTERN_CHARS || /[{(]|(?:^|\/)\.\.?(?:\/|$)/.test(piece)) return false
  const longest = file.join('').length
  let letters = 0
  for (let at = 0; at < piece.length && letters <= longest; at++) {
    const end = piece[at] === '[' ? piece.indexOf(']', at) : -1
    if (end >= 0) at = end
    else if (!/[*?/]/.test(piece[at]!)) letters++
  }
  return letters > longest
}

function resolveFrom(base: readonly string[], text: string): readonly string[] {
  const parts = [...base]
  for (const part of partsOf(text)) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts
}

/** The parts of a path behind its last step up: where that leads is not known. */
function behindSteps(text: string): readonly string[] {
  const parts = partsOf(text).filter((part) => part !== '.')
  return parts.slice(parts.lastIndexOf('..') + 1)
}

function isProcessLink(parts: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = parts
  if (mayExpandPart(first, 'dev', false) && mayExpandPart(second, 'fd', false)) return true
  return mayExpandPart(first, 'proc', false) && PROCESS_LINKS.some((link) => mayExpandPart(third, link, false))
}
