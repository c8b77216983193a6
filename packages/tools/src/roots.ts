import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { platform } from 'node:process'
import { OpenError, openPinnedFolder, type OpenFolder } from '@repertoire/core/node'
import { ToolFailure } from './result.ts'

/** A path inside one of the folders that a tool works in. */
export interface Place {
  /** The path without links of the folder that it is in. */
  readonly root: string
  /** From there on; none: the folder itself. */
  readonly parts: readonly string[]
  /** The whole path, as results show it. */
  readonly path: string
}

/** The folders that a tool works in, and nowhere else. */
export interface Roots {
  readonly folders: readonly string[]
  /**
   * Finds the place that a path means: an absolute one, or one relative to the first folder.
   * @throws {ToolFailure} INPUT_INVALID, NOT_ALLOWED
   */
  locate(path: string): Place
}

const MAX_PATH_CHARS = 4096

/**
 * Checks a host's folders. They are pinned to the paths that they have now.
 * @throws {TypeError} the list is empty, or one of them is not a folder
 */
export function readRoots(tool: string, given: readonly string[]): Roots {
  if (!Array.isArray(given) || given.length === 0) throw new TypeError(`${tool}: \`roots\` is a list of folders.`)
  const roots = given.map((folder) => readRoot(tool, folder))
  const first = roots[0]!
  return {
    folders: roots.map(({ real }) => real),
    locate(path) {
      if (
        path.length > MAX_PATH_CHARS ||
        path.includes('\0') ||
        (platform === 'win32' && /^\w:|:/.test(path.slice(2)))
      ) {
        throw new ToolFailure(
          'INPUT_INVALID',
          `${shown(path)} is not a path: it is too long, or holds a character that paths cannot hold.`,
        )
      }
      const whole = resolve(first.real, path)
      // The innermost one counts, and a host may have named a folder by a link.
      const [found] = roots
        .flatMap(({ real, named }) => [real, named].map((base) => ({ root: real, parts: inside(base, whole) })))
        .flatMap(({ root, parts }) => (parts === undefined ? [] : [{ root, parts, path: join(root, ...parts) }]))
        .toSorted((one, other) => one.parts.length - other.parts.length)
      if (found !== undefined) return found
      const folders = roots.map(({ real }) => shown(real)).join(', ')
      throw new ToolFailure(
        'NOT_ALLOWED',
        `${shown(path)} is outside of the folders that may be used: ${folders}. Use a path inside of them.`,
      )
    },
  }
}

function readRoot(tool: string, folder: string): { readonly named: string; readonly real: string } {
  try {
    const named = resolve(folder)
    const real = realpathSync.native(named)
    if (statSync(real).isDirectory()) return { named, real }
  } catch {
    // Not there, or not a path.
  }
  throw new TypeError(`${tool}: ${JSON.stringify(folder)} in \`roots\` is not a folder.`)
}

/** The parts of a path inside a folder; undefined: it is not inside. */
function inside(folder: string, path: string): readonly string[] | undefined {
  const rest = relative(folder, path)
  if (rest === '') return []
  if (isAbsolute(rest)) return undefined
  const parts = rest.split(sep)
  return parts[0] === '..' ? undefined : parts
}

/**
 * Opens the folder of some parts below a root, part by part, so that no link is followed. The caller closes it.
 * @param make whether missing folders are created
 * @throws {OpenError}
 */
export function openBelow(root: string, parts: readonly string[], make = false): OpenFolder {
  let folder = openPinnedFolder(root)
  for (const part of parts) {
    const parent = folder
    try {
      folder = make ? parent.makeFolder(part) : parent.folder(part)
    } finally {
      parent.close()
    }
  }
  return folder
}

/** A path in a message. */
export function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
}

/** The system's code of an error that a folder has thrown, such as `EACCES`; empty: it has none. */
export function systemCodeOf({ cause }: OpenError): string {
  return (cause as { readonly code?: string } | undefined)?.code ?? ''
}
