import { canonicalTool } from '../../gate/index.ts'
import type { FunctionTool } from '../../ports/tool.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'

/** The tools that a stack of skills brings, beside the host's. */
export interface BroughtTools {
  /** By name, in the order of the stack. */
  readonly tools: ReadonlyMap<string, FunctionTool>
  /** The names of the host's tools and of these; undefined where the host's are not known. */
  readonly names: readonly string[] | undefined
}

const NONE: ReadonlyMap<string, FunctionTool> = new Map()

/**
 * Returns the tools that active skills have brought. One that the host has a tool of the same name for by now is left
 * out: the name is the host's.
 */
export function broughtTools(
  { toolsets }: Pick<SessionContext, 'toolsets'>,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
): BroughtTools {
  if (!active.some((skill) => skill.toolsets !== undefined)) return { tools: NONE, names: hostTools }
  const tools = new Map<string, FunctionTool>()
  for (const skill of active) {
    if (skill.toolsets === undefined || !toolsets.trusts(skill)) continue
    for (const tool of toolsets.loaded(skill) ?? []) {
      const isTaken = canonicalTool(tool.name, [...(hostTools ?? []), ...tools.keys()]) !== undefined
      if (!isTaken) tools.set(tool.name, tool)
    }
  }
  return { tools, names: hostTools && [...hostTools, ...tools.keys()] }
}
