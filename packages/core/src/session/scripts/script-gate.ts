import {
  canonicalTool,
  enforcedPolicy,
  type GateContext,
  mayUse,
  openToolTable,
  type ToolTable,
} from '@repertoire/gate/internal'
import { DEFAULT_TOOL_NAMES, type SkillToolNames } from '../../tools/definitions.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import { describeRunner, runnerKey } from './agreed.ts'

/** What it takes to know which scripts may be run. */
export type ScriptGateContext = Pick<SessionContext, 'gate' | 'tools' | 'toolNames' | 'scripts'>

/** Whether a script of an active skill may be run now, so that the tool for it is offered. */
export function offersScripts(
  context: ScriptGateContext,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
): boolean {
  return context.scripts !== undefined && active.some((skill) => offersScriptsOf(skill, context, active, hostTools))
}

/** Whether some script of a skill may be run now: it has one, its runner was agreed to, and no rule forbids them all. */
function offersScriptsOf(
  skill: ActiveSkill,
  context: ScriptGateContext,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
): boolean {
  if (!isRunnerAgreed(skill, context)) return false
  const { tools } = scriptGate(context, hostTools)
  const policy = enforcedPolicy(withOwnScripts(active, skill, context), context.gate)
  return mayUse(policy, context.toolNames.runScript, tools)
}

/** The name of the tool that runs the scripts of an active skill, where it is offered for it. */
export function scriptToolOf(
  name: string,
  context: ScriptGateContext,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
): string | undefined {
  const skill = active.find((each) => each.name === name)
  const isOffered = skill !== undefined && offersScriptsOf(skill, context, active, hostTools)
  return isOffered ? context.toolNames.runScript : undefined
}

/** Whether what would run a skill's scripts is what was agreed to when it was activated. */
export function isRunnerAgreed(skill: ActiveSkill, { scripts }: Pick<SessionContext, 'scripts'>): boolean {
  return scripts !== undefined && skill.scripts.length > 0 && skill.runner === runnerKey(describeRunner(scripts))
}

/** What rules are compared with for the tool that runs scripts: under its own name, and under the one that skills use. */
export function scriptToolTable({ runScript }: SkillToolNames): ToolTable {
  const as = runScript === DEFAULT_TOOL_NAMES.runScript ? {} : { as: DEFAULT_TOOL_NAMES.runScript }
  // The other arguments are the script's, not the tool's.
  const harmless = ['args', 'skill']
  return openToolTable({ tools: { [runScript]: { ...as, argument: 'path', kind: 'path', root: false, harmless } } })
}

/**
 * What a call of the tool that runs scripts is judged by. Its paths are relative to the skill's folder, and so are the
 * patterns of rules; the files that the host protects are those that its own tools reach.
 */
export function scriptGate(
  { gate, tools, toolNames }: Pick<ScriptGateContext, 'gate' | 'tools' | 'toolNames'>,
  hostTools: readonly string[] | undefined = [],
): GateContext {
  return { gate: { ...gate, protect: [] }, tools: tools.of([...hostTools, toolNames.runScript]) }
}

/**
 * The stack as a script of one of its skills is judged by. A skill that lists tools and says nothing of its scripts may
 * run those: it brings them, and they were agreed to with it. What others on the stack list holds for it as for any tool.
 */
export function withOwnScripts(
  active: readonly ActiveSkill[],
  skill: ActiveSkill,
  { toolNames }: Pick<SessionContext, 'toolNames'>,
): readonly ActiveSkill[] {
  const { rules, assumed } = skill
  const names = [toolNames.runScript, DEFAULT_TOOL_NAMES.runScript]
  const isSilent = rules?.every(({ tool }) => canonicalTool(tool, names) === undefined) === true
  if (rules === undefined || assumed === true || !isSilent) return active
  const more: ActiveSkill = { ...skill, rules: [...rules, { tool: toolNames.runScript }] }
  return active.map((each) => (each.name === skill.name ? more : each))
}
