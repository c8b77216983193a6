import type { GateMode } from '@repertoire/gate/internal'
import type { ToolDefinition } from '../ports/tool.ts'
import { listedDescription } from '../disclosure/listing.ts'
import { shorten } from '../disclosure/fit.ts'
import { type Skill, escapeXml, oneLine, showName } from '@repertoire/skill-md/internal'

/** The names under which the skill tools are offered. The defaults are the same in every adapter. */
export interface SkillToolNames {
  /** The tool that activates a skill. Default `activate_skill`. */
  readonly activate: string
  /** The tool that deactivates a skill. Default `deactivate_skill`. */
  readonly deactivate: string
  /** The tool that reads a file of a skill. Default `read_skill_resource`. */
  readonly readResource: string
  /**
   * The tool that runs a script. It is offered if the host has a runner, while a skill with scripts is active. Default
   * `run_skill_script`.
   */
  readonly runScript: string
  /**
   * The tool that searches for skills. It is offered if the list is not whole, or as the option `search` says. Default
   * `search_skills`.
   */
  readonly search: string
}

export const DEFAULT_TOOL_NAMES: SkillToolNames = {
  activate: 'activate_skill',
  deactivate: 'deactivate_skill',
  readResource: 'read_skill_resource',
  runScript: 'run_skill_script',
  search: 'search_skills',
}

/**
 * Returns the names that are the skill tools', in lower case. A host without a runner, or that offers no search, may
 * have a tool of that name itself.
 */
export function takenNames(names: SkillToolNames, runsScripts: boolean, searches: boolean): ReadonlySet<string> {
  const { runScript, search, ...others } = names
  const offered = [...Object.values(others), ...(runsScripts ? [runScript] : []), ...(searches ? [search] : [])]
  return new Set(offered.map((name) => name.toLowerCase()))
}

/**
 * Returns the tool that activates a skill.
 * @param list the list of skills for the tool's description; empty if it is elsewhere
 */
export function activateTool(names: SkillToolNames, list: string, mode: GateMode): ToolDefinition {
  const description = `Activates a skill. Never only announce it. ${MEANINGS[mode]}`
  return {
    name: names.activate,
    description: list === '' ? description : `${description}\n\nAvailable skills:\n${list}`,
    risk: 'risky',
    inputSchema: object({ name: TEXT, args: TEXT }, ['name']),
  }
}

/** What an activation means for tools. */
const MEANINGS = {
  restrict: 'It may limit your tools.',
  preapprove: 'It may preapprove tools.',
  advisory: 'It may recommend tools.',
} as const satisfies Record<GateMode, string>

/**
 * Returns the tools to read files of an active skill, and to deactivate it.
 * @param options.deactivates whether an active skill may be deactivated
 * @param options.runsScripts whether there is a script of an active skill that can be run, so that there is a tool for
 * it too
 */
export function toolsOfActive(
  names: SkillToolNames,
  { runsScripts, deactivates }: { readonly runsScripts: boolean; readonly deactivates: boolean },
): readonly ToolDefinition[] {
  const deactivate: ToolDefinition = {
    name: names.deactivate,
    risk: 'safe',
    description: 'Deactivates the last skill.',
    inputSchema: object({}),
  }
  const readResource: ToolDefinition = {
    name: names.readResource,
    risk: 'safe',
    description: 'Reads a skill file.',
    inputSchema: object({ path: TEXT, skill: TEXT, from: { type: 'integer' } }, ['path']),
  }
  const runScript: ToolDefinition = {
    name: names.runScript,
    risk: 'risky',
    description: "Runs a script in a copy of the skill's folder. No shell reads `args`.",
    inputSchema: object({ path: TEXT, args: { type: 'array', items: TEXT }, skill: TEXT }, ['path']),
  }
  return [...(deactivates ? [deactivate] : []), readResource, ...(runsScripts ? [runScript] : [])]
}

const TEXT = { type: 'string' } as const

/** A schema as short as it can be: every step sends it. Calls are read strictly whatever it says. */
function object(
  properties: Readonly<Record<string, unknown>>,
  required?: readonly string[],
): Readonly<Record<string, unknown>> {
  return { type: 'object', properties, ...(required !== undefined && { required }) }
}

/**
 * Whether a model is offered a tool to search for skills: `auto`, where the list does not show every skill with its
 * whole description; `always`, where any skill is visible; or `never`.
 */
export type SearchMode = 'auto' | 'always' | 'never'

export const SEARCH_MODES: readonly SearchMode[] = ['auto', 'always', 'never']

export const MAX_PHRASES = 5

/** Skills that one call finds: a model's own phrases nearly always find the right one among them. */
export const MAX_FOUND = 5

/** Of each description, in UTF-16 code units. A list with room for all shows most of them whole. */
const MAX_SHOWN_CHARS = 600

/** Returns the tool that finds skills by a model's own words. */
export function searchTool({ search, activate }: SkillToolNames): ToolDefinition {
  return {
    name: search,
    risk: 'safe',
    description: `Finds skills that are not listed, or not described in full. Call it before you do without a skill: {"queries": ["fill PDF form fields", "AcroForm Python"]}. Give 1 to ${MAX_PHRASES} short English phrases for one task, with the names of products, file formats and techniques. Then call \`${activate}\` with the name that fits.`,
    inputSchema: object({ queries: { type: 'array', items: TEXT, minItems: 1, maxItems: MAX_PHRASES } }, ['queries']),
  }
}

/**
 * Returns what was found as the text that the model is shown: nothing but what a list shows of a skill.
 * @param active the names of those that are active
 */
export function foundText(
  skills: readonly Skill[],
  active: ReadonlySet<string>,
  { search, activate }: Pick<SkillToolNames, 'search' | 'activate'>,
): string {
  if (skills.length === 0) {
    return `No skill fits. Call \`${search}\` once more with the names of products, formats or techniques, or go on without a skill.`
  }
  const found = skills.map(({ name, manifest }) => {
    const description = oneLine(shorten(listedDescription(manifest).trim(), MAX_SHOWN_CHARS))
    const state = active.has(name) ? ' active="true"' : ''
    return `<skill${state}><name>${escapeXml(showName(name))}</name><description>${description}</description></skill>`
  })
  return [
    '<found_skills>',
    ...found,
    '</found_skills>',
    `If one of them fits the task, call \`${activate}\` with its name now, unless it is active, and follow what it returns. If none does, go on without a skill.`,
  ].join('\n')
}
