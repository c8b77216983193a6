import { quoteName } from '@repertoire/skill-md/internal'
import type { HostTool, HostTools } from '../ports/tool.ts'
import { foldTool } from '../tool-name.ts'
import { createToolset, type OwnTool, type OwnTools, type Toolset } from './toolset.ts'
import { wellKnownTool } from './well-known.ts'

/** What a host says of its tools. */
export interface HostToolsOptions {
  /**
   * The host's own tools by their names: what each stands for in the rules of skills, such as `{ runCommand: 'Bash' }`,
   * and which argument a pattern is compared with. Extends and overrides what is known by default (`WELL_KNOWN_TOOLS`).
   */
  readonly toolMap?: HostTools | undefined
}

/** The host's table, over what is known by default. */
export interface ToolTable {
  readonly own: OwnTools
  /** Returns the tools of a step; undefined: they are not known yet. The same list gives the same tools. */
  of(hostTools: readonly string[] | undefined): Toolset
}

/** Lists of tools that are remembered. Frameworks give one with every model call, of the same few tools. */
const MAX_TOOLSETS = 32

/**
 * Reads a host's table.
 * @param base a table that this one extends: entries of the same name replace its
 * @param isSkillTool whether a name is one of the skill tools, which are not the host's
 * @throws {TypeError} an entry is not what a host's tool is; two names differ in case alone; one is a skill tool
 */
export function openToolTable(
  { toolMap = {} }: HostToolsOptions,
  base?: ToolTable,
  isSkillTool: (name: string) => boolean = () => false,
): ToolTable {
  const read = new Map<string, OwnTool | false>()
  for (const [name, given] of Object.entries(toolMap)) {
    if (read.has(foldTool(name))) throw invalid(name, 'to be named once: it is there twice, in different case')
    const entry = given === false ? given : readEntry(name, given)
    for (const skillTool of [name, ...usesOf(entry)].filter(isSkillTool)) {
      throw invalid(name, `no entry: it speaks of ${quoteName(skillTool)}, which is a skill tool`)
    }
    read.set(foldTool(name), entry)
  }
  const own = new Map([...(base?.own ?? []), ...read])
  const byNames = new Map<string, Toolset>()
  return {
    own,
    of(hostTools) {
      const key = JSON.stringify(hostTools ?? null)
      let toolset = byNames.get(key)
      if (toolset === undefined) {
        if (byNames.size >= MAX_TOOLSETS) byNames.clear()
        byNames.set(key, (toolset = createToolset(own, hostTools && [...hostTools])))
      }
      return toolset
    },
  }
}

/** The name of a tool in a rule: no pattern, and no wildcard. */
const TOOL_NAME = /^[^\s()*,]+$/

function readEntry(name: string, given: string | HostTool): OwnTool {
  const { as, by, ...argument } = typeof given === 'string' ? { as: given } : given
  const uses = readUses(name, as, by)
  const known = [name, ...usesOf(uses)].map((each) => wellKnownTool(each)?.argument).find(Boolean)
  const { argument: property = known?.argument, kind = known?.kind } = argument
  const isSaid = [argument.argument, argument.kind, argument.reads].some((each) => each !== undefined)
  if (isSaid && (property === undefined || property.length === 0 || kind === undefined)) {
    throw invalid(
      name,
      '"argument", a property of the tool\'s input, and "kind": "shell", "path", "url", "sql" or "text"',
    )
  }
  const said = Object.entries(argument).filter(([, value]) => value !== undefined)
  return { ...uses, argument: structuredClone(Object.fromEntries(said)) }
}

function readUses(name: string, as: HostTool['as'], by: string | undefined): Pick<OwnTool, 'as' | 'by'> {
  if (by !== undefined) {
    const uses = typeof as === 'object' ? Object.entries(as) : []
    if (uses.length > 0 && uses.every(([, use]) => TOOL_NAME.test(use))) {
      return { by: { argument: by, uses: new Map(uses.map(([value, use]) => [value, canonical(use)])) } }
    }
    throw invalid(
      name,
      'with "by", the name of an argument, an "as" with a tool for each of its values, such as { view: "Read" }',
    )
  }
  if (as === undefined) return {}
  if (typeof as === 'string' && TOOL_NAME.test(as)) return { as: canonical(as) }
  throw invalid(name, '"as" to be the name of a tool such as "Read", without a pattern')
}

/** The name that skills use for a tool that they know. */
function canonical(name: string): string {
  return wellKnownTool(name)?.as ?? name
}

/** All tools that an entry maps a tool to. */
function usesOf(entry: Pick<OwnTool, 'as' | 'by'> | false): readonly string[] {
  if (entry === false) return []
  return [...(entry.as === undefined ? [] : [entry.as]), ...(entry.by?.uses.values() ?? [])]
}

function invalid(name: string, needs: string): TypeError {
  return new TypeError(`\`toolMap\` for ${quoteName(name)} needs ${needs}.`)
}
