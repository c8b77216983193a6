import type { Diagnostic, DiagnosticCode } from '@repertoire/core'

/** What may be wrong with a path of the command line, and what to do about it. */
const PATH_PROBLEMS = {
  PATH_NOT_FOUND: ['There is no such file or folder', 'Check the spelling, and the folder that the path starts from.'],
  PATH_UNREADABLE: ['It cannot be read', 'Give the user who runs this the right to read it and to enter its folders.'],
  PATH_IS_LINK: ['It is a link, and a skill is never read through one', 'Name what it leads to:'],
  PATH_WITHOUT_SKILL: ['There is no SKILL.md in it or below it', 'Name a skill, or a folder that holds skills.'],
  PATH_NOT_A_FILE: ['It is a pipe, a device or a socket', 'Name a SKILL.md file, or the folder of a skill.'],
  PATH_NOT_A_MANIFEST: ['It is no SKILL.md', 'Name a file that is called SKILL.md, or the folder of a skill.'],
  PATH_NOT_READ: ['It was not checked: its folder uses another file as SKILL.md', 'Remove one of the two.'],
} as const

type PathCode = keyof typeof PATH_PROBLEMS

/** A diagnostic of core, or of the command itself. */
export interface Finding extends Omit<Diagnostic, 'code'> {
  readonly code: DiagnosticCode | PathCode | 'CONFIGURATION_INVALID'
}

/** Says what is wrong with a path. */
export function pathProblem(code: PathCode, path: string, more: { reason?: string; hint?: string } = {}): Finding {
  const [meaning, hint] = PATH_PROBLEMS[code]
  const { reason = '', hint: detail = '' } = more
  return { code, severity: 'error', path, message: `${path}: ${meaning}${reason}.`, hint: `${hint} ${detail}`.trim() }
}
