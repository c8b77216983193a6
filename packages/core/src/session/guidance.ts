import { type GuidanceTools, OPEN_ARGUMENTS, scriptGuidance, useGuidance } from '../disclosure/guidance.ts'
import { runLocation, type ScriptUse, scriptUse, shellTool } from '@repertoire/gate/internal'
import { hasSkillTools } from '../tools/styles.ts'
import type { SessionContext } from './context.ts'
import { scriptToolsOf } from './scripts/active-scripts.ts'
import { type ActiveSkill, isPinned } from './state/state.ts'

/** Returns the tools of a step by the names that its guidance has for them. */
export function guidanceTools(
  { toolNames, tools, listing, scripts, gate }: SessionContext,
  hostTools: readonly string[] | undefined,
  isSearched: boolean,
): GuidanceTools {
  const { activate, deactivate, readResource, runScript, search } = toolNames
  return {
    activate: hasSkillTools(listing.style) ? undefined : activate,
    deactivate,
    readResource,
    runScript: scripts === undefined ? undefined : runScript,
    search: isSearched ? search : undefined,
    shell: shellTool(tools.of(hostTools)),
    mode: gate.mode,
  }
}

/**
 * Returns the guidance for a model that has active skills: all of it, or what the last one adds to it. Undefined where
 * there is nothing to say, or the system prompt says all of it.
 * @param hostTools undefined: they are not known yet
 * @param isGuided whether the model was told how to use the skills below the last one
 */
export async function activeGuidance(
  context: SessionContext,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
  isGuided = false,
): Promise<string | undefined> {
  if (context.listing.guidance === 'full') return undefined
  const withScripts = active.filter(({ scripts, inherited }) => scripts.length > 0 && inherited !== true)
  const [skill] = withScripts
  const use = skill && (await useOfScripts(context, skill, active, hostTools))
  const { deactivate, ...tools } = guidanceTools(context, hostTools, false)
  if (!isGuided) return useGuidance({ ...tools, ...(!active.some(isPinned) && { deactivate }) }, use)
  const isNew = withScripts.length === 1 && skill === active.at(-1)
  return isNew && use !== undefined ? scriptGuidance(use) : undefined
}

/** Returns how the scripts of an active skill are run, by the example of its first one. */
async function useOfScripts(
  context: SessionContext,
  skill: ActiveSkill,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
): Promise<ScriptUse | 'unknown'> {
  const script = { skill: skill.name, location: runLocation(skill), path: skill.scripts[0]! }
  const use = await scriptUse(script, scriptToolsOf(skill.name, context, active, hostTools), OPEN_ARGUMENTS)
  return use === 'none' && hostTools === undefined ? 'unknown' : use
}
