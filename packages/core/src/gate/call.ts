import { quote } from '../text/quote.ts'
import type { ToolArgument } from '../ports/tool.ts'
import { argumentNames, type ArgumentValue, argumentValues, toolArgument, type ToolArguments } from './arguments.ts'
import type { CommandLine } from './shell/command-line.ts'

/** All that reads command lines of shells. */
export type Commands = typeof import('./commands.ts')

/** What a call's arguments are read by. */
export interface CallContext {
  /** Made by `mergeToolArguments`. */
  readonly toolArguments: ToolArguments
  /** The absolute folder that relative paths are relative to. Absent: unknown. */
  readonly cwd?: string | undefined
}

/** The part of a call that is judged. */
export interface GatedCall {
  readonly tool: string
  readonly input: unknown
}

/** A call with its arguments as rules see them. It is read once, however many rules it is compared with. */
export interface ReadCall extends GatedCall {
  readonly cwd: string | undefined
  /** What is known of the tool. */
  readonly argument: ToolArgument | undefined
  readonly arguments: CallArguments
  /** What reads command lines. Absent: it was not imported, since nothing compares a command of this call. */
  readonly commands: Commands | undefined
  /** One of the call's texts as a command line, with `commands`. The same text gives the same object. */
  commandLine(text: string): CommandLine
}

/** The arguments that the rules of a tool are about, at least one; or why there are none, as a clause. */
type CallArguments =
  | { readonly values: readonly ArgumentValue[] }
  /** `missing`: the input has none of the arguments that it could have. */
  | { readonly problem: string; readonly missing: boolean }

/** @param commands absent: no rule or protected file is compared with a command of this call */
export function readCall(
  { tool, input }: GatedCall,
  { toolArguments, cwd }: CallContext,
  commands: Commands | undefined,
): ReadCall {
  return new LazyCall(tool, input, cwd, toolArgument(toolArguments, tool), commands)
}

// A class, since an object with a getter of its own takes longer to make than all that a call is judged by.
class LazyCall implements ReadCall {
  readonly tool: string
  readonly input: unknown
  readonly cwd: string | undefined
  readonly argument: ToolArgument | undefined
  readonly commands: Commands | undefined
  #arguments: CallArguments | undefined
  #lines: Map<string, CommandLine> | undefined

  constructor(
    tool: string,
    input: unknown,
    cwd: string | undefined,
    argument: ToolArgument | undefined,
    commands: Commands | undefined,
  ) {
    this.tool = tool
    this.input = input
    this.cwd = cwd
    this.argument = argument
    this.commands = commands
  }

  get arguments(): CallArguments {
    return (this.#arguments ??= readArguments(this.argument, this.input))
  }

  commandLine(text: string): CommandLine {
    const lines = (this.#lines ??= new Map<string, CommandLine>())
    let line = lines.get(text)
    if (line === undefined) lines.set(text, (line = this.commands!.readCommandLine(text)))
    return line
  }
}

function readArguments(argument: ToolArgument | undefined, input: unknown): CallArguments {
  if (argument === undefined) {
    const problem = 'which argument that speaks of is not known here: the host names it in the option "toolArguments"'
    return { problem, missing: false }
  }
  const values = argumentValues(argument, input)
  if (values === undefined) return { problem: 'its input is not an object', missing: false }
  if (values.length > 0) return { values }
  const names = argumentNames(argument).map((name) => quote(name))
  return { problem: `its input has no ${names.join(' or ')}`, missing: true }
}
