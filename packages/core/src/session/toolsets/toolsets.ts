import { RecentEntries } from '../../recent-entries.ts'
import { canonicalTool } from '@repertoire/gate/internal'
import type { FunctionTool } from '../../ports/tool.ts'
import {
  MAX_DIGEST_FILE_BYTES,
  type SkillFolder,
  quote,
  quoteName,
  shownValue,
  isObject,
} from '@repertoire/skill-md/internal'
import type { ToolsetContext, ToolsetOptions } from '../../ports/toolset.ts'
import { pathProblem } from '../../resources/path.ts'
import { inTime } from '../../time-limit.ts'
import { folderKey, type PinnedFolders } from '../activation/pinned-folders.ts'
import { failureReason } from '../refusal.ts'
import type { ActiveSkill } from '../state/state.ts'

export type Toolsets = ReturnType<typeof createToolsets>

const MAX_SKILLS = 1_000

const MAX_TOOLSETS = 20

const CALL_TIMEOUT_MS = 60_000

/**
 * The tools that skills bring, by what was consented to. Shared by sessions: equal digests are equal tools.
 * @param options absent: no skill may bring tools
 * @param loadTimeout for all toolsets of a skill together, in milliseconds
 */
export function createToolsets(
  options: ToolsetOptions | undefined,
  pinnedFolders: Pick<PinnedFolders, 'verify'>,
  loadTimeout: number,
) {
  const known = new RecentEntries<string, readonly FunctionTool[]>(MAX_SKILLS)
  const layers = new Set(options?.layers)

  async function loadAll(skill: ActiveSkill, references: readonly string[]): Promise<readonly FunctionTool[]> {
    if (references.length > MAX_TOOLSETS) {
      throw new TypeError(`It names ${references.length} toolsets, of at most ${MAX_TOOLSETS}.`)
    }
    const folder = await pinnedFolders.verify(skill)
    const tools: FunctionTool[] = []
    for (const reference of references) {
      for (const tool of await loadOne(skill, folder, reference)) {
        const names = tools.map(({ name }) => name)
        if (canonicalTool(tool.name, names) !== undefined) {
          throw new TypeError(`It brings two tools named ${quoteName(tool.name)}.`)
        }
        tools.push(tool)
      }
    }
    return tools
  }

  async function loadOne(skill: ActiveSkill, folder: SkillFolder, reference: string): Promise<readonly FunctionTool[]> {
    const { name, location, digest } = skill
    const request = { skill: name, location, digest, ...readReference(reference), files: await filesOf(folder) }
    try {
      const exported = await options!.loader.load(request)
      if (typeof exported !== 'function') return readTools(exported)
      const context: ToolsetContext = { skill: name, location, digest }
      return readTools(await (exported as (context: ToolsetContext) => unknown)(context))
    } catch (error) {
      throw new TypeError(`Its toolset ${quote(reference)} cannot be used: ${failureReason(error)}`, { cause: error })
    }
  }

  return {
    callTimeoutMs: options?.callTimeout ?? CALL_TIMEOUT_MS,
    trusts: ({ layer }: Pick<ActiveSkill, 'layer'>) => layers.has(layer),
    /**
     * Loads the tools of a skill, once.
     * @param references each as `module:Export`
     * @throws {Error} why they cannot be loaded, as a sentence; the signal's reason
     */
    async load(skill: ActiveSkill, references: readonly string[], signal?: AbortSignal) {
      const key = folderKey(skill)
      const before = known.get(key)
      if (before !== undefined) return before
      const tools = await inTime(loadAll(skill, references), loadTimeout, 'Its toolsets', signal)
      known.set(key, tools)
      return tools
    },
    /** Returns the tools of a skill that were loaded; undefined if they were not. */
    loaded: (skill: ActiveSkill) => known.get(folderKey(skill)),
  }
}

const EXPORT = /^[A-Za-z_$][\w$]*$/

/** @throws {TypeError} */
function readReference(reference: string): { readonly module: string; readonly export: string } {
  const at = reference.lastIndexOf(':')
  const path = reference.slice(0, Math.max(at, 0)).replace(/^\.\//, '')
  const name = reference.slice(at + 1)
  const problem = at < 0 ? 'it has no ":" before the name of an export' : pathProblem(path)
  if (problem !== undefined) throw new TypeError(`Its toolset ${quote(reference)} cannot be used: ${problem}.`)
  if (!EXPORT.test(name)) throw new TypeError(`Its toolset ${quote(reference)} cannot be used: it names no export.`)
  return { module: path, export: name }
}

/** All files that the digest covers, as they were consented to. */
async function filesOf(folder: SkillFolder) {
  const { files, withheld } = await folder.list()
  return [...files, ...withheld.files].map(({ path, executable }) => ({
    path,
    executable,
    read: () => folder.read(path, { maxBytes: MAX_DIGEST_FILE_BYTES, withheld: true }),
  }))
}

const MAX_TOOLS = 64

/** Characters of a tool's description and schema together. */
const MAX_DEFINITION_CHARS = 20_000

/** Names that every provider takes. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * Reads what a toolset gave as tools. What is shown of them is copied: it stays what it was when it was read.
 * @throws {TypeError} it is not a list of tools, with what is wrong as the end of a sentence
 */
function readTools(value: unknown): readonly FunctionTool[] {
  if (!Array.isArray(value)) throw new TypeError('it is not a list of tools, nor a function that gives one')
  if (value.length > MAX_TOOLS) throw new TypeError(`it has ${value.length} tools, of at most ${MAX_TOOLS}`)
  return value.map((tool: unknown, index) => readTool(tool, index + 1))
}

function readTool(tool: unknown, number: number): FunctionTool {
  if (!isObject(tool)) throw new TypeError(`tool ${number} is not an object`)
  const { name, description, inputSchema } = tool
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new TypeError(
      `tool ${number} has the name ${shownValue(name)}, and not one of at most 64 letters, digits, "_" and "-"`,
    )
  }
  if (typeof description !== 'string') throw new TypeError(`the tool ${quote(name)} has no description`)
  if (typeof tool['execute'] !== 'function') throw new TypeError(`the tool ${quote(name)} has no \`execute\``)
  const schema = copySchema(inputSchema)
  if (schema === undefined) {
    throw new TypeError(`the tool ${quote(name)} has no \`inputSchema\` that is the JSON Schema of an object`)
  }
  if (description.length + JSON.stringify(schema).length > MAX_DEFINITION_CHARS) {
    throw new TypeError(`the tool ${quote(name)} is described in more than ${MAX_DEFINITION_CHARS} characters`)
  }
  return {
    name,
    description,
    inputSchema: schema,
    // Not taken out of its object: it may be a method.
    execute: (input, options) => (tool as unknown as FunctionTool).execute(input, options),
  }
}

function copySchema(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(schema) ?? 'null')
    return isObject(copy) && copy['type'] === 'object' ? copy : undefined
  } catch {
    return undefined
  }
}
