import { type Stats, lstatSync } from 'node:fs'
import { SkillError, showName } from '@repertoire/skill-md/internal'
import { quoted } from '../../resources/path.ts'
import { childPath } from './names.ts'

/**
 * Why a file or folder was not opened. `missing`: it does not exist. `link`: a symbolic link. `folder`, `special`: not
 * a regular file. `denied`: no permission. `replaced`: not the one that was found. `system`: see `cause`.
 */
export type OpenErrorKind = 'missing' | 'link' | 'folder' | 'special' | 'denied' | 'replaced' | 'system'

/** Thrown inside `node` only: callers turn it into an error or a diagnostic. */
export class OpenError extends Error {
  override readonly name = 'OpenError'
  readonly kind: OpenErrorKind

  constructor(kind: OpenErrorKind, cause?: unknown) {
    super(`The file or folder was not opened: ${kind}`, cause === undefined ? undefined : { cause })
    this.kind = kind
  }
}

/** @throws {OpenError} link, folder, special */
export function refuseUnlessFile(stats: Stats): void {
  if (stats.isFile()) return
  if (stats.isSymbolicLink()) throw new OpenError('link')
  throw new OpenError(stats.isDirectory() ? 'folder' : 'special')
}

const KINDS: ReadonlyMap<string, OpenErrorKind> = new Map([
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

/** Translates an error of the system. An `OpenError` is returned unchanged. */
export function explainOpenError(error: unknown, path: string): OpenError {
  if (error instanceof OpenError) return error
  const code = errorCode(error)
  // With O_DIRECTORY the system calls a link and a file alike "not a directory".
  if (code === 'ENOTDIR') return new OpenError(isLink(path) ? 'link' : 'missing', error)
  return new OpenError(KINDS.get(code) ?? 'system', error)
}

/**
 * The system's error code, such as `EACCES`; empty for anything else that was thrown. Where this code runs in a context
 * of its own, as under Jest, the errors of Node are not instances of its `Error`.
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

/** The error for callers when a skill's folder cannot be opened. */
export function folderError(error: unknown, location: string): SkillError {
  const { kind } = explainOpenError(error, location)
  const details = { path: location, cause: error }
  if (kind === 'missing') {
    const message = `The skill's folder ${showName(location)} is gone. Put it back, or reload the repertoire.`
    return new SkillError('RESOURCE_NOT_FOUND', message, details)
  }
  const reason =
    kind === 'replaced' || kind === 'link'
      ? 'is no longer the folder that was found: it was moved, or is now reached through a link. Reload the catalog.'
      : `cannot be opened${systemCode(error)}. Check its permissions.`
  return new SkillError('RESOURCE_REFUSED', `The skill's folder ${showName(location)} ${reason}`, details)
}

/**
 * The error for callers and models when a file of a skill cannot be read.
 * @param part the part of the path that could not be opened
 */
export function fileError(error: unknown, location: string, path: string, part: string): SkillError {
  const { kind } = explainOpenError(error, location)
  const details = { path: childPath(location, path), cause: error }
  const where = `${quoted(path)} in ${showName(location)}`
  if (kind === 'missing') {
    const message = `There is no file ${where}. List the skill's files to see which there are.`
    return new SkillError('RESOURCE_NOT_FOUND', message, details)
  }
  const reasons = {
    link: `${quoted(part)} is a link, and links are not followed. Put the file itself into the folder.`,
    folder: 'it is a folder. Pass the path of a file in it.',
    special: 'it is a device, a pipe or a socket. Put a regular file there.',
    denied: `there is no permission to read ${quoted(part)}. Change it, or run as a user who may.`,
    replaced: 'it was replaced while it was opened. Read it again.',
    system: `the system could not open it${systemCode(error)}.`,
  } as const
  return new SkillError('RESOURCE_REFUSED', `${where} is not read: ${reasons[kind]}`, details)
}

/** The system's error code in parentheses, if there is one. */
export function systemCode(error: unknown): string {
  const code = errorCode(error instanceof OpenError ? error.cause : error)
  return code === '' ? '' : ` (${code})`
}
