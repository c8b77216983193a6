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

/**
 * Reads an entry of the host's table.
 * @throws {TypeError} it is not what a host's tool is
 */
export function readEntry(name: string, given: string | HostTool): OwnTool {
  const entry: unknown = typeof given === 'string' ? { as: given } : given
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new TypeError(
      `\`tools\` has no name of a tool for ${quoteName(name)}, such as "Read", and no { as, argument, kind }. Give one, or false for a tool that stands for nothing.`,
    )
  }
  const { as, by, shared = false, root, ...argument } = entry as Readonly<Record<string, unknown>>
  if (typeof shared !== 'boolean') throw invalid(name, '"shared" to be true or false, or not there')
  return {
    name,
    ...readUses(name, as, by),
    shared,
    argument: readArgument(name, argument),
    ...(root !== undefined && { root: root === false ? root : readRoot(root, `\`tools\` for ${quoteName(name)}`) }),
  }
}

function readUses(name: string, as: unknown, by: unknown): Pick<OwnTool, 'as' | 'by' | 'uses'> {
  if (by !== undefined) {
    const uses = typeof as === 'object' && as !== null && !Array.isArray(as) ? Object.entries(as) : []
    if (typeof by !== 'string' || by === '' || uses.length === 0 || uses.some(([, use]) => !isToolName(use))) {
      throw invalid(
        name,
        'with "by", the name of an argument, an "as" with a tool for each of its values, such as { view: "Read" }',
      )
    }
    return { by, uses: new Map(uses as readonly (readonly [string, string])[]) }
  }
  if (as === undefined) return {}
  const names: readonly unknown[] = Array.isArray(as) ? as : [as]
  if (names.length === 0 || !names.every(isToolName)) {
    throw invalid(name, '"as" to be the name of a tool such as "Read", without a pattern, or a list of such names')
  }
  return { as: [...names] as readonly string[] }
}

function isToolName(value: unknown): value is string {
  return typeof value === 'string' && TOOL_NAME.test(value)
}

/** What an entry may say of the tool's arguments: each with what it is, and how a mistake is put right. */
const ARGUMENT_PROPERTIES: readonly (readonly [keyof ToolArgument, (value: unknown) => boolean, needs: string])[] = [
  [
    'argument',
    (value) => isName(value) || (Array.isArray(value) && value.length > 0 && value.every(isName)),
    '"argument": the name of a property of the tool\'s input, or several',
  ],
  ['kind', isOneOf('shell', 'path', 'url', 'sql', 'text'), '"kind": "shell", "path", "url", "sql" or "text"'],
  ['reads', isOneOf(true, false, 'below'), '"reads" to be true, false or "below", or not there'],
  ['shell', isOneOf('posix', 'other'), '"shell" to be "posix" or "other", or not there'],
  [
    'harmless',
    (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
    '"harmless" to be a list of names of arguments, or not there',
  ],
  ['program', isProgram, '"program" to be { name, args }, the properties with the program and with its arguments'],
]

function readArgument(name: string, given: Readonly<Record<string, unknown>>): Partial<ToolArgument> {
  const said = ARGUMENT_PROPERTIES.filter(([key]) => given[key] !== undefined)
  const wrong = said.find(([key, isRight]) => !isRight(given[key]))
  if (wrong !== undefined) throw invalid(name, wrong[2])
  const copy = ([key]: (typeof said)[number]): readonly [string, unknown] => {
    const value = key === 'argument' ? [given[key]].flat() : given[key]
    return [key, structuredClone(value)]
  }
  return Object.fromEntries(said.map(copy))
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isOneOf(...values: readonly unknown[]): (value: unknown) => boolean {
  return (value) => values.includes(value)
}

function isProgram(value: unknown): boolean {
  const { name, args } = Object(value) as Readonly<Record<string, unknown>>
  return isName(name) && isName(args) && args !== name
}

/**
 * Reads the folder that tools see as their working folder.
 * @throws {TypeError} it is not an absolute path
 */
export function readRoot(root: unknown, where: string): string {
  const path = typeof root === 'string' ? readPath(root, /^[A-Za-z]:/.test(root)) : undefined
  if (path !== undefined && !('problem' in path) && path.root !== undefined) return root as string
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
