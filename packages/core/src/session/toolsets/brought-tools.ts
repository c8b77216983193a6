import { canonicalTool, type FunctionTool } from '@repertoire/gate/internal'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'

/** A tool that an active skill has brought. */
interface BroughtTool {
  readonly tool: FunctionTool
  readonly skill: ActiveSkill
}

/** The tools that a stack of skills brings, beside the host's. */
export interface BroughtTools {
  /** By name, in the order of the stack. */
  readonly tools: ReadonlyMap<string, BroughtTool>
  /** The names of the host's tools and of these; undefined where the host's are not known. */
  readonly names: readonly string[] | undefined
  /**
   * Returns the stack that a call of a tool is judged by. A skill that allows only some tools may use those that it
   * brings: its list was written without knowing their names here. That holds for calls of these and for no others, so
   * that no name of a tool can widen what a skill may do with the host's.
   */
  readonly stackFor: (tool: string) => readonly ActiveSkill[]
}

const NONE: ReadonlyMap<string, BroughtTool> = new Map()

/**
 * Returns the tools that active skills have brought. One that the host has a tool of the same name for by now is left
 * out: the name is the host's.
 */
export function broughtTools(
  { toolsets }: Pick<SessionContext, 'toolsets'>,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
): BroughtTools {
  if (!active.some((skill) => skill.toolsets !== undefined)) {
    return { tools: NONE, names: hostTools, stackFor: () => active }
  }
  const tools = new Map<string, BroughtTool>()
  for (const skill of active) {
    if (skill.toolsets === undefined || !toolsets.trusts(skill)) continue
    for (const tool of toolsets.loaded(skill) ?? []) {
      const isTaken = canonicalTool(tool.name, [...(hostTools ?? []), ...tools.keys()]) !== undefined
      if (!isTaken) tools.set(tool.name, { tool, skill })
    }
  }
  return {
    tools,
    names: hostTools && [...hostTools, ...tools.keys()],
    stackFor(tool) {
      const name = canonicalTool(tool, [...(hostTools ?? []), ...tools.keys()])
      const owner = name === undefined ? undefined : tools.get(name)?.skill
      if (name === undefined || owner?.rules === undefined) return active
      const rules = [...owner.rules, { tool: name }]
      return active.map((skill) => (skill === owner ? { ...skill, rules } : skill))
    },
  }
}
