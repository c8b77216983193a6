import {
  describeRules,
  enforcedPolicy,
  hostRules,
  mayUse,
  type RuleFindings,
  shellTool,
} from '@repertoire/gate/internal'
import { quoteName, shown } from '@repertoire/skill-md/internal'
import { listSome } from '../text/message.ts'
import { scriptGate } from './scripts/active-scripts.ts'
import type { InspectedSkill } from './inspect-skill.ts'
import type { CallScope } from './context.ts'

export interface ToolFit {
  /** The rules of `allowed-tools`, or the host's in their place, by the host's names. Absent: no restriction. */
  readonly allowed?: readonly string[]
  /** Those of `disallowed-tools`. Absent: the skill forbids nothing. */
  readonly disallowed?: readonly string[]
  /** Rules of `allowed-tools` that mean none of the host's tools. Empty where its tools are not known. */
  readonly unmatched: readonly string[]
  readonly findings: RuleFindings
  readonly leavesNone: boolean
}

/** Compares the rules of a skill, or those that the host gives it, with the tools of the host. */
export function toolFit(
  { manifest, assumedRules }: InspectedSkill,
  { context, active, hostTools }: CallScope,
): ToolFit {
  const { name, allowedTools = assumedRules, disallowedTools } = manifest
  const names = hostTools()
  // A rule may name the tool that runs scripts, which is not the host's.
  const hasScriptTool = names !== undefined && context.scripts !== undefined
  const tools = hasScriptTool ? scriptGate(context, names).tools : context.tools.of(names)
  const allowed = allowedTools && hostRules(allowedTools, tools)
  const before = active()
  const permitted = (stack: Parameters<typeof enforcedPolicy>[0]): boolean => {
    const policy = enforcedPolicy(stack, context.gate, tools)
    return names?.some((tool) => mayUse(policy, tool, tools)) === true
  }
  const unmatched = allowed?.unmatched ?? []
  const skill = { name, location: '', scripts: [], rules: allowedTools }
  return {
    allowed: allowed?.rules,
    disallowed: disallowedTools && hostRules(disallowedTools, tools).rules,
    unmatched,
    findings: describeRules(manifest.allowedTools, tools, context.gate.safeGit),
    // An empty list is meant so.
    leavesNone: unmatched.length > 0 && permitted(before) && !permitted([...before, skill]),
  }
}

export function auditedFit({ unmatched, findings: { unbounded } }: ToolFit): {
  readonly unmatchedTools: readonly string[]
  readonly unboundedRules: readonly string[]
} {
  return { unmatchedTools: unmatched, unboundedRules: unbounded }
}

/** Rules, or scripts, that a problem names. */
const MAX_NAMED = 20

/**
 * Says before anybody agrees what an activation would not give: it would leave the model without any tool, or with
 * scripts that nothing runs.
 */
export function reportUnusable(
  { context, hostTools }: CallScope,
  { skill: { name }, manifest: { hooks }, scripts: all }: InspectedSkill,
  { unmatched, leavesNone }: ToolFit,
): void {
  if (leavesNone) {
    context.reportProblem({
      code: 'NO_TOOL_LEFT',
      skill: name,
      message: `While the skill ${quoteName(name)} is active, none of your tools can be used: its allowed-tools match none of them (${listSome(unmatched, MAX_NAMED, shown)}). Map your tools to these names in the option \`toolMap\`, such as { searchCode: 'Grep' }.`,
    })
  }
  const tools = hostTools()
  // Those of hooks are run by what the host has for these.
  const commands = [...hooks.pre, ...hooks.post]
  const scripts = all.filter((script) => !commands.some((command) => command.includes(script)))
  if (scripts.length === 0 || context.scripts !== undefined || tools === undefined) return
  if (shellTool(context.tools.of(tools)) !== undefined) return
  context.reportProblem({
    code: 'NO_SCRIPT_RUNNER',
    skill: name,
    message: `The skill ${quoteName(name)} brings scripts (${listSome(scripts, MAX_NAMED, shown)}), and nothing here runs them. Give \`openRepertoire\` the option \`scripts.runner\`, such as { scripts: { runner: virtualRunner() } } of @repertoire/runners, or give the agent a tool that runs commands.`,
  })
}
