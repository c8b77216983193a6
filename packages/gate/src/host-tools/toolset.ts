import type { ToolArgument } from '../ports/tool.ts'
import { foldTool } from '../tool-name.ts'
import { wellKnownTool } from './well-known.ts'

export interface KnownTool {
  readonly name: string
  /** The tool that it certainly means, by the name that skills use. */
  readonly as?: string | undefined
  readonly by?: { readonly argument: string; readonly uses: ReadonlyMap<string, string> } | undefined
  readonly maybe: readonly string[]
  readonly argument: ToolArgument | undefined
  /** Of a server's tool: what rules that deny compare. A call without it is none of `maybe`: names say too little. */
  readonly maybeArgument?: ToolArgument | undefined
}

export interface OwnTool {
  readonly as?: string
  readonly by?: KnownTool['by']
  readonly argument: Partial<ToolArgument>
}

/** What a host says of its tools, by their folded names. `false`: what is known of the name does not hold. */
export type OwnTools = ReadonlyMap<string, OwnTool | false>

/** The tools that a host has in a step, and the names they are mapped to. */
export interface Toolset {
  /** Undefined: the host's tools are not known. */
  readonly names: readonly string[] | undefined
  find(tool: string): KnownTool
  /** What the name of a tool in a rule means here besides itself: certainly, and to rules that deny. */
  ruleTool(name: string): Pick<KnownTool, 'as' | 'maybe'>
}

export function createToolset(own: OwnTools, names: readonly string[] | undefined): Toolset {
  const folded = new Set(names?.map(foldTool))
  const found = new Map<string, KnownTool>()
  return {
    names,
    find(tool) {
      let known = found.get(tool)
      if (known === undefined) {
        known = knownTool(tool, own)
        if (folded.has(foldTool(tool))) found.set(tool, known)
      }
      return known
    },
    ruleTool(name) {
      const isOwn = name.includes('*') || folded.has(foldTool(name)) || own.has(foldTool(name))
      const known = isOwn ? undefined : wellKnownTool(name)
      return { as: known?.as, maybe: [...Object.values(known?.uses ?? {}), ...(known?.maybe ?? [])] }
    },
  }
}

function knownTool(name: string, own: OwnTools): KnownTool {
  const said = own.get(foldTool(name))
  const known = said === false ? undefined : wellKnownTool(name)
  const { as, by, argument = {} } = said || {}
  if (as !== undefined || by !== undefined) {
    const use = [as ?? [], ...(by?.uses.values() ?? [])].flat().map((each) => wellKnownTool(each)?.argument)
    const maybe = wellKnownTool(as ?? '')?.maybe ?? []
    return { name, as, by, maybe, argument: argumentOf(argument, known?.argument, use.find(Boolean)) }
  }
  if (known === undefined) return { name, argument: argumentOf(argument), ...serverTool(said === false ? '' : name) }
  const uses = known.uses && new Map(Object.entries(known.uses))
  return {
    name,
    as: known.as,
    by: uses && { argument: known.by!, uses },
    maybe: known.maybe ?? [],
    argument: argumentOf(argument, known.argument),
  }
}

function argumentOf(
  said: Partial<ToolArgument>,
  known?: ToolArgument,
  ofUse: ToolArgument | undefined = known,
): ToolArgument | undefined {
  const all = { ...(known?.kind === ofUse?.kind ? known : ofUse), ...said }
  return all.kind === undefined || all.argument === undefined ? undefined : (all as ToolArgument)
}

/** A tool of a server, as clients name them: `mcp__files__read_file`, `files__read_file`, `files.read_file`. */
const SERVER_TOOL = /^.+(?:__|[./:])([^./:]+)$/

const ADDRESSES = ['url', 'uri', 'host', 'hostname', 'domain']

/** By its own name a server's tool may be what others call so. A tool that fetches may name a host for a URL. */
function serverTool(name: string): Pick<KnownTool, 'maybe' | 'maybeArgument'> {
  const known = wellKnownTool(SERVER_TOOL.exec(name)?.[1] ?? '')
  if (known === undefined) return { maybe: [] }
  const { as = [], uses = {}, argument, maybe = [] } = known
  const maybeArgument = argument?.kind === 'url' ? { ...argument, argument: ADDRESSES } : argument
  return { maybe: [as, Object.values(uses), maybe].flat(), maybeArgument }
}

/** What a call means: certainly, and for rules that deny. */
export function usesOfCall(
  { as, by, maybe, maybeArgument }: KnownTool,
  input: unknown,
  isUnreadable = false,
): Pick<KnownTool, 'as' | 'maybe'> {
  const given = Object(input) as Readonly<Record<string, unknown>>
  const isGiven =
    isUnreadable ||
    maybeArgument === undefined ||
    argumentNames(maybeArgument).some((name) => Object.hasOwn(given, name))
  if (!isGiven) return { as, maybe: [] }
  if (by === undefined) return { as, maybe }
  const value = Object.hasOwn(given, by.argument) ? given[by.argument] : undefined
  const use = typeof value === 'string' ? by.uses.get(value) : undefined
  return use === undefined ? { maybe: [...maybe, ...by.uses.values()] } : { as: use, maybe }
}

/** The names of the arguments that a tool's rules speak of. */
export function argumentNames({ argument, program }: ToolArgument): readonly string[] {
  const names = [argument].flat()
  return program === undefined || names.includes(program.name) ? names : [...names, program.name]
}

/** The host's tool that runs commands, and how it is called. */
export interface ShellTool {
  readonly name: string
  readonly argument?: string
  readonly program?: { readonly name: string; readonly args: string }
}

/** Returns the host's first tool that runs commands. */
export function shellTool(tools: Toolset): ShellTool | undefined {
  const name = tools.names?.find((each) => tools.find(each).argument?.kind === 'shell')
  if (name === undefined) return undefined
  const { argument, program } = tools.find(name).argument!
  if (program !== undefined) return { name, program }
  const [first, ...others] = [argument].flat()
  // Several tools have this name, and the command is in the same property of all of them.
  const isCertain = others.length === 0 || name.toLowerCase() === 'bash'
  return isCertain && first !== undefined ? { name, argument: first } : { name }
}
