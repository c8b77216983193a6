import { isSkillError } from '@repertoire/core'
import { missingPackage, missingText } from '../commands/optional-packages.ts'
import { UsageError } from '../usage-error.ts'

/** How a command ends that cannot do its work. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly exitCode: number
}

/** Errors of the packages that are about the command line. */
const WRONG_COMMAND: ReadonlySet<string> = new Set(['ORIGIN_INVALID', 'CONFIGURATION_INVALID'])

/** Returns what a person reads about anything that was thrown, and the command's exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) return error
  // By its name: only one command loads its package.
  if (error instanceof Error && error.name === 'EvalError')
    return { code: 'USAGE', message: error.message, exitCode: 2 }
  if (isSkillError(error)) {
    const { code, message } = error
    const missing = missingPackage(error)
    // What only a program can do is no advice for the command line.
    const text = missing === undefined ? message.replace(/ \(in code: [^)]*\)/, '') : missingText(missing)
    return { code, message: text, exitCode: WRONG_COMMAND.has(code) ? 2 : 1 }
  }
  // Of the system, such as a full disk: the place in the program does not help.
  if (error instanceof Error && 'syscall' in error) {
    const hint =
      'code' in error && error.code === 'EADDRINUSE' ? '. Choose another port, or none for any free one.' : ''
    return { code: 'SYSTEM', message: `${error.message}${hint}`, exitCode: 2 }
  }
  return { code: 'FAILED', message: `Repertoire itself failed. ${stackOf(error)}`, exitCode: 2 }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
