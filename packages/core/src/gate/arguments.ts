import type { ToolArgument } from '../ports/tool.ts'
import { foldTool } from './tool-name.ts'

/** Which argument of which tool a rule's pattern speaks of, by the tool's name. Names compare in any case. */
export type ToolArguments = Readonly<Record<string, ToolArgument>>

const KINDS: ReadonlySet<string> = new Set(['shell', 'path', 'url', 'text'])

/** Tools under the names that they commonly have, and the argument that their rules speak of. */
const COMMON: readonly (readonly [string, ToolArgument])[] = [
  [
    'Bash shell sh terminal run_command execute_command run_shell_command run_terminal_cmd execute_bash bash_tool exec',
    { argument: ['command', 'cmd'], kind: 'shell' },
  ],
  [
    'Read read_file read_text_file read_media_file view view_file open_file cat show_file',
    { argument: ['file_path', 'path', 'filename', 'file', 'absolute_path', 'target_file'], kind: 'path', reads: true },
  ],
  ['read_many_files read_multiple_files', { argument: ['paths', 'include'], kind: 'path', reads: 'below' }],
  // One tool that views and edits: what views must not show a script.
  ['str_replace_based_edit_tool str_replace_editor', { argument: ['path'], kind: 'path', reads: true }],
  ['NotebookRead', { argument: ['notebook_path', 'file_path', 'path'], kind: 'path', reads: true }],
  // Not apply_patch: its patch names the files, so that no argument alone tells where it writes.
  [
    'Write write_file Edit edit_file MultiEdit create_file delete_file append_file replace search_replace',
    { argument: ['file_path', 'path', 'filename', 'file', 'absolute_path', 'target_file'], kind: 'path' },
  ],
  ['NotebookEdit edit_notebook', { argument: ['notebook_path', 'file_path', 'path'], kind: 'path' }],
  ['move_file copy_file rename_file', { argument: ['source', 'destination'], kind: 'path' }],
  ['Glob find_files file_search', { argument: ['pattern', 'path'], kind: 'path' }],
  ['Grep search search_files grep_search', { argument: ['path'], kind: 'path', reads: 'below' }],
  [
    'LS ls list_directory list_dir list_files directory_tree',
    { argument: ['path', 'dir_path', 'directory'], kind: 'path' },
  ],
  ['WebFetch web_fetch fetch fetch_url http_request http_get', { argument: ['url'], kind: 'url' }],
]

/**
 * What is known of tools without being told, under lower-case names. A host's own table goes before it.
 *
 * Tools that search files show their lines: with a script of an active skill as their path, or a folder of the skill
 * with scripts in it, they would show these whole, and are refused. A search in a folder above the skill's, a whole
 * project's, stays allowed, though it may show lines of a script that lies there: scripts are kept from the model so
 * that it runs them instead of spending its context on them, and a project that cannot be searched costs more than that.
 */
export const DEFAULT_TOOL_ARGUMENTS: ToolArguments = table(
  COMMON.flatMap(([names, argument]) =>
    names
      .toLowerCase()
      .split(' ')
      .map((name) => [name, argument] as const),
  ),
)

/**
 * A host's table over the defaults, names in lower case.
 * @throws {TypeError} where an entry is not what a tool argument is, or two names differ in case alone
 */
export function mergeToolArguments(host: ToolArguments = {}): ToolArguments {
  const own = new Map<string, ToolArgument>()
  for (const [name, entry] of Object.entries(host)) {
    if (own.has(foldTool(name))) {
      throw new TypeError(`toolArguments names the tool "${name}" twice, in different case. Keep one of the two.`)
    }
    own.set(foldTool(name), checked(name, entry))
  }
  return table([...Object.entries(DEFAULT_TOOL_ARGUMENTS), ...own])
}

/** What is known of a tool, by its name in any case. */
export function toolArgument(toolArguments: ToolArguments, tool: string): ToolArgument | undefined {
  const wanted = foldTool(tool)
  // The common case first: a merged table has its names in lower case.
  if (Object.hasOwn(toolArguments, wanted)) return toolArguments[wanted]
  return Object.entries(toolArguments).find(([name]) => foldTool(name) === wanted)?.[1]
}

/** The host's first tool that runs commands. */
export function shellTool(toolArguments: ToolArguments, hostTools: readonly string[] | undefined): string | undefined {
  return hostTools?.find((name) => toolArgument(toolArguments, name)?.kind === 'shell')
}

/** One argument of a call that a rule's pattern speaks of. */
export interface ArgumentValue {
  readonly name: string
  readonly value: unknown
}

/**
 * The arguments of a call's input that its rules speak of, as many as are there. An array of paths counts as one
 * argument for each of its elements.
 * @returns undefined where the input is no plain object
 */
export function argumentValues(argument: ToolArgument, input: unknown): readonly ArgumentValue[] | undefined {
  if (!isPlainObject(input)) return undefined
  const found: ArgumentValue[] = []
  for (const name of argumentNames(argument)) {
    if (!(name in input)) continue
    const property = Object.getOwnPropertyDescriptor(input, name)
    // A getter could answer otherwise when the tool asks, and so could what is inherited: there, but not to be judged.
    const hidden = property === undefined ? name in input : !('value' in property)
    const value: unknown = hidden ? null : property?.value
    if (value === undefined) continue
    if (argument.kind === 'path' && Array.isArray(value) && value.length > 0) {
      for (const element of Array.from<unknown>(value)) found.push({ name, value: element })
    } else found.push({ name, value })
  }
  return found
}

/** The names of the arguments that a tool's rules speak of. */
export function argumentNames({ argument }: ToolArgument): readonly string[] {
  return typeof argument === 'string' ? [argument] : argument
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Another realm's Object.prototype is a plain object's prototype too: it has none itself.
  return prototype === null || (Object.getPrototypeOf(prototype) === null && !Array.isArray(value))
}

// Names in lower case. Without a prototype, so that "constructor" is a name like any other.
function table(entries: Iterable<readonly [string, ToolArgument]>): ToolArguments {
  const result = Object.create(null) as Record<string, ToolArgument>
  for (const [name, argument] of entries) result[name] = argument
  return Object.freeze(result)
}

function checked(tool: string, entry: ToolArgument): ToolArgument {
  const { argument, kind, reads, shell, harmless } = Object(entry) as Partial<ToolArgument>
  const names: unknown[] = typeof argument === 'string' ? [argument] : Array.isArray(argument) ? argument : []
  if (names.length === 0 || names.some((name) => typeof name !== 'string' || name === '')) {
    throw new TypeError(
      `toolArguments for "${tool}" needs "argument": the name of a property of the tool's input, or several.`,
    )
  }
  if (typeof kind !== 'string' || !KINDS.has(kind)) {
    throw new TypeError(`toolArguments for "${tool}" needs "kind": "shell", "path", "url" or "text".`)
  }
  if (reads !== undefined && typeof reads !== 'boolean' && reads !== 'below') {
    throw new TypeError(`toolArguments for "${tool}" needs "reads" to be true, false or "below", or not there.`)
  }
  if (shell !== undefined && shell !== 'posix' && shell !== 'other') {
    throw new TypeError(`toolArguments for "${tool}" needs "shell" to be "posix" or "other", or not there.`)
  }
  if (harmless !== undefined && !(Array.isArray(harmless) && harmless.every((name) => typeof name === 'string'))) {
    throw new TypeError(
      `toolArguments for "${tool}" needs "harmless" to be a list of names of arguments, or not there.`,
    )
  }
  return Object.freeze({
    argument: Object.freeze(names as string[]),
    kind,
    ...(reads !== undefined && reads !== false && { reads }),
    ...(shell !== undefined && { shell }),
    ...(harmless !== undefined && { harmless: Object.freeze([...harmless]) }),
  })
}
