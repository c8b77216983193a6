import { type Stats, lstatSync, readlinkSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Finding, pathProblem } from '../finding.ts'
import { UsageError } from '../usage-error.ts'

/** Returns the paths of a command line as absolute paths, each once. @throws {UsageError} for an empty one */
export function resolvePaths(paths: readonly string[], folder: string): readonly string[] {
  if (paths.includes('')) {
    // Usually a variable that is not set; using the current folder instead would be a surprise.
    throw new UsageError('One of the paths is empty. Name a folder, or "." for the current one.')
  }
  return [...new Set(paths.map((path) => resolve(folder, path)))]
}

/** Reads the type of a named file or folder, or says why it cannot be used. Never follows a link at the path's end. */
export function inspectPath(path: string): { readonly stats: Stats } | { readonly problem: Finding } {
  try {
    return { stats: lstatSync(path) }
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    const isGone = code === 'ENOENT' || code === 'ENOTDIR'
    return {
      problem: pathProblem(isGone ? 'PATH_NOT_FOUND' : 'PATH_UNREADABLE', path, isGone ? {} : { reason: ` (${code})` }),
    }
  }
}

/** The diagnostic for a link instead of a file or folder. */
export function linkProblem(path: string): Finding {
  try {
    return pathProblem('PATH_IS_LINK', path, { hint: resolve(dirname(path), readlinkSync(path)) })
  } catch {
    return pathProblem('PATH_IS_LINK', path, { hint: 'the link cannot be read' })
  }
}
