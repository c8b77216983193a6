import { quote } from '@repertoire/skill-md/internal'
import type { ToolArgument } from './ports/tool.ts'
import { argumentNames, argumentValues } from './arguments.ts'
import { realInput } from './host-tools/real-input.ts'
import { type KnownTool, type PossibleTool, type Toolset, usesOfCall } from './host-tools/toolset.ts'
import { commands } from './load-commands.ts'
import type { CommandLine } from './shell/command-line.ts'
import type { ReadCall, CallArguments, CallContext, GatedCall } from './call.ts'

/** Reads the arguments of a call as rules see them. */
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
