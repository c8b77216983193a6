import { pathProblem } from '../resources/path.ts'
import { normalForm } from '../text/normal-form.ts'
import { unicodeExpression } from '../text/unicode-expression.ts'

/** The most levels of folders in a skill: below them no listing looks. */
const MAX_DEPTH = 16

/** Characters and names that Windows does not write, or writes as something else. */
const NOT_PORTABLE = /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const CONTROL = unicodeExpression(String.raw`[\0-\x1F\x7F]|\p{Cf}`)

/** Whether a file system may take two names for one: they differ in case, or in the normal form of Unicode, alone. */
export function isSameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b)
}

/** Returns what two names have in common that a file system may take for one. */
export function foldName(name: string): string {
  return normalForm(name, 'NFC').toLowerCase()
}

/** Returns why not every system can have a file of this path, as the end of a sentence; undefined if each can. */
export function portabilityProblem(path: string): string | undefined {
  const parts = path.split('/')
  for (const part of parts) {
    if (CONTROL().test(part)) return 'it holds a character that is not shown'
    if (NOT_PORTABLE.test(part)) return 'not every system can have a file of that name'
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
