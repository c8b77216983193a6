import type { ToolArgument } from '../ports/tool.ts'
import { partsOf } from '../resources/inside.ts'
import { quote } from '../text/quote.ts'
import { argumentNames } from './arguments.ts'
import type { ReadCall } from './call.ts'
import { isOnDrive } from './path.ts'

/**
 * Arguments of shell tools that change nothing about what a command does: what it is for, how long it may take, how much
 * of its output is shown, and whether it is waited for. Without `-` and `_`, in lower case.
 */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    'description explanation justification reason title summary purpose thought note comment timeout timeoutms ' +
    'timeoutmillis timeoutmilliseconds timeoutsec timeoutsecs timeoutseconds maxtimeout yieldtimems maxoutput ' +
    'maxoutputtokens maxoutputchars maxoutputlength maxoutputbytes maxoutputlines outputlimit runinbackground ' +
    'isbackground background blocking wait waitms restart'
  ).split(' '),
)

/** Arguments with the folder that a command runs in. */
const FOLDERS: ReadonlySet<string> = new Set(
  (
    'cwd pwd wd workdir workingdir workingdirectory currentdir currentdirectory currentworkingdirectory dir dirpath ' +
    'directory folder path root chdir projectroot basedir'
  ).split(' '),
)

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

function otherArguments(
  argument: ToolArgument,
  input: unknown,
): readonly { readonly name: string; readonly value: unknown }[] {
  if (typeof input !== 'object' || input === null) return []
  const judged = new Set(argumentNames(argument))
  if (argument.program !== undefined && Object.hasOwn(input, argument.program.name)) judged.add(argument.program.args)
  return Reflect.ownKeys(input).flatMap((key) => {
    if (typeof key === 'string' && judged.has(key)) return []
    const property = Object.getOwnPropertyDescriptor(input, key)
    // A getter could answer otherwise when the tool asks.
    const value: unknown = property !== undefined && 'value' in property ? property.value : HIDDEN
    return value === undefined ? [] : [{ name: String(key), value }]
  })
}

const HIDDEN = Symbol('hidden')

function foldName(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase()
}

/** Whether a folder is the working folder, by its text. */
function isWorkingFolder(folder: string, cwd: string | undefined): boolean {
  if (/^(?:\.\/?)?$/.test(folder)) return true
  if (cwd === undefined || !/^(?:\/|[a-z]:[\\/])/i.test(folder)) return false
  const parts = partsOf(folder).filter((part) => part !== '.')
  const wanted = partsOf(cwd).filter((part) => part !== '.')
  return parts.length === wanted.length && parts.every((part, index) => part !== '..' && part === wanted[index])
}
