import type { ToolArgument, ToolCall } from '../ports/tool.ts'
import { foldTool } from '../tool-name.ts'
import { wellKnownTool, type WellKnownTool } from './well-known.ts'

/** What is known of one of the host's tools. */
export interface KnownTool {
  readonly name: string
  /** What it certainly stands for; of several, rules must allow all. Empty: nothing but itself. */
  readonly as: readonly string[]
  readonly by?: { readonly argument: string; readonly uses: ReadonlyMap<string, string> }
  /** What rules that deny take it for as well. */
  readonly maybe: readonly PossibleTool[]
  readonly argument: ToolArgument | undefined
  readonly root: string | undefined
}

/** What a tool may be. */
export interface PossibleTool {
  readonly name: string
  /** What a pattern is compared with, if it is not the tool's own argument. */
  readonly argument?: ToolArgument | undefined
  /** A tool of a server: only calls that give the argument count, since the name alone says too little. */
  readonly ifGiven?: boolean
}

/** An entry of the host's table, checked. */
export interface OwnTool {
  readonly name: string
  /** What it stands for, all of these together; undefined: nothing was said of that. */
  readonly as?: readonly string[]
  /** What it stands for by the value of the argument `by`. */
  readonly by?: string
  readonly uses?: ReadonlyMap<string, string>
  readonly argument: Partial<ToolArgument>
  readonly root?: string | false
}

/** What a host says of its tools, by their folded names, and of the folder that they see. */
export interface OwnTools {
  readonly own: ReadonlyMap<string, OwnTool | false>
  readonly root: string | undefined
}

/** What the name of a tool in a rule means here. */
interface RuleTool {
  readonly as?: string
  readonly maybe: readonly string[]
}

/** The tools that a host has in a step, and what they stand for. */
export interface Toolset {
  readonly names: readonly string[] | undefined
  find(tool: string): KnownTool
  ruleTool(name: string): RuleTool
}

const UNKNOWN: RuleTool = { maybe: [] }

/** @param names undefined: the host's tools are not known, so that nothing is taken from what else it has */
export function createToolset(table: OwnTools, names: readonly string[] | undefined): Toolset {
  const found = new Map<string, KnownTool>()
  const folded = new Set(names?.map(foldTool))
  const has = (name: string): boolean => folded.has(foldTool(name))

  function isTaken(use: string, tool: string): boolean {
    if (foldTool(use) === tool) return false
    if (has(use)) return true
    for (const [name, entry] of table.own) {
      if (entry === false || name === tool || entry.as?.length !== 1) continue
      if (canonical(entry.as[0]!) === canonical(use) && (names === undefined || has(name))) return true
    }
    return false
  }

  function knownTool(name: string): KnownTool {
    const key = foldTool(name)
    const own = table.own.get(key)
    const entry = own === false ? undefined : own
    const known = own === false ? undefined : wellKnownTool(name)
    const root = entry?.root ?? table.root
    const rest = { name, root: root === false ? undefined : root }
    if (entry === undefined || (entry.as ?? entry.uses) === undefined) {
      const meaning = known === undefined ? foreignTool(key) : ownMeaning(key, known)
      return { ...rest, ...meaning, argument: join(entry?.argument ?? {}, known?.argument) }
    }
    const as = (entry.as ?? []).map(canonical)
    const uses = entry.uses && new Map([...entry.uses].map(([value, use]) => [value, canonical(use)]))
    const first = [...as, ...(uses?.values() ?? [])].map((use) => wellKnownTool(use)?.argument).find(Boolean)
    const by = uses && { by: { argument: entry.by!, uses } }
    return { ...rest, as, ...by, maybe: [], argument: join(entry.argument, known?.argument, first) }
  }

  function ownMeaning(key: string, known: WellKnownTool): Pick<KnownTool, 'as' | 'by' | 'maybe'> {
    const { as = [], by, uses, maybe = [] } = known
    const all = [as].flat()
    const isSure = !all.some((use) => isTaken(use, key))
    const possible = isSure ? maybe.filter((name) => !all.includes(name)) : [...new Set([...all, ...maybe])]
    return {
      as: isSure ? all : [],
      ...(by !== undefined && uses !== undefined && { by: { argument: by, uses: new Map(Object.entries(uses)) } }),
      maybe: possible.map((name) => possibleTool(name, known)),
    }
  }

  return {
    names,
    find(tool) {
      let known = found.get(tool)
      if (known === undefined) {
        if (found.size >= MAX_NAMES) found.clear()
        found.set(tool, (known = knownTool(tool)))
      }
      return known
    },
    ruleTool(name) {
      return name.includes('*') || has(name) ? UNKNOWN : ruleMeaning(name, table.own.get(foldTool(name)))
    },
  }
}

/** Names that are remembered. More are made up by a model, and a set of tools lasts as long as the program. */
const MAX_NAMES = 2_000

function ruleMeaning(name: string, entry: OwnTool | false | undefined): RuleTool {
  if (entry !== undefined && entry !== false && entry.as?.length === 1) {
    return { as: canonical(entry.as[0]!), maybe: [] }
  }
  const known = entry === false ? undefined : wellKnownTool(name)
  if (known === undefined) return UNKNOWN
  const { as, uses, maybe = [] } = known
  if (typeof as === 'string') return { as, maybe }
  return { maybe: [...(as ?? []), ...maybe, ...Object.values(uses ?? {})] }
}

/** The name that skills use for a tool that is certainly one that they know. */
function canonical(name: string): string {
  const known = wellKnownTool(name)
  return typeof known?.as === 'string' ? known.as : name
}

/** What a tool may be, whose own argument is of another kind than that tool's. */
function possibleTool(name: string, { argument: own }: WellKnownTool): PossibleTool {
  const argument = wellKnownTool(name)?.argument
  return argument === undefined || argument.kind === own?.kind ? { name } : { name, argument }
}

/** A tool of a server, as clients name them: `mcp__files__read_file`, `files__read_file`, `files.read_file`. */
const SERVER_TOOL = /^.+(?:__|[./:])([^./:]+)$/

/** A tool of a server is nobody else's; by its own name it may be what others call so. */
function foreignTool(key: string): Pick<KnownTool, 'as' | 'maybe'> {
  const known = wellKnownTool(SERVER_TOOL.exec(key)?.[1] ?? '')
  if (known === undefined) return { as: [], maybe: [] }
  const { as = [], uses = {}, argument, maybe = [] } = known
  const names = new Set([as, Object.values(uses), maybe].flat())
  // The name of a shell says enough.
  const ifGiven = argument !== undefined && argument.kind !== 'url' && known.names.length > 0
  return { as: [], maybe: Array.from(names, (name) => ({ argument, ...possibleTool(name, known), ifGiven })) }
}

/** What is said of an argument first, and then what is known. A property that is named replaces those that are known. */
function join(said: Partial<ToolArgument>, ...known: readonly (ToolArgument | undefined)[]): ToolArgument | undefined {
  const all = known.filter((each) => each !== undefined)
  const kind = said.kind ?? all.at(-1)?.kind
  const alike = all.filter((each) => each.kind === kind)
  const argument = said.argument ?? [...new Set(alike.flatMap((each) => each.argument))]
  if (kind === undefined || argument.length === 0) return undefined
  const harmless = [said, ...alike].flatMap((each) => each.harmless ?? [])
  const { reads, ...joined } = Object.assign({}, ...alike.toReversed(), said, { argument, kind }) as ToolArgument
  return {
    ...joined,
    ...(reads !== undefined && reads !== false && { reads }),
    ...(harmless.length > 0 && { harmless }),
  }
}

/** What a call stands for: certainly, and for rules that deny. */
export function usesOfCall(
  { as, by, maybe: possible }: Pick<KnownTool, 'as' | 'by' | 'maybe'>,
  input: ToolCall['input'],
): Pick<KnownTool, 'as' | 'maybe'> {
  const given = Object(input) as object
  const maybe = possible.filter(
    ({ ifGiven, argument }) => ifGiven !== true || argumentNames(argument!).some((name) => Object.hasOwn(given, name)),
  )
  if (by === undefined) return { as, maybe }
  const value = Object.getOwnPropertyDescriptor(Object(input), by.argument)?.value as unknown
  const use = typeof value === 'string' ? by.uses.get(value) : undefined
  if (use !== undefined) return { as: [use], maybe }
  return { as: [], maybe: [...maybe, ...[...new Set(by.uses.values())].map((name) => ({ name }))] }
}

/** The names of the arguments that a tool's rules speak of. */
export function argumentNames({ argument, program }: ToolArgument): readonly string[] {
  const names = typeof argument === 'string' ? [argument] : argument
  return program === undefined || names.includes(program.name) ? names : [...names, program.name]
}

/** Whether a path on the file system is of use to one of the host's tools: it reads files, or runs commands. */
export function opensFiles(tools: Toolset): boolean {
  return (tools.names ?? []).some((name) => {
    const { as, by, maybe, argument } = tools.find(name)
    const uses = [...as, ...(by?.uses.values() ?? []), ...maybe.map((use) => use.name)]
    return argument?.kind === 'shell' || uses.some((use) => use === 'Read' || use === 'Bash')
  })
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
