import { lstatSync } from 'node:fs'
import type { Stats } from 'node:fs'

/**
 * Why a file or folder was not opened. `missing`: it does not exist. `link`: it is a symbolic link. `folder`, `special`:
 * it is not a regular file. `denied`: no permission. `replaced`: it is not the one that was found. `system`: see `cause`.
 */
export type OpenFailureKind = 'missing' | 'link' | 'folder' | 'special' | 'denied' | 'replaced' | 'system'

/** Thrown inside `node` only: callers turn it into an error or a diagnostic. */
export class OpenFailure extends Error {
  override readonly name = 'OpenFailure'
  readonly kind: OpenFailureKind

  constructor(kind: OpenFailureKind, cause?: unknown) {
    super(`The file or folder was not opened: ${kind}`, cause === undefined ? undefined : { cause })
    this.kind = kind
  }
}

/** @throws {OpenFailure} link, folder, special */
export function refuseUnlessFile(stats: Stats): void {
  if (stats.isFile()) return
  if (stats.isSymbolicLink()) throw new OpenFailure('link')
  throw new OpenFailure(stats.isDirectory() ? 'folder' : 'special')
}

const KINDS: ReadonlyMap<string, OpenFailureKind> = new Map([
  ['ENOENT', 'missing'],
  ['ENAMETOOLONG', 'missing'],
  ['EACCES', 'denied'],
  ['EPERM', 'denied'],
  // A link under O_NOFOLLOW: ELOOP, on FreeBSD EMLINK.
  ['ELOOP', 'link'],
  ['EMLINK', 'link'],
  // A socket, or a device without a driver.
  ['ENXIO', 'special'],
  ['ENODEV', 'special'],
  ['EOPNOTSUPP', 'special'],
  ['ENOTSUP', 'special'],
])

/** Translates an error of the system. An `OpenFailure` is returned unchanged. */
export function explainOpenError(error: unknown, path: string): OpenFailure {
  if (error instanceof OpenFailure) return error
  const code = errorCode(error)
  // With O_DIRECTORY the system calls a link and a file alike "not a directory".
  if (code === 'ENOTDIR') return new OpenFailure(isLink(path) ? 'link' : 'missing', error)
  return new OpenFailure(KINDS.get(code) ?? 'system', error)
}

/**
 * The system's error code, such as `EACCES`; empty for anything else that was thrown. Where this code runs in a context of
 * its own, as under Jest, the errors of Node are not instances of its `Error`.
 */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}
