import {
  canonicalTool,
  enforcedPolicy,
  type GateContext,
  judge,
  mayUse,
  openToolTable,
  type ScriptTools,
  type ToolTable,
  usableShell,
} from '@repertoire/gate/internal'
import type { ToolCall } from '../../ports/tool.ts'
import { nearestNames } from '@repertoire/skill-md/internal'
import { pathProblem } from '../../resources/path.ts'
import { DEFAULT_TOOL_NAMES, type SkillToolNames } from '../../tools/definitions.ts'
import { readFields } from '../../tools/skill-tools.ts'
import { hasSkillTools } from '../../tools/styles.ts'
import { pathInsideMount } from '../activation/mount.ts'
import type { SessionContext } from '../context.ts'
import { isRunnerAgreed } from '../inspect-skill.ts'
import type { Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { ActiveSkill } from '../state/state.ts'

type ScriptGateContext = Pick<SessionContext, 'gate' | 'tools' | 'toolNames' | 'scripts'>

/**
 * The name of the tool that runs the scripts of an active skill, if one may be run now: its runner was agreed to, and
 * no rule forbids all of them.
 */
export function scriptToolOf(
  name: string,
  context: ScriptGateContext,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
): string | undefined {
  const { runScript } = context.toolNames
  const skill = active.find((each) => each.name === name)
  if (skill === undefined || !hasAgreedScripts(skill, context)) return undefined
  const { tools } = scriptGate(context, hostTools)
  const policy = enforcedPolicy(withOwnScripts(active, skill, context), context.gate, tools)
  return mayUse(policy, runScript, tools) ? runScript : undefined
}

export function scriptToolsOf(
  name: string,
  context: ScriptGateContext & Pick<SessionContext, 'cwd'>,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
): ScriptTools {
  const { gate, cwd } = context
  const tools = context.tools.of(hostTools)
  return {
    runScript: scriptToolOf(name, context, active, hostTools),
    shell: usableShell(enforcedPolicy(active, gate, tools), tools),
    permits: async (call) => (await judge(call, active, { gate, tools, cwd })).allowed,
  }
}

export function hasAgreedScripts(skill: ActiveSkill, { scripts }: ScriptGateContext): boolean {
  return scripts !== undefined && skill.scripts.length > 0 && isRunnerAgreed(scripts, skill)
}

/** What rules are compared with for the tool that runs scripts: its own name, and the one that skills use. */
export function scriptToolTable({ runScript }: SkillToolNames): ToolTable {
  const as = runScript === DEFAULT_TOOL_NAMES.runScript ? {} : { as: DEFAULT_TOOL_NAMES.runScript }
  // The other arguments are the script's, not the tool's.
  const harmless = ['args', 'skill']
  return openToolTable({ toolMap: { [runScript]: { ...as, argument: 'path', kind: 'path', harmless } } })
}

/**
 * What a call of the tool that runs scripts is judged by. Its paths are relative to the skill's folder, and so are the
 * patterns of rules; the files that the host protects are those that its own tools reach.
 */
export function scriptGate(
  { gate, tools, toolNames }: Omit<ScriptGateContext, 'scripts'>,
  hostTools: readonly string[] | undefined = [],
): GateContext {
  return { gate: { ...gate, protect: [] }, tools: tools.of([...hostTools, toolNames.runScript]) }
}

/**
 * The stack as a script of one of its skills is judged by. A skill that lists tools and says nothing of its scripts may
 * run those: it brings them, and they were agreed to with it. What others list holds for it as for any tool.
 */
export function withOwnScripts(
  active: readonly ActiveSkill[],
  skill: ActiveSkill,
  { toolNames }: ScriptGateContext,
): readonly ActiveSkill[] {
  const { rules, assumed } = skill
  const names = [toolNames.runScript, DEFAULT_TOOL_NAMES.runScript]
  const isSilent = rules?.every(({ tool }) => canonicalTool(tool, names) === undefined) === true
  if (rules === undefined || assumed === true || !isSilent) return active
  const more: ActiveSkill = { ...skill, rules: [...rules, { tool: toolNames.runScript }] }
  return active.map((each) => (each.name === skill.name ? more : each))
}

export interface RequestedScript {
  readonly skill: ActiveSkill
  /** Relative to the skill's folder. */
  readonly path: string
  readonly args: readonly string[]
}

/** Returns the script that a call of the model's means, or why there is none. */
export function requestedScript(
  context: SessionContext,
  active: readonly ActiveSkill[],
  call: ToolCall,
): RequestedScript | Refused {
  const { runScript: tool } = context.toolNames
  const read = readFields(tool, call.input, { path: 'text', skill: 'text', args: 'texts' })
  if ('wrong' in read) return refuse.inputInvalid(read.wrong)
  const { path = '', skill: name = '', args = [] } = read.values
  if (path === '') return refuse.noPath(tool, 'scripts/run.py')
  const candidates = name === '' ? active.toReversed() : active.filter((skill) => skill.name === name)
  for (const skill of candidates) {
    const found = scriptAt(skill, path)
    if (found !== undefined) return { skill, path: found, args }
  }
  const [skill] = candidates
  if (skill !== undefined) {
    return refuse.scriptNotFound(skill.name, path, nearestPath(path, skill.scripts), skill.scripts)
  }
  const how = hasSkillTools(context.listing.style) ? undefined : context.toolNames.activate
  return refuse.activateFirst(name === '' ? undefined : name, how, 'its scripts are run')
}

/** Returns the path that a model most likely means: it adds folders, leaves some out, or writes a wrong letter. */
export function nearestPath(written: string, paths: readonly string[]): string | undefined {
  const plain = written.replaceAll('\\', '/')
  return (
    paths.find((path) => plain.endsWith(`/${path}`)) ??
    paths.find((path) => path.endsWith(`/${plain}`)) ??
    nearestNames(plain, paths, 1)[0]
  )
}

/**
 * The script of a skill that a path names. A path that is absolute, or that holds
 * `..`, names none, as in `read_skill_resource`.
 */
function scriptAt(skill: ActiveSkill, written: string): string | undefined {
  const inside = pathInsideMount(written, skill) ?? written
  const spellings = [inside, withoutDots(inside)]
  return skill.scripts.find((script) => spellings.includes(script))
}

/** A relative path without `.` in it; undefined if it is not one. */
function withoutDots(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '.')
  return pathProblem(path) === undefined ? parts.join('/') : undefined
}
