import type { ToolArgument } from './ports/tool.ts'
import { quote } from '@repertoire/skill-md/internal'
import type { ReadCall } from './call.ts'
import { partsOf } from './inside.ts'
import { argumentNames } from './arguments.ts'

/** The name of an argument without `-` and `_`, in lower case. */
export function foldName(name: string): string {
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

/** Stands for a value that cannot be known before the tool asks for it. */
const HIDDEN = Symbol('hidden')

interface OtherArgument {
  readonly name: string
  readonly value: unknown
}

/** The arguments of a call that its rules do not speak of. */
export function otherArguments(argument: ToolArgument, input: unknown): readonly OtherArgument[] {
  if (typeof input !== 'object' || input === null) return []
  const judged = new Set(argumentNames(argument))
  if (argument.program !== undefined && Object.hasOwn(input, argument.program.name)) judged.add(argument.program.args)
  return propertiesOf(input).filter(({ name, value }) => !judged.has(name) && value !== undefined)
}

function propertiesOf(input: object): readonly OtherArgument[] {
  return Reflect.ownKeys(input).map((key) => {
    const property = Object.getOwnPropertyDescriptor(input, key)
    // A getter could answer otherwise when the tool asks.
    const value: unknown = property !== undefined && 'value' in property ? property.value : HIDDEN
    return { name: String(key), value }
  })
}

/** A text or a number in the arguments that rules do not speak of, at any depth. */
interface OtherValue<Role extends string> {
  /** The property that holds it. */
  readonly name: string
  readonly role: Role
  /** Undefined: it is a value that cannot be read. */
  readonly value: string | number | undefined
}

/**
 * The texts and numbers of a call's other arguments that are not known to be harmless. Booleans and what the host
 * declares as `harmless` are.
 * @param roleOf what an argument is by its folded name; undefined: harmless, with all that is in it
 */
export function otherValues<Role extends string>(
  argument: ToolArgument,
  { input, known: { by } }: Pick<ReadCall, 'input' | 'known'>,
  roleOf: (name: string, within: readonly string[]) => Role | undefined,
): readonly OtherValue<Role>[] {
  const harmless = new Set([...(argument.harmless ?? []), ...(by === undefined ? [] : [by.argument])])
  const visit = (name: string, value: unknown, within: readonly string[]): readonly OtherValue<Role>[] => {
    const role = roleOf(foldName(name), within)
    if (role === undefined || value === null || value === undefined || typeof value === 'boolean') return []
    if (typeof value === 'number') return [{ name, role, value }]
    if (typeof value === 'string') return value === '' ? [] : [{ name, role, value }]
    if (Array.isArray(value)) return value.flatMap((item: unknown) => visit(name, item, within))
    if (typeof value !== 'object') return [{ name, role, value: undefined }]
    return propertiesOf(value).flatMap((property) => [
      // A map of paths has them as its names: { "docs/a.md": "…" }.
      ...(/[/\\.]/.test(property.name) ? [{ name, role, value: property.name }] : []),
      ...visit(property.name, property.value, [...within, foldName(name)]),
    ])
  }
  return otherArguments(argument, input).flatMap(({ name, value }) =>
    harmless.has(name) ? [] : visit(name, value, []),
  )
}

/** Whether a folder is the working folder, by its text. */
export function isWorkingFolder(folder: string, cwd: string | undefined): boolean {
  if (/^(?:\.\/?)?$/.test(folder)) return true
  if (cwd === undefined || !/^(?:\/|[a-z]:[\\/])/i.test(folder)) return false
  const parts = partsOf(folder).filter((part) => part !== '.')
  const wanted = partsOf(cwd).filter((part) => part !== '.')
  return parts.length === wanted.length && parts.every((part, index) => part !== '..' && part === wanted[index])
}

/** A check of what an argument makes of a call's paths and addresses, which tells a model what it can do about that. */
export function withHint<Result extends object>(check: (pattern: string) => Result | undefined, name: string) {
  return (pattern: string): (Result & { readonly hint: string }) | undefined => {
    const result = check(pattern)
    return result && { ...result, hint: `Its argument ${quote(name)} counts too: leave it out, or change it.` }
  }
}
