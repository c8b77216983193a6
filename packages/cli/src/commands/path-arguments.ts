import type { Finding } from '../finding.ts'
import { type Stats, lstatSync, readlinkSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../usage-error.ts'

/** Returns the paths of a command line as absolute paths, each once. @throws {UsageError} for an empty one */
export function resolvePaths(paths: readonly string[], folder: string): readonly string[] {
  if (paths.includes('')) {
    // Usually a variable that is not set; using the current folder instead would be a surprise.
    throw new UsageError('One of the paths is empty. Name a folder, or "." for the current one.')
  }
  return [...new Set(paths.map((path) => resolve(folder, path)))]
}

/** What is at a path, or the diagnostic that explains why it cannot be used. */
export type InspectedPath = { readonly stats: Stats } | { readonly problem: Finding }

/** Reads the type of a named file or folder. Never follows a link at the end of the path. */
export function inspectPath(path: string): InspectedPath {
  try {
    return { stats: lstatSync(path) }
  } catch (error) {
    return { problem: readProblem(path, (error as NodeJS.ErrnoException).code ?? 'unknown reason') }
  }
}

/** The diagnostic for a link instead of a file or folder. */
export function linkProblem(path: string): Finding {
  return {
    code: 'PATH_IS_LINK',
    severity: 'error',
    path,
    message: `${path} is a link, and a skill is never read through one.`,
    hint: `Name what it leads to: ${targetOf(path)}`,
  }
}

function readProblem(path: string, code: string): Finding {
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return {
      code: 'PATH_NOT_FOUND',
      severity: 'error',
      path,
      message: `There is no file or folder ${path}.`,
      hint: 'Check the spelling, and the folder that the path starts from.',
    }
  }
  return {
    code: 'PATH_UNREADABLE',
    severity: 'error',
    path,
    message: `${path} cannot be read (${code}).`,
    hint: 'Give the user who runs this the right to read it and to enter the folders above it.',
  }
}

function targetOf(link: string): string {
  try {
    return resolve(dirname(link), readlinkSync(link))
  } catch {
    return 'the link cannot be read'
  }
}
