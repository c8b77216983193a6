import { quote } from '@repertoire/skill-md/internal'
import type { ToolArgument } from './ports/tool.ts'
import { argumentNames, argumentValues } from './arguments.ts'
import { type KnownTool, usesOfCall } from './host-tools/toolset.ts'
import { commands } from './load-commands.ts'
import { baseFolder, isOnDrive, readPath } from './path.ts'
import type { CommandLine } from './shell/command-line.ts'
import type { ReadCall, CallArguments, CallContext, GatedCall } from './call.ts'

/** Reads the arguments of a call as rules see them. */
export function readCall(call: GatedCall, context: CallContext): ReadCall {
  return callOf(call, context, context.tools.find(call.tool).root ?? context.cwd)
}

/**
 * The same call as one of the real file system, for a tool that sees another: what lies in the real one is looked for
 * there as well. Undefined: the tool sees the real one.
 */
export function readRealCall(call: ReadCall): ReadCall | undefined {
  const input = realInput(call.input, call.known, call.cwd)
  return input && callOf({ tool: call.tool, input }, call, call.cwd)
}

function callOf({ tool, input }: GatedCall, { tools, cwd }: CallContext, base: string | undefined): ReadCall {
  const known = tools.find(tool)
  const { argument } = known
  const lines = new Map<string, CommandLine>()
  return {
    tool,
    input,
    cwd,
    base,
    tools,
    known,
    ...usesOfCall(known, input),
    argument,
    arguments: readArguments(argument, input),
    readArgument: (other) => readArguments(other, input),
    commandLine(text) {
      let line = lines.get(text)
      if (line === undefined) lines.set(text, (line = commands().readCommandLine(text)))
      return line
    },
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

/**
 * The input of a tool that sees a file system of its own, with its paths as they are in the real one: below the working
 * folder, or relative where that is not known. Undefined: the tool sees the real one, or is not given paths.
 */
function realInput(
  input: unknown,
  { root, argument }: Pick<KnownTool, 'root' | 'argument'>,
  cwd: string | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (root === undefined || argument?.kind !== 'path' || typeof input !== 'object' || input === null) return undefined
  const translate = (value: unknown): unknown => {
    if (typeof value === 'string') return realPath(value, root, cwd)
    if (Array.isArray(value)) return value.map(translate)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, translate(item)]))
  }
  // Any text may be a path, or a folder that one is relative to.
  return translate(input) as Readonly<Record<string, unknown>>
}

function realPath(value: string, root: string, cwd: string | undefined): string {
  const windows = isOnDrive(root)
  const base = baseFolder(root, windows)
  const path = readPath(value, windows)
  if (base === undefined || 'problem' in path || path.root !== base.root) return value
  if (base.parts.some((part, index) => part !== path.parts[index])) return value
  const inside = path.parts.slice(base.parts.length).join('/')
  return cwd === undefined ? inside || '.' : `${cwd.replace(/[/\\]$/, '')}/${inside}`
}
