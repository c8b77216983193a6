import type { ToolArgument } from './ports/tool.ts'
import { quote } from '@repertoire/skill-md/internal'
import { isPlainObject, type ReadCall } from './call.ts'
import { argumentNames } from './host-tools/toolset.ts'
import { partsOf } from './paths/inside.ts'
import { isOnDrive } from './paths/path.ts'

/** The name of an argument without `-` and `_`, in lower case. */
function foldName(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase()
}

/** Folded names of arguments. */
export function names(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** Arguments that change nothing about what a call reaches: what it is for, and how long it may take. */
export const HARMLESS = names(
  'description explanation justification reason title summary purpose thought note comment timeout timeoutms ' +
    'timeoutmillis timeoutmilliseconds timeoutsec timeoutsecs timeoutseconds maxtimeout yieldtimems maxoutput ' +
    'maxoutputtokens maxoutputchars maxoutputlength maxoutputbytes maxoutputlines outputlimit runinbackground ' +
    'isbackground background blocking wait waitms restart',
)

/** Arguments with the folder that a call begins in. */
export const FOLDERS = names(
  'cwd pwd wd workdir workingdir workingdirectory currentdir currentdirectory currentworkingdirectory dir dirpath ' +
    'directory folder path root chdir projectroot basedir',
)

/** The arguments of a call that its rules do not speak of, but for those that are declared harmless. */
function otherArguments(
  argument: ToolArgument,
  { input, known: { by } }: Pick<ReadCall, 'input' | 'known'>,
): readonly (readonly [name: string, value: unknown])[] {
  if (!isPlainObject(input)) return []
  const { harmless = [], program } = argument
  // What tells which tool a call is meant for has been judged by then.
  const judged = new Set([...argumentNames(argument), ...harmless, by?.argument])
  if (program !== undefined && Object.hasOwn(input, program.name)) judged.add(program.args)
  return Object.entries(input).filter(([name, value]) => !judged.has(name) && value !== undefined)
}

/** A text or a number in the arguments that rules do not speak of, at any depth. */
interface OtherValue<Role extends string> {
  readonly name: string
  readonly role: Role
  readonly value: string | number | undefined
}

/** A text that other arguments of a call give, or change; undefined: it cannot be read. */
export interface JoinedText {
  readonly name: string
  readonly text: string | undefined
}

/**
 * The texts and numbers of a call's other arguments that are not known to be harmless. Booleans and what the host
 * declares as `harmless` are.
 * @param roleOf what an argument is by its folded name; undefined: harmless, with all that is in it
 */
export function otherValues<Role extends string>(
  argument: ToolArgument,
  call: Pick<ReadCall, 'input' | 'known'>,
  roleOf: (name: string, within: readonly string[]) => Role | undefined,
): readonly OtherValue<Role>[] {
  const found: OtherValue<Role>[] = []
  const visit = (name: string, value: unknown, within: readonly string[]): void => {
    const role = roleOf(foldName(name), within)
    if (role === undefined || value === null || value === undefined || typeof value === 'boolean' || value === '')
      return
    if (typeof value === 'number' || typeof value === 'string') found.push({ name, role, value })
    else if (typeof value !== 'object') found.push({ name, role, value: undefined })
    else if (Array.isArray(value)) for (const item of value as unknown[]) visit(name, item, [...within, ''])
    else {
      for (const [key, item] of Object.entries(value)) {
        // A map of paths has them as its names: { "docs/a.md": "…" }.
        if (/[/\\.]/.test(key)) found.push({ name, role, value: key })
        visit(key, item, [...within, foldName(name)])
      }
    }
  }
  for (const [name, value] of otherArguments(argument, call)) visit(name, value, [])
  return found
}

export function isWorkingFolder(folder: string, cwd: string | undefined, orBelow = false): boolean {
  const [parts, wanted] = [folder, cwd ?? ''].map((each) => partsOf(each).filter((part) => part !== '.'))
  if (parts!.includes('..') || /^~|[$%`]/.test(folder)) return false
  if (!/^(?:[/\\]|[a-z]:[/\\])/i.test(folder)) return orBelow || parts!.length === 0
  const isBelow = cwd !== undefined && wanted!.every((part, index) => part === parts![index])
  return isBelow && (orBelow || parts!.length === wanted!.length)
}

/** What a model can do about the other arguments of a shell's call. */
export const COMMAND_ALONE = 'Call it with the command alone.'

/**
 * Why the other arguments of a shell's call keep its command from being judged: a clause. An argument that is not known
 * may be anything, such as an environment or a shell. A working folder is permitted in the session's.
 */
export function shellProblem(call: ReadCall, argument = call.argument!): string | undefined {
  for (const [name, value] of otherArguments(argument, call)) {
    if (value === null || HARMLESS.has(foldName(name))) continue
    if (!FOLDERS.has(foldName(name))) return `its argument ${quote(name)} may change what the command means`
    if (typeof value !== 'string' || !isWorkingFolder(value, call.cwd, true)) {
      return `its argument ${quote(name)} may be a folder outside of the one that the command is judged in`
    }
  }
  return undefined
}

export function isPosixShell({ cwd, argument: own }: ReadCall, { shell } = own!): boolean {
  if (shell !== undefined) return shell === 'posix'
  const { process } = globalThis as { readonly process?: { readonly platform?: string } }
  return process?.platform !== 'win32' && !isOnDrive(cwd)
}

export function isPlainLine(command: string): boolean {
  return /^[\w./:@+-]+(?: [\w./:@+-]+)*$/.test(command)
}
