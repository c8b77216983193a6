import { homedir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { env as processEnv, platform } from 'node:process'

/** Variables of an environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where skills are kept in a home folder and in a project: the folder that clients share, and our own. */
export const STANDARD_FOLDERS: readonly string[] = ['.agents/skills', '.repertoire/skills']

/** Of these, the one that we write to: what we put into the shared one would turn up in every other client. */
export const WRITTEN_FOLDER = '.repertoire/skills'

/**
 * The user's home folder; false where there is none. `HOME` may be empty or relative, and the system's own answer is
 * then the same: what the working folder holds would be taken for the user's own skills and configuration.
 */
export function homeFolder(env?: Environment): string | false {
  const home = env === undefined ? machineHome() : platform === 'win32' ? env['USERPROFILE'] : env['HOME']
  return typeof home === 'string' && isAbsolute(home) ? home : false
}

// A user without an entry in the system's list, as containers have them, has no home folder, and asking for it throws.
function machineHome(): string | false {
  try {
    return homedir()
  } catch {
    return false
  }
}

/** The enterprise folders: those that the environment names, or else the one that only an administrator can write. */
export function enterpriseFolders(env: Environment = processEnv): readonly string[] {
  const given = env['REPERTOIRE_ENTERPRISE_SKILLS']
  if (given !== undefined) return dividedPaths(given)
  if (platform === 'darwin') return ['/Library/Application Support/repertoire/skills']
  // Not %ProgramData%: every user may make folders there.
  if (platform === 'win32') return [join(env['ProgramFiles'] ?? 'C:\\Program Files', 'repertoire', 'skills')]
  return ['/etc/repertoire/skills']
}

/** Paths that are divided as in `PATH`. */
export function dividedPaths(value: string): readonly string[] {
  return value.split(delimiter).filter((path) => path !== '')
}
