import { enforcedPolicy, hostRules, mayUse } from '@repertoire/gate/internal'
import type { Manifest } from '@repertoire/skill-md/internal'
import { scriptGate, type ScriptGateContext } from './scripts/script-gate.ts'
import type { ActiveSkill } from './state/state.ts'
import type { InspectedSkill } from './inspect-skill.ts'

/** How a skill's rules fit the tools that the host has. */
export interface ToolFit {
  /** The rules of `allowed-tools`, or what the host gives in their place, in the names of the host's tools. Absent: the skill restricts nothing. */
  readonly allowed?: readonly string[]
  /** Those of `disallowed-tools`. Absent: the skill forbids nothing. */
  readonly disallowed?: readonly string[]
  /** Rules of `allowed-tools` that mean none of the host's tools. Empty where its tools are not known. */
  readonly unmatched: readonly string[]
  /** Whether no tool of the host's could be used any more while the skill is active. */
  readonly leavesNone: boolean
}

/** What the fit of a skill depends on. */
export interface ToolFitContext {
  readonly context: ScriptGateContext
  readonly active: () => readonly ActiveSkill[]
  /** Undefined: not known yet, so that nothing is claimed of them. */
  readonly hostTools: () => readonly string[] | undefined
}

/** A skill whose rules are compared. */
interface FittedSkill extends Pick<InspectedSkill, 'assumedRules'> {
  readonly manifest: Pick<Manifest, 'name' | 'allowedTools' | 'disallowedTools'>
}

/** Compares the rules of a skill, or those that the host gives it, with the tools of the host. */
export function toolFit(
  { manifest, assumedRules }: FittedSkill,
  { context, active, hostTools }: ToolFitContext,
): ToolFit {
  const { name, allowedTools = assumedRules, disallowedTools } = manifest
  const names = hostTools()
  // A rule may name the tool that runs scripts, which is not the host's.
  const hasScriptTool = names !== undefined && context.scripts !== undefined
  const tools = hasScriptTool ? scriptGate(context, names).tools : context.tools.of(names)
  const allowed = allowedTools && hostRules(allowedTools, tools)
  const before = active()
  const permitted = (stack: Parameters<typeof enforcedPolicy>[0]): boolean => {
    const policy = enforcedPolicy(stack, context.gate)
    return names?.some((tool) => mayUse(policy, tool, tools)) === true
  }
  const unmatched = allowed?.unmatched ?? []
  const skill = { name, location: '', scripts: [], ...(allowedTools !== undefined && { rules: allowedTools }) }
  return {
    ...(allowed !== undefined && { allowed: allowed.rules }),
    ...(disallowedTools !== undefined && { disallowed: hostRules(disallowedTools, tools).rules }),
    unmatched,
    // An empty list is meant so.
    leavesNone: unmatched.length > 0 && permitted(before) && !permitted([...before, skill]),
  }
}
