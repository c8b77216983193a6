import type { ToolArgument, ToolCall } from '../ports/tool.ts'
import type { OwnTool } from './entry.ts'
import { foldTool } from '../tool-name.ts'
import { argumentNames } from '../arguments.ts'
import { commandRunner } from './command-runner.ts'
import { wellKnownTool, type WellKnownTool } from './well-known.ts'

/** The host's table, checked, over what is known by default. */
export interface ToolTable {
  readonly own: ReadonlyMap<string, OwnTool | false>
  readonly root: string | undefined
  /** Returns the tools of a step; undefined: they are not known yet. The same list gives the same tools. */
  of(hostTools: readonly string[] | undefined): Toolset
  /**
   * Checks the table against the tools that a host really has.
   * @throws {TypeError} an entry stands for a tool that the host has under that very name
   */
  check(hostTools: readonly string[]): void
}

/** What is known of one of the host's tools. */
export interface KnownTool {
  readonly name: string
  /** What it certainly stands for; of several, rules must allow all. Empty: nothing but itself. */
  readonly as: readonly string[]
  /** Where a call's argument tells what it stands for: the argument, and the tool for each value. */
  readonly by?: { readonly argument: string; readonly uses: ReadonlyMap<string, string> }
  /** What rules that deny take it for as well. */
  readonly maybe: readonly PossibleTool[]
  readonly argument: ToolArgument | undefined
  /** The folder that it sees as the working folder. Absent: it sees the real file system. */
  readonly root: string | undefined
}

/** What a tool may be. */
export interface PossibleTool {
  readonly name: string
  /** What a pattern is compared with, if it is not the tool's own argument. */
  readonly argument?: ToolArgument | undefined
  /** The command that a call amounts to. */
  readonly command?: string | undefined
  /** Only calls that give the argument count: the name alone says too little. */
  readonly ifGiven?: true
}

/** What the name of a tool in a rule means here. */
interface RuleTool {
  /** The tool that authors of other systems call by this name. Absent: it means what it says. */
  readonly as?: string
  /** What it may mean as well. */
  readonly maybe: readonly string[]
}

/** The tools that a host has in a step, and what they stand for. */
export interface Toolset {
  /** Undefined: not known yet. */
  readonly names: readonly string[] | undefined
  find(tool: string): KnownTool
  /** What a rule's name means. */
  ruleTool(name: string): RuleTool
}

const UNKNOWN: RuleTool = { maybe: [] }

/** @param names undefined: the host's tools are not known, so that nothing is taken from what else it has */
export function createToolset(table: Pick<ToolTable, 'own' | 'root'>, names: readonly string[] | undefined): Toolset {
  const { own } = table
  const found = new Map<string, KnownTool>()
  const folded = new Set(names?.map(foldTool))
  const has = (name: string): boolean => folded.has(foldTool(name))

  /** Whether an entry of the host's own says which tool this one is, or the host has a tool of that very name. */
  function isTaken(use: string, tool: string): boolean {
    if (foldTool(use) === tool) return false
    if (has(use)) return true
    for (const [name, entry] of own) {
      if (entry === false || entry.shared || name === tool || entry.as?.length !== 1) continue
      if (canonical(entry.as[0]!) === canonical(use) && (names === undefined || has(name))) return true
    }
    return false
  }

  function knownTool(name: string): KnownTool {
    const key = foldTool(name)
    const entry = own.get(key)
    const known = entry === false ? undefined : (wellKnownTool(name) ?? commandRunner(name))
    if (entry !== undefined && entry !== false && (entry.as ?? entry.uses) !== undefined) {
      const as = (entry.as ?? []).map(canonical)
      const uses = entry.uses && new Map([...entry.uses].map(([value, use]) => [value, canonical(use)]))
      const first = [...as, ...(uses?.values() ?? [])].map((use) => wellKnownTool(use)?.argument).find(Boolean)
      return {
        name,
        as,
        ...(uses && { by: { argument: entry.by!, uses } }),
        maybe: [],
        argument: join(entry.argument, known?.argument, first),
        root: rootOf(entry.root),
      }
    }
    return {
      name,
      ...(known === undefined ? foreignTool(key) : ownMeaning(key, known)),
      argument: join(entry === false ? {} : (entry?.argument ?? {}), known?.argument),
      root: rootOf(entry === false ? undefined : entry?.root),
    }
  }

  function ownMeaning(key: string, known: WellKnownTool): Pick<KnownTool, 'as' | 'by' | 'maybe'> {
    const { as = [], by, uses, beside, maybe = [], command } = known
    const all = typeof as === 'string' ? [as] : as
    const isSure = (beside === undefined || beside.every(has)) && !all.some((use) => isTaken(use, key))
    const possible = isSure ? maybe.filter((name) => !all.includes(name)) : [...new Set([...all, ...maybe])]
    return {
      as: isSure ? all : [],
      ...(by !== undefined && uses !== undefined && { by: { argument: by, uses: new Map(Object.entries(uses)) } }),
      maybe: possible.map((name) => possibleTool(name, known, command)),
    }
  }

  const rootOf = (root: string | false | undefined): string | undefined =>
    root === undefined ? table.root : root === false ? undefined : root

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
      return name.includes('*') || has(name) ? UNKNOWN : ruleMeaning(name, own.get(foldTool(name)))
    },
  }
}

/** Names that are remembered. More are made up by a model, and a set of tools lasts as long as the program. */
const MAX_NAMES = 2_000

function ruleMeaning(name: string, entry: ReturnType<ToolTable['own']['get']>): RuleTool {
  if (entry !== undefined && entry !== false && entry.as?.length === 1) {
    return { as: canonical(entry.as[0]!), maybe: [] }
  }
  const known = entry === false ? undefined : wellKnownTool(name)
  if (known === undefined) return UNKNOWN
  const { as, uses, beside, maybe = [] } = known
  if (typeof as === 'string' && beside === undefined) return { as, maybe }
  return { maybe: [...(typeof as === 'string' ? [as] : (as ?? [])), ...maybe, ...Object.values(uses ?? {})] }
}

/** The name that skills use for a tool that is certainly one that they know. */
function canonical(name: string): string {
  const known = wellKnownTool(name)
  return typeof known?.as === 'string' && known.beside === undefined ? known.as : name
}

/** What a tool may be, whose own argument is of another kind than that tool's. */
function possibleTool(name: string, { argument: own }: WellKnownTool, command: string | undefined): PossibleTool {
  const argument = wellKnownTool(name)?.argument
  if (command !== undefined) return { name, command }
  return argument === undefined || argument.kind === own?.kind ? { name } : { name, argument }
}

/** A tool of a server, as clients name them: `mcp__files__read_file`, `files__read_file`, `files.read_file`. */
const SERVER_TOOL = /^.+(?:__|[./:])([^./:]+)$/

/** A tool of a server is nobody else's; by its own name it may be what others call so. */
function foreignTool(key: string): Pick<KnownTool, 'as' | 'maybe'> {
  const name = SERVER_TOOL.exec(key)?.[1] ?? ''
  const runner = commandRunner(name)
  if (runner !== undefined) return { as: [], maybe: [{ name: 'Bash', argument: runner.argument }] }
  const known = wellKnownTool(name)
  if (known === undefined) return { as: [], maybe: [] }
  const { as = [], uses = {}, beside, argument, command, maybe = [] } = known
  if (command !== undefined) return { as: [], maybe: maybe.map((use) => ({ name: use, argument, command })) }
  const meant = [as, Object.values(uses)].flat()
  const certain = beside === undefined ? meant : []
  const others = new Set([...meant, ...maybe].filter((use) => !certain.includes(use)))
  return {
    as: [],
    maybe: [
      ...certain.map((use) => ({ name: use, argument })),
      ...Array.from(others, (use) => ({ argument, ...possibleTool(use, known, undefined), ifGiven: true as const })),
    ],
  }
}

/** What is said of an argument first, and then what is known. A property that is named replaces those that are known. */
function join(said: Partial<ToolArgument>, ...known: readonly (ToolArgument | undefined)[]): ToolArgument | undefined {
  const kind = said.kind ?? known.findLast((each) => each !== undefined)?.kind
  const alike = known.filter((each) => each !== undefined).filter((each) => each.kind === kind)
  const argument = said.argument ?? [...new Set(alike.flatMap((each) => each.argument))]
  const reads = said.reads ?? alike.find((each) => each.reads !== undefined)?.reads
  if (kind === undefined || argument.length === 0) return undefined
  const shell = said.shell ?? alike.find((each) => each.shell !== undefined)?.shell
  const harmless = [said, ...alike].flatMap((each) => each.harmless ?? [])
  const program = said.program ?? alike.find((each) => each.program !== undefined)?.program
  return {
    argument,
    kind,
    ...(reads !== undefined && reads !== false && { reads }),
    shell,
    ...(harmless.length > 0 && { harmless }),
    program,
  }
}

/** What a call stands for: certainly, and for rules that deny. */
export function usesOfCall(
  { as, by, maybe: possible }: Pick<KnownTool, 'as' | 'by' | 'maybe'>,
  input: ToolCall['input'],
): Pick<KnownTool, 'as' | 'maybe'> {
  const maybe = possible.some(({ ifGiven }) => ifGiven) ? possible.filter((use) => isGiven(use, input)) : possible
  if (by === undefined) return { as, maybe }
  const value = Object.getOwnPropertyDescriptor(Object(input), by.argument)?.value as unknown
  const use = typeof value === 'string' ? by.uses.get(value) : undefined
  if (use !== undefined) return { as: [use], maybe }
  return { as: [], maybe: [...maybe, ...[...new Set(by.uses.values())].map((name) => ({ name }))] }
}

function isGiven({ ifGiven, argument }: PossibleTool, input: unknown): boolean {
  if (ifGiven !== true || argument === undefined) return true
  return argumentNames(argument).some((name) => Object.hasOwn(Object(input) as object, name))
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
  /** The property of its input that the command line is in. Absent: it is not certain. */
  readonly argument?: string
  /** It starts a program with a list of arguments: the properties of both. */
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
