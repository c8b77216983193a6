import { LRUCache } from 'lru-cache'
import type { HostTools } from '../ports/tool.ts'
import { ARGUMENT, type OwnTool, invalid, readEntry, readRoot } from './entry.ts'
import { foldTool } from '../tool-name.ts'
import { createToolset, type Toolset, type ToolTable } from './toolset.ts'
import { wellKnownTool } from './well-known.ts'
import { quoteName } from '@repertoire/skill-md/internal'

/** What a host says of its tools. */
export interface HostToolsOptions {
  /**
   * The host's own tools by their names: what each stands for in the rules of skills, such as `{ runCommand: 'Bash' }`,
   * and which argument a pattern is compared with. Extends and overrides what is known by default (`WELL_KNOWN_TOOLS`).
   */
  readonly toolMap?: HostTools | undefined
  /**
   * The folder that the host's file tools see as their working folder, if they see a file system of their own: with `/`,
   * their `/docs/x.md` is compared with a rule's `docs/**`. Default: they see the real file system.
   */
  readonly toolRoot?: string | undefined
}

/** Lists of tools that are remembered, whoever gives them. */
const MAX_TOOLSETS = 32

/**
 * Reads a host's table.
 * @param base a table that this one extends: entries of the same name replace its
 * @param isSkillTool whether a name is one of the skill tools, which are not the host's
 * @throws {TypeError} an entry is not what a host's tool is; two names differ in case alone; two tools stand for one; a
 * skill tool, or a tool with an entry of its own, is what a tool stands for
 */
export function openToolTable(
  { toolMap = {}, toolRoot }: HostToolsOptions,
  base?: ToolTable,
  isSkillTool: (name: string) => boolean = () => false,
): ToolTable {
  const own = new Map(base?.own)
  for (const [name, entry] of readTable(toolMap, isSkillTool)) own.set(name, entry)
  checkTogether(own)
  const root = toolRoot === undefined ? base?.root : readRoot(toolRoot, '`toolRoot`')
  // Frameworks give a list of its own with every model call, of the same few tools.
  const byNames = new LRUCache<string, Toolset>({ max: MAX_TOOLSETS })
  const table: ToolTable = {
    own,
    root,
    of(hostTools) {
      const key = JSON.stringify(hostTools ?? null)
      let toolset = byNames.get(key)
      if (toolset === undefined) byNames.set(key, (toolset = createToolset(table, hostTools && [...hostTools])))
      return toolset
    },
    check(hostTools) {
      if (own.size === 0) return
      const byName = new Map(hostTools.map((name) => [foldTool(name), name]))
      for (const [name, entry] of own) {
        const tool = byName.get(name)
        const use = tool === undefined ? undefined : usesOf(entry).find((each) => byName.has(foldTool(each)))
        if (use === undefined || foldTool(use) === name) continue
        throw new TypeError(
          `\`toolMap\` says that ${quoteName(tool ?? name)} stands for ${quoteName(use)}, and the host has a tool of that name, ${quoteName(byName.get(foldTool(use)) ?? use)}. Take the entry out, or rename the tool.`,
        )
      }
    },
  }
  return table
}

function readTable(tools: HostTools, isSkillTool: (name: string) => boolean): ReadonlyMap<string, OwnTool | false> {
  const own = new Map<string, OwnTool | false>()
  for (const [name, given] of Object.entries(tools)) {
    const key = foldTool(name)
    if (own.has(key)) {
      throw new TypeError(
        `\`toolMap\` names the tool ${quoteName(name)} twice, in different case. Keep one of the two.`,
      )
    }
    const entry = given === false ? given : readEntry(name, given)
    for (const skillTool of [name, ...usesOf(entry)].filter(isSkillTool)) {
      throw new TypeError(
        `\`toolMap\` for ${quoteName(name)} speaks of ${quoteName(skillTool)}, which is a skill tool: no rule holds for it. Take the entry out.`,
      )
    }
    own.set(key, entry === false ? entry : complete(name, entry))
  }
  return own
}

/** Checks that a pattern can be compared, where the entry says anything of that. */
function complete(name: string, entry: OwnTool): OwnTool {
  const { argument: property, kind, reads } = entry.argument
  if (property === undefined && kind === undefined && reads === undefined) return entry
  const known = [name, ...usesOf(entry)].map((each) => wellKnownTool(each)?.argument).find((each) => each !== undefined)
  if ((property ?? known?.argument) === undefined) {
    throw invalid(name, ARGUMENT)
  }
  if ((kind ?? known?.kind) === undefined) throw invalid(name, '"kind": "shell", "path", "url", "sql" or "text"')
  return entry
}

function checkTogether(own: ReadonlyMap<string, OwnTool | false>): void {
  const holders = new Map<string, string>()
  for (const [key, entry] of own) {
    if (entry === false) continue
    const { name, as, shared } = entry
    for (const use of usesOf(entry)) {
      if (foldTool(use) !== key && own.get(foldTool(use))) {
        throw new TypeError(
          `\`toolMap\` says that ${quoteName(name)} stands for ${quoteName(use)}, and names a tool ${quoteName(use)} of the host's too. Take one of the two out.`,
        )
      }
    }
    const only = !shared && as?.length === 1 ? as[0] : undefined
    if (only === undefined) continue
    const other = holders.get(foldTool(only))
    if (other !== undefined) {
      throw new TypeError(
        `\`toolMap\` says of both ${quoteName(other)} and ${quoteName(name)} that they stand for ${quoteName(only)}. Keep one, or write { as: ${quoteName(only)}, shared: true } for each, if a rule for ${quoteName(only)} is to hold for all of them.`,
      )
    }
    holders.set(foldTool(only), name)
  }
}

/** All that an entry says a tool stands for. */
function usesOf(entry: OwnTool | false): readonly string[] {
  if (entry === false) return []
  return entry.uses === undefined ? (entry.as ?? []) : [...entry.uses.values()]
}
