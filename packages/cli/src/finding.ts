import type { Diagnostic, DiagnosticCode } from '@repertoire/core'

/** The codes of the command itself for a path argument, beside those of `@repertoire/core`. */
export const PATH_CODES = {
  PATH_NOT_FOUND: 'There is no file or folder of this name.',
  PATH_UNREADABLE: 'The path cannot be read.',
  PATH_IS_LINK: 'The path is a link, and a skill is never read through one.',
  PATH_WITHOUT_SKILL: 'The folder holds no SKILL.md, at any depth.',
  PATH_NOT_A_FILE: 'The path is a pipe, a device or a socket.',
  PATH_NOT_A_MANIFEST: 'The file is not a SKILL.md.',
  PATH_NOT_READ: 'Another file of the folder is used as its SKILL.md.',
} as const

/** A diagnostic of core, or of the command itself. */
export interface Finding extends Omit<Diagnostic, 'code'> {
  readonly code: DiagnosticCode | keyof typeof PATH_CODES | 'CONFIGURATION_INVALID'
}
