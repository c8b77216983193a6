import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The skill folders in a home folder and in a project, the one that is found first in front: the one that all clients
 * share, Repertoire's, and that of Claude Code, which most published skills are written for.
 */
export const STANDARD_FOLDERS: readonly string[] = ['.agents/skills', '.repertoire/skills', '.claude/skills']

/** The one of these that Repertoire writes to: skills in the shared one would appear in every other client. */
export const WRITTEN_FOLDER = '.repertoire/skills'

/**
 * Returns the user's home folder; false if there is none. `HOME` may be empty or relative, and `homedir` then returns
 * the same. Such a path is refused, since the working folder's skills and configuration would count as the user's.
 */
export function homeFolder(env?: Environment): string | false {
  const home = env === undefined ? machineHome() : process.platform === 'win32' ? env['USERPROFILE'] : env['HOME']
  return typeof home === 'string' && isAbsolute(home) ? home : false
}

// For a user who is not in the system's user database, as in containers, `homedir` may throw.
function machineHome(): string | false {
  try {
    return homedir()
  } catch {
    return false
  }
}

/** Returns the folder of the enterprise layer, which only administrators can write. */
export function enterpriseFolders(): readonly string[] {
  if (process.platform === 'darwin') return ['/Library/Application Support/repertoire/skills']
  // Not %ProgramData%: every user may create folders there.
  if (process.platform === 'win32')
    return [join(process.env['ProgramFiles'] ?? 'C:\\Program Files', 'repertoire', 'skills')]
  return ['/etc/repertoire/skills']
}
