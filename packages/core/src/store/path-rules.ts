import { pathProblem } from '../resources/path.ts'
import { normalForm, unicodeExpression } from '@repertoire/skill-md/internal'

/** The most levels of folders in a skill: below them no listing looks. */
const MAX_DEPTH = 16

/** Characters and names that Windows does not write, or writes as something else. */
const NOT_PORTABLE = /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\xB9\xB2\xB3]) *(?:\.|$)/i

/** The longest name of a file or a folder, in bytes of UTF-8: Linux writes no longer one. */
const MAX_PART_BYTES = 255
const ASCII = /^[\0-\x7F]*$/
const CONTROL = unicodeExpression(String.raw`[\0-\x1F\x7F]|\p{Cf}`)

/** Whether a file system may take two names for one: they differ in case, or in the normal form of Unicode, alone. */
export function isSameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b)
}

/** A name as a store keeps it: in lower case and in one normal form. */
export function lowerName(name: string): string {
  return normalForm(name, 'NFC').toLowerCase()
}

/**
 * Returns what two names have in common that a file system may take for one. Upper case comes last, since it alone
 * makes one of `ß` and `ss`, or of a ligature and its letters, as APFS does.
 */
export function foldName(name: string): string {
  return ASCII.test(name) ? name.toUpperCase() : normalForm(lowerName(name).toUpperCase(), 'NFC')
}

/** Returns why not every system can have a file of this path, as the end of a sentence; undefined if each can. */
export function portabilityProblem(path: string): string | undefined {
  const parts = path.split('/')
  for (const part of parts) {
    if (CONTROL().test(part)) return 'it holds a character that is not shown'
    if (NOT_PORTABLE.test(part)) return 'not every system can have a file of that name'
    if (new TextEncoder().encode(part).length > MAX_PART_BYTES)
      return `a name in it has more than ${MAX_PART_BYTES} bytes`
  }
  return parts.length > MAX_DEPTH + 1 ? `it has more than ${MAX_DEPTH} folders` : undefined
}

/** Returns why a path inside a folder is not stored, as the end of a sentence; undefined if it can be. */
export function storedPathProblem(path: string): string | undefined {
  return pathProblem(path) ?? portabilityProblem(path)
}

/** Two paths that cannot both be written: they are one to some file system, or one is a file and also a folder. */
export interface PathTwin {
  readonly path: string
  readonly other: string
}

/** Remembers paths, and finds those that cannot both be written. */
export interface PathIndex {
  /**
   * @param parts the parts of a path, none of them `.`
   * @returns the first pair that it makes; undefined if there is none. A folder may come again
   */
  add(parts: readonly string[], kind: 'file' | 'folder'): PathTwin | undefined
}

/** Begins without any paths. */
export function createPathIndex(): PathIndex {
  const known = new Map<string, { readonly path: string; readonly isFile: boolean }>()
  return {
    add(parts, kind) {
      for (const end of parts.keys()) {
        const path = parts.slice(0, end + 1).join('/')
        const isFile = end === parts.length - 1 && kind === 'file'
        const other = known.get(foldName(path))
        if (other !== undefined && (other.path !== path || other.isFile || isFile)) return { path, other: other.path }
        known.set(foldName(path), { path, isFile })
      }
      return undefined
    },
  }
}
