import type { HostTool, ToolArgument } from '../ports/tool.ts'
import { readPath } from '../path.ts'
import { quoteName } from '@repertoire/skill-md/internal'

/** An entry of the host's table, checked. */
export interface OwnTool {
  readonly name: string
  /** What it stands for, all of these together; undefined: nothing was said of that. */
  readonly as?: readonly string[]
  readonly by?: string
  /** What it stands for by the value of the argument `by`. */
  readonly uses?: ReadonlyMap<string, string>
  readonly shared: boolean
  /** Which argument of the tool a pattern is compared with, as far as the entry says it. */
  readonly argument: Partial<ToolArgument>
  readonly root?: string | false
}

/** The name of a tool in a rule: no pattern, and no wildcard. */
const TOOL_NAME = /^[^\s()*,]+$/

/** What an entry has to have for patterns to be compared. */
export const ARGUMENT = '"argument": the name of a property of the tool\'s input, or several'

/**
 * Reads an entry of the host's table, which has the shape of `hostToolsKind`.
 * @throws {TypeError} it contradicts itself, or names what is no tool
 */
export function readEntry(name: string, given: string | HostTool): OwnTool {
  const { as, by, shared = false, root, ...argument } = typeof given === 'string' ? { as: given } : given
  const { argument: property, program } = argument
  if (property?.length === 0) throw invalid(name, ARGUMENT)
  if (program !== undefined && program.args === program.name) {
    throw invalid(name, '"program" to be { name, args }, the properties with the program and with its arguments')
  }
  return {
    name,
    ...readUses(name, as, by),
    shared,
    argument: structuredClone(property === undefined ? argument : { ...argument, argument: [property].flat() }),
    ...(root !== undefined && { root: root === false ? root : readRoot(root, `\`tools\` for ${quoteName(name)}`) }),
  }
}

function readUses(name: string, as: HostTool['as'], by: string | undefined): Pick<OwnTool, 'as' | 'by' | 'uses'> {
  const isTable = typeof as === 'object' && !Array.isArray(as)
  if (by !== undefined) {
    const uses = isTable ? Object.entries(as) : []
    if (uses.length === 0 || uses.some(([, use]) => !TOOL_NAME.test(use))) {
      throw invalid(
        name,
        'with "by", the name of an argument, an "as" with a tool for each of its values, such as { view: "Read" }',
      )
    }
    return { by, uses: new Map(uses) }
  }
  if (as === undefined) return {}
  const names = isTable ? [] : [as].flat()
  if (names.length === 0 || !names.every((each) => TOOL_NAME.test(each))) {
    throw invalid(name, '"as" to be the name of a tool such as "Read", without a pattern, or a list of such names')
  }
  return { as: names }
}

/**
 * Reads the folder that tools see as their working folder.
 * @throws {TypeError} it is not an absolute path
 */
export function readRoot(root: string, where: string): string {
  const path = readPath(root, /^[A-Za-z]:/.test(root))
  if (!('problem' in path) && path.root !== undefined) return root
  throw new TypeError(`${where} needs an absolute path as the root of a file system, such as "/".`)
}

/** An entry that lacks something. */
export function invalid(name: string, needs: string): TypeError {
  return new TypeError(`\`tools\` for ${quoteName(name)} needs ${needs}.`)
}

/**
 * A tool's name in the form that names are compared in. Only A–Z are folded: a letter that merely looks or folds like
 * an ASCII one (the Kelvin sign, a dotted I) makes another name.
 */
export function foldTool(name: string): string {
  // To fold ASCII names at once matters: each rule is compared with each tool in every call.
  return /^[ -~]*$/.test(name) ? name.toLowerCase() : name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Whether two names are the same, in any case. */
export function isSameTool(name: string, other: string): boolean {
  // Folding keeps the length.
  return name.length === other.length && foldTool(name) === foldTool(other)
}

/**
 * The name under which a host knows the tool that was asked for: the exact one, else the only one that differs in case
 * alone.
 * @returns undefined where there is none, or where several differ in case alone
 */
export function canonicalTool(name: string, known: Iterable<string>): string | undefined {
  const alike = new Set(Array.from(known).filter((candidate) => isSameTool(candidate, name)))
  if (alike.has(name)) return name
  return alike.size === 1 ? [...alike][0] : undefined
}

const MCP_SERVER = /^mcp__[^*]+__(?=\*$)/

/**
 * Whether the tool name of a rule speaks of a tool, whatever the rule's pattern. `mcp__<server>__*` speaks of every
 * tool of that server; what stands for its `*` holds no further `__`, so that it does not reach into a server whose
 * name begins with this one's. A `*` anywhere else makes a rule that speaks of nothing.
 */
export function namesTool(rule: string, tool: string): boolean {
  if (!rule.includes('*')) return isSameTool(rule, tool)
  const server = MCP_SERVER.exec(foldTool(rule))?.[0]
  const wanted = foldTool(tool)
  if (server === undefined || !wanted.startsWith(server)) return false
  const rest = wanted.slice(server.length)
  return rest !== '' && !rest.includes('__')
}
