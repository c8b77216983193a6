import { quoteName } from '@repertoire/skill-md/internal'
import { readPath } from '../paths/path.ts'
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
  /**
   * The folder that the host's file tools see as their working folder, if they see a file system of their own: with `/`,
   * their `/docs/x.md` is compared with a rule's `docs/**`. Default: they see the real file system.
   */
  readonly toolRoot?: string | undefined
}

/** The host's table, over what is known by default. */
export interface ToolTable extends OwnTools {
  /** Returns the tools of a step; undefined: they are not known yet. The same list gives the same tools. */
  of(hostTools: readonly string[] | undefined): Toolset
  /**
   * Checks the table against the tools that a host really has.
   * @throws {TypeError} an entry stands for a tool that the host has under that very name
   */
  check(hostTools: readonly string[]): void
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
  { toolMap = {}, toolRoot }: HostToolsOptions,
  base?: ToolTable,
  isSkillTool: (name: string) => boolean = () => false,
): ToolTable {
  const own = new Map(base?.own)
  const read = new Map<string, OwnTool | false>()
  for (const [name, given] of Object.entries(toolMap)) {
    if (read.has(foldTool(name))) throw invalid(name, 'to be named once: it is there twice, in different case')
    const entry = given === false ? given : readEntry(name, given)
    for (const skillTool of [name, ...usesOf(entry)].filter(isSkillTool)) {
      throw invalid(name, `no entry: it speaks of ${quoteName(skillTool)}, which is a skill tool`)
    }
    read.set(foldTool(name), entry)
    own.set(foldTool(name), entry)
  }
  const root = toolRoot === undefined ? base?.root : readRoot(toolRoot, '`toolRoot`')
  const byNames = new Map<string, Toolset>()
  const table: ToolTable = {
    own,
    root,
    of(hostTools) {
      const key = JSON.stringify(hostTools ?? null)
      let toolset = byNames.get(key)
      if (toolset === undefined) {
        if (byNames.size >= MAX_TOOLSETS) byNames.clear()
        byNames.set(key, (toolset = createToolset(table, hostTools && [...hostTools])))
      }
      return toolset
    },
    check(hostTools) {
      const byName = new Map(hostTools.map((name) => [foldTool(name), name]))
      for (const [key, entry] of own) {
        const use = byName.has(key) ? usesOf(entry).find((each) => byName.has(foldTool(each))) : undefined
        if (use === undefined || foldTool(use) === key) continue
        throw new TypeError(
          `\`toolMap\` says that ${quoteName(byName.get(key)!)} stands for ${quoteName(use)}, and the host has a tool of that name, ${quoteName(byName.get(foldTool(use))!)}. Take the entry out, or rename the tool.`,
        )
      }
    },
  }
  return table
}

/** The name of a tool in a rule: no pattern, and no wildcard. */
const TOOL_NAME = /^[^\s()*,]+$/

/** Reads an entry of the host's table, which has the shape of `hostToolsKind`. */
function readEntry(name: string, given: string | HostTool): OwnTool {
  const { as, by, root, ...argument } = typeof given === 'string' ? { as: given } : given
  const { argument: property, kind, reads, program } = argument
  if (program !== undefined && program.args === program.name) {
    throw invalid(name, '"program" to be { name, args }, the properties with the program and with its arguments')
  }
  const uses = readUses(name, as, by)
  const saysArgument = property !== undefined || kind !== undefined || reads !== undefined
  const known = [name, ...usesOf(uses)].map((each) => wellKnownTool(each)?.argument).find(Boolean)
  if (property?.length === 0 || (saysArgument && (property ?? known?.argument) === undefined)) {
    throw invalid(name, '"argument": the name of a property of the tool\'s input, or several')
  }
  if (saysArgument && (kind ?? known?.kind) === undefined) {
    throw invalid(name, '"kind": "shell", "path", "url", "sql" or "text"')
  }
  return {
    name,
    ...uses,
    argument: structuredClone(property === undefined ? argument : { ...argument, argument: [property].flat() }),
    ...(root !== undefined && { root: root === false ? root : readRoot(root, `\`toolMap\` for ${quoteName(name)}`) }),
  }
}

function readUses(name: string, as: HostTool['as'], by: string | undefined): Pick<OwnTool, 'as' | 'by' | 'uses'> {
  const isTable = typeof as === 'object' && !Array.isArray(as)
  if (by !== undefined) {
    const uses = isTable ? Object.entries(as) : []
    if (uses.length > 0 && uses.every(([, use]) => TOOL_NAME.test(use))) return { by, uses: new Map(uses) }
    throw invalid(
      name,
      'with "by", the name of an argument, an "as" with a tool for each of its values, such as { view: "Read" }',
    )
  }
  if (as === undefined) return {}
  const names = isTable ? [] : [as].flat()
  if (names.length > 0 && names.every((each) => TOOL_NAME.test(each))) return { as: names }
  throw invalid(name, '"as" to be the name of a tool such as "Read", without a pattern, or a list of such names')
}

/** All that an entry says a tool stands for. */
function usesOf(entry: Pick<OwnTool, 'as' | 'uses'> | false): readonly string[] {
  if (entry === false) return []
  return entry.uses === undefined ? (entry.as ?? []) : [...entry.uses.values()]
}

function readRoot(root: string, where: string): string {
  const path = readPath(root, /^[A-Za-z]:/.test(root))
  if (!('problem' in path) && path.root !== undefined) return root
  throw new TypeError(`${where} needs an absolute path as the root of a file system, such as "/".`)
}

function invalid(name: string, needs: string): TypeError {
  return new TypeError(`\`toolMap\` for ${quoteName(name)} needs ${needs}.`)
}
