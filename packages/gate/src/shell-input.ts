import type { ToolArgument } from './ports/tool.ts'
import { quote } from '@repertoire/skill-md/internal'
import type { ReadCall } from './call.ts'
import { isOnDrive } from './path.ts'
import { FOLDERS, HARMLESS, foldName, isWorkingFolder, otherArguments } from './other-arguments.ts'

/** What a model can do about the other arguments of a shell's call. */
export const COMMAND_ALONE = 'Call it with the command alone.'

/**
 * Why the other arguments of a shell's call keep its command from being judged: a clause, or undefined where none does.
 * Judged by what is known to be good: an argument that is not known may be anything, such as an environment, a shell or
 * the words of the command. A working folder is permitted where it is the session's.
 */
export function shellInputProblem(
  argument: ToolArgument,
  { input, known: { by } }: Pick<ReadCall, 'input' | 'known'>,
  cwd: string | undefined,
): string | undefined {
  // What tells which tool a call is meant for has been judged by then.
  const harmless = new Set([...(argument.harmless ?? []), ...(by === undefined ? [] : [by.argument])])
  for (const { name, value } of otherArguments(argument, input)) {
    if (value === null || harmless.has(name) || HARMLESS.has(foldName(name))) continue
    if (!FOLDERS.has(foldName(name))) return `its argument ${quote(name)} may change what the command means`
    if (typeof value !== 'string' || !isWorkingFolder(value, cwd)) {
      return `its argument ${quote(name)} may be another folder than the one that the command is judged in`
    }
  }
  return undefined
}

/** The folders that a shell's call may run its command in, beside the session's; undefined: one that is not known. */
export function workingFolders(argument: ToolArgument, input: unknown): readonly (string | undefined)[] {
  return otherArguments(argument, input)
    .filter(({ name, value }) => value !== null && FOLDERS.has(foldName(name)))
    .map(({ value }) => (typeof value === 'string' ? value : undefined))
}

/** Whether the commands of a shell tool are certainly read by a POSIX shell. */
export function isPosixShell({ shell }: ToolArgument, cwd: string | undefined): boolean {
  if (shell !== undefined) return shell === 'posix'
  const { process } = globalThis as { readonly process?: { readonly platform?: string } }
  return process?.platform !== 'win32' && !isOnDrive(cwd)
}

/** Commands that every shell reads as the same words. */
export function isSameInAllShells(command: string): boolean {
  return /^[\w./:@+-]+(?: [\w./:@+-]+)*$/.test(command)
}
