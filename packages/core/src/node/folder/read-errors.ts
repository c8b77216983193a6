import { SkillError, showName } from '@repertoire/skill-md/internal'
import { quoted } from '../../resources/path.ts'
import { childPath } from './child-path.ts'
import { OpenFailure, errorCode, explainOpenError } from './open-failure.ts'

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
  const code = errorCode(error instanceof OpenFailure ? error.cause : error)
  return code === '' ? '' : ` (${code})`
}
