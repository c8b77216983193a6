import { quote } from '../text/quote.ts'
import type { ToolArgument } from '../ports/tool.ts'
import { argumentNames, type ArgumentValue, argumentValues } from './arguments.ts'
import { realInput } from './host-tools/real-input.ts'
import { type KnownTool, type PossibleTool, type Toolset, usesOfCall } from './host-tools/toolset.ts'
import { commands } from './load-commands.ts'
import type { CommandLine } from './shell/command-line.ts'

/** What a call's arguments are read by. */
export interface CallContext {
  /** The host's tools and what they stand for. */
  readonly tools: Toolset
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
  readonly tools: Toolset
  /** What is known of the tool. */
  readonly known: KnownTool
  /** What this call of it certainly stands for; of several, rules must allow all. */
  readonly as: readonly string[]
  /** What rules that deny take it for as well. */
  readonly maybe: readonly PossibleTool[]
  readonly argument: ToolArgument | undefined
  readonly arguments: CallArguments
  /** The folder that rules about paths are relative to: the tool's own root, or the working folder. */
  readonly base: string | undefined
  /** Another argument of the call, as `arguments`. */
  readArgument(argument: ToolArgument): CallArguments
  /** One of the call's texts as a command line. The same text gives the same object. */
  commandLine(text: string): CommandLine
}

/** The arguments that the rules of a tool are about. */
export interface ReadValues {
  readonly values: readonly ArgumentValue[]
}

/** Those of them that are texts. */
export function textsOf({ values }: ReadValues): readonly string[] {
  return values.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
}

/** The arguments that the rules of a tool are about, at least one; or why there are none, as a clause. */
export type CallArguments =
  | ReadValues
  /** `missing`: the input has none of the arguments that it could have. */
  | { readonly problem: string; readonly missing: boolean }

export function readCall(call: GatedCall, context: CallContext): ReadCall {
  const known = context.tools.find(call.tool)
  return new LazyCall(call, context, known, known.root ?? context.cwd)
}

/**
 * The same call as one of the real file system, for a tool that sees another: what lies in the real one is looked for
 * there as well. Undefined: the tool sees the real one.
 */
export function readRealCall(call: ReadCall): ReadCall | undefined {
  const { known, cwd, tools } = call
  const input = realInput(call.input, known, cwd)
  return input && new LazyCall({ tool: call.tool, input }, { tools, cwd }, known, cwd)
}

// A class, since an object with a getter of its own takes longer to make than all that a call is judged by.
class LazyCall implements ReadCall {
  readonly tool: string
  readonly input: unknown
  readonly cwd: string | undefined
  readonly base: string | undefined
  readonly tools: Toolset
  readonly known: KnownTool
  readonly as: readonly string[]
  readonly maybe: readonly PossibleTool[]
  #arguments: CallArguments | undefined
  #lines: Map<string, CommandLine> | undefined

  constructor({ tool, input }: GatedCall, { tools, cwd }: CallContext, known: KnownTool, base: string | undefined) {
    this.tool = tool
    this.input = input
    this.cwd = cwd
    this.base = base
    this.tools = tools
    this.known = known
    const { as, maybe } = usesOfCall(known, input)
    this.as = as
    this.maybe = maybe
  }

  get argument(): ToolArgument | undefined {
    return this.known.argument
  }

  get arguments(): CallArguments {
    return (this.#arguments ??= this.readArgument(this.argument))
  }

  readArgument(argument: ToolArgument | undefined): CallArguments {
    return readArguments(argument, this.input)
  }

  commandLine(text: string): CommandLine {
    const lines = (this.#lines ??= new Map<string, CommandLine>())
    let line = lines.get(text)
    if (line === undefined) lines.set(text, (line = commands().readCommandLine(text)))
    return line
  }
}

function readArguments(argument: ToolArgument | undefined, input: unknown): CallArguments {
  if (argument === undefined) {
    const problem = 'it is not known to which argument that applies: the host names it in the option "tools"'
    return { problem, missing: false }
  }
  const values = argumentValues(argument, input)
  if (values === undefined) return { problem: 'its input is not an object', missing: false }
  if (values.length > 0) return { values }
  const names = argumentNames(argument).map((name) => quote(name))
  return { problem: `its input has no ${names.join(' or ')}`, missing: true }
}
