import { type GuidanceTools, USE_GUIDANCE_MARK, useGuidance } from '../disclosure/guidance.ts'
import { shellTool } from '@repertoire/gate/internal'
import { hasSkillTools } from '../tools/styles.ts'
import type { SessionContext } from './context.ts'

/** Returns the tools of a step by the names that its guidance has for them. */
export function guidanceTools(
  { toolNames, tools, listing, scripts, mounts, gate }: SessionContext,
  hostTools: readonly string[] | undefined,
  isSearched: boolean,
): GuidanceTools {
  const { activate, deactivate, readResource, runScript, search } = toolNames
  const shell = shellTool(tools.of(hostTools))
  return {
    activate: hasSkillTools(listing.style) ? undefined : activate,
    deactivate,
    readResource,
    runScript: scripts === undefined ? undefined : runScript,
    search: isSearched ? search : undefined,
    shell,
    mounted: mounts !== undefined,
    mode: gate.mode,
  }
}

/**
 * Returns the guidance for a model that has activated a skill; undefined where the system prompt says all of it.
 * @param hostTools undefined: they are not known yet
 */
export function activeGuidance(context: SessionContext, hostTools: readonly string[] | undefined): string | undefined {
  if (context.listing.guidance === 'full') return undefined
  return useGuidance(guidanceTools(context, hostTools, false), hostTools !== undefined)
}

/** Whether a conversation has that guidance, in the names of any tools. */
export function hasActiveGuidance(isShown: (text: string) => boolean): boolean {
  return isShown(USE_GUIDANCE_MARK)
}
