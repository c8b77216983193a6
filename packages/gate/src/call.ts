import type { ToolArgument } from './ports/tool.ts'
import type { ArgumentValue } from './arguments.ts'
import type { KnownTool, PossibleTool, Toolset } from './host-tools/toolset.ts'
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

/** The argument with a call's command, if its tool runs commands, or may be one that does: a server's tool for one. */
export function shellArgument({ argument, maybe }: Pick<ReadCall, 'argument' | 'maybe'>): ToolArgument | undefined {
  if (argument !== undefined) return argument.kind === 'shell' ? argument : undefined
  return maybe.map((use) => use.argument).find((each) => each?.kind === 'shell')
}
