import { quote } from '@repertoire/skill-md/internal'
import type { ShellLine } from './command/line.ts'
import { argumentNames, type KnownTool, type Toolset, usesOfCall } from './host-tools/toolset.ts'
import { commands } from './load-commands.ts'
import type { ToolArgument } from './ports/tool.ts'

export interface CallContext {
  readonly tools: Toolset
  readonly cwd?: string | undefined
}

type Input = Readonly<Record<string, unknown>>

/** The part of a call that is judged. */
export interface GatedCall {
  readonly tool: string
  readonly input: unknown
}

/** A call with its arguments as rules see them. It is read once, however many rules it is compared with. */
export interface ReadCall extends GatedCall, CallContext {
  readonly known: KnownTool
  readonly as?: string | undefined
  readonly maybe: readonly string[]
  readonly argument: ToolArgument | undefined
  readonly arguments: CallArguments
  /** Its input is no data, or nested too deep: what it holds could be something else when the tool reads it. */
  readonly isUnreadable: boolean
  /** One of the call's texts as a command line, which is read once. */
  readonly line: (text: string) => ShellLine
}

interface ArgumentValue {
  readonly name: string
  readonly text?: string
  readonly expected?: string
}

export type CallArguments =
  | { readonly values: readonly ArgumentValue[] }
  /** `missing`: the input has none of the arguments that it could have. */
  | { readonly problem: string; readonly missing: boolean }

export function readCall(call: GatedCall, { tools, cwd }: CallContext): ReadCall {
  const { tool } = call
  const isUnreadable = !isData(call.input)
  const input = isUnreadable ? undefined : call.input
  const known = tools.find(tool)
  return {
    tool,
    input,
    isUnreadable,
    cwd,
    tools,
    known,
    ...usesOfCall(known, input, isUnreadable),
    argument: known.argument,
    arguments: readArguments(known.argument, input),
    line: once((text) => commands().readLine(text)),
  }
}

const MAX_DEPTH = 100

/** Whether a value is data as JSON makes it, in which a tool finds what was judged: no getters, nothing hidden. */
function isData(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Date) return typeof value !== 'function'
  if (depth > MAX_DEPTH) return false
  try {
    const properties = Object.entries(Object.getOwnPropertyDescriptors(value))
    const isOpen = (Array.isArray(value) || isPlainObject(value)) && Object.getOwnPropertySymbols(value).length === 0
    return (
      isOpen &&
      properties.every(([name, property]) => {
        const isSeen = property.enumerable === true || (name === 'length' && Array.isArray(value))
        return isSeen && 'value' in property && isData(property.value, depth + 1)
      })
    )
  } catch {
    return false
  }
}

function once(read: (text: string) => ShellLine): (text: string) => ShellLine {
  const known = new Map<string, ShellLine>()
  return (text) => {
    let found = known.get(text)
    if (found === undefined) known.set(text, (found = read(text)))
    return found
  }
}

export function textsOf(read: CallArguments): readonly string[] {
  return 'values' in read ? read.values.flatMap(({ text }) => text ?? []) : []
}

export function readArguments(argument: ToolArgument | undefined, input: unknown): CallArguments {
  if (argument === undefined) {
    const problem = 'it is not known to which argument that applies: the host names it in the option "toolMap"'
    return { problem, missing: false }
  }
  if (!isPlainObject(input)) return { problem: 'its input is not an object of plain data', missing: false }
  const values = argumentNames(argument).flatMap((name) => argumentValues(argument, name, input))
  if (values.length > 0) return { values }
  const names = argumentNames(argument).map((name) => quote(name))
  return { problem: `its input has no ${names.join(' or ')}`, missing: true }
}

/**
 * The values of one argument. An array of paths, and one of `commands`, counts as one for each of its elements;
 * elsewhere only an array that calls a shell with a text is one.
 */
function argumentValues(argument: ToolArgument, name: string, input: Input): readonly ArgumentValue[] {
  const value = Object.hasOwn(input, name) ? input[name] : undefined
  if (value === undefined) return []
  if (argument.program?.name === name) {
    return [programValue(argument.program, value, input[argument.program.args])]
  }
  const isList = argument.kind === 'path' || (argument.kind === 'shell' && name === 'commands')
  if (!Array.isArray(value) || value.length === 0) return [asValue(name, value)]
  if (isList) return Array.from<unknown, ArgumentValue>(value, (each) => asValue(name, each))
  return [asValue(name, argument.kind === 'shell' ? shellText(value) : value)]
}

function asValue(name: string, value: unknown): ArgumentValue {
  return typeof value === 'string' ? { name, text: value } : { name }
}

function shellText([shell, option, text, ...more]: readonly unknown[]): unknown {
  const isShell = typeof shell === 'string' && /^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(shell)
  return isShell && (option === '-c' || option === '-lc') && more.length === 0 ? text : undefined
}

/** A program and a list of its arguments, as one command line that has exactly these words. */
function programValue(
  { name, args: list }: NonNullable<ToolArgument['program']>,
  program: unknown,
  args: unknown = [],
): ArgumentValue {
  if (typeof program !== 'string' || program === '') return { name }
  const words: readonly unknown[] = Array.isArray(args) ? Array.from<unknown>(args) : [undefined]
  if (!words.every((word) => typeof word === 'string')) return { name: list, expected: 'a list of texts' }
  const quoted = [program, ...words].map((word) =>
    /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  )
  return { name, text: quoted.join(' ') }
}

export function isPlainObject(value: unknown): value is Input {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Another realm's Object.prototype is a plain object's prototype too: it has none itself.
  return prototype === null || (Object.getPrototypeOf(prototype) === null && !Array.isArray(value))
}
