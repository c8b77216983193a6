import { canonicalTool, permits, type Policy } from '../../gate/index.ts'
import { readInput } from '../../tools/input.ts'
import type { Outcome, Refusal } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { SessionContext } from '../context.ts'
import { enforcedPolicy, skillsPolicy } from './policy.ts'
import { refused, unknownTool } from './refusal.ts'
import { type ScriptOfSkill, scriptReadBy } from './script-read.ts'
import { shellTool } from './shell-tool.ts'
import type { ActiveSkill } from '../state/state.ts'

/** A judgement: the call under the tool's real name, or why it is not carried out. */
export type Judgement =
  | {
      readonly ok: true
      readonly value: ToolCall
      /** What a skill would have refused, where the mode is to advise alone. */
      readonly advised?: Refusal
    }
  | Extract<Outcome, { ok: false }>

/** Judges a call of a host's tool. */
export async function gateCall(
  context: SessionContext,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
  call: ToolCall,
): Promise<Judgement> {
  const { gate } = context
  const tool = hostTools === undefined ? call.tool : canonicalTool(call.tool, hostTools)
  if (tool === undefined) return unknownTool(call.tool)
  // Arguments that are no JSON come as the text that the model wrote: nothing may run with them.
  const input = readInput(tool, call.input)
  if ('wrong' in input) return refused({ code: 'INPUT_INVALID', reason: input.wrong })
  const canonical = { ...call, tool }
  const enforced =
    (await byPolicy(enforcedPolicy(active, gate), canonical, context)) ?? (await byHost(canonical, context))
  if (enforced !== undefined) return refused(enforced)
  if (gate.mode !== 'advisory') {
    const script = byScript(canonical, active, context, hostTools)
    return script === undefined ? { ok: true, value: canonical } : refused(script)
  }
  const advised =
    (await byPolicy(skillsPolicy(active, gate), canonical, context)) ?? byScript(canonical, active, context, hostTools)
  return { ok: true, value: canonical, ...(advised !== undefined && { advised }) }
}

/**
 * Whether a call needs no approval of the host's: in the mode `preapprove`, where every active skill that has a list
 * lists it, and nothing refuses it.
 */
export async function isPreapproved(
  context: SessionContext,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
  call: ToolCall,
): Promise<boolean> {
  const { gate } = context
  if (gate.mode !== 'preapprove') return false
  const listed = skillsPolicy(active, gate)
  if (listed.lists.length === 0) return false
  const judged = await gateCall(context, active, hostTools, call)
  return judged.ok && (await permits(listed, judged.value, context)).allowed
}

async function byPolicy(policy: Policy, call: ToolCall, context: SessionContext): Promise<Refusal | undefined> {
  const verdict = await permits(policy, call, context)
  if (verdict.allowed) return undefined
  const { reason, allowedTools } = verdict
  return { code: 'TOOL_NOT_ALLOWED', reason, ...(allowedTools !== undefined && { allowedTools }) }
}

async function byHost(call: ToolCall, context: SessionContext): Promise<Refusal | undefined> {
  const { protect } = context.gate
  if (protect.length === 0) return undefined
  // With all that reads commands, which most hosts have no need of.
  const { protectedBy } = await import('../../gate/protect/protected-file.ts')
  const found = await protectedBy(call, protect, context)
  if (found === undefined) return undefined
  const file = JSON.stringify(found.file)
  const why =
    found.by === 'name'
      ? `it names ${file}, which the host's policy protects.`
      : `it may move, remove or replace a folder above ${file}, which the host's policy protects. Name what is meant in that folder instead.`
  return { code: 'TOOL_NOT_ALLOWED', reason: `${JSON.stringify(call.tool)} may not be used like this here: ${why}` }
}

function byScript(
  call: ToolCall,
  active: readonly ActiveSkill[],
  context: SessionContext,
  hostTools: readonly string[] | undefined,
): Refusal | undefined {
  const script = scriptReadBy(call, active, context)
  if (script === undefined) return undefined
  return { code: 'SCRIPT_READ_BLOCKED', reason: scriptReason(script, shellTool(context.toolArguments, hostTools)) }
}

/** Why a script is not read, and what to do instead. */
export function scriptReason({ skill, location, path, within }: ScriptOfSkill, shell: string | undefined): string {
  const how =
    shell === undefined ? 'There is no tool here that runs it.' : `Run it with "${shell}": ${location}/${path}`
  const what = `"${path}" is a script of the active skill "${skill}": scripts are run, not read.`
  if (within === undefined) return `${what} ${how}`
  return `${JSON.stringify(within.slice(0, 200))} takes scripts in. ${what} ${how} To read other files, name them.`
}
