import { canonicalTool, type Policy, permits } from '../gate/index.ts'
import { readInput } from '../tools/input.ts'
import type { Outcome, ToolCall } from '../types.ts'
import type { SessionContext } from './context.ts'
import { shellTool } from './shell-tool.ts'
import { refused, unknownTool } from './refusal.ts'
import { type ScriptOfSkill, scriptReadBy } from './script-read.ts'
import type { ActiveSkill, SessionState } from './state.ts'

/** The policy that a state asks for: every active skill that restricts or takes away, bottom first. */
export function policyOf(state: SessionState): Policy {
  const denied = state.active.flatMap(({ name, denied: rules = [] }) =>
    rules.length > 0 ? [{ skill: name, rules }] : [],
  )
  return {
    lists: state.active.flatMap(({ name, rules }) => (rules === undefined ? [] : [{ skill: name, rules }])),
    ...(denied.length > 0 && { denied }),
  }
}

/** Judges a call of a host's tool. The value is the call under the tool's real name. */
export async function gateCall(
  context: SessionContext,
  policy: Policy,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
  call: ToolCall,
): Promise<Outcome<ToolCall>> {
  const tool = hostTools === undefined ? call.tool : canonicalTool(call.tool, hostTools)
  if (tool === undefined) return unknownTool(call.tool)
  // Arguments that are no JSON come as the text that the model wrote: nothing may run with them.
  const input = readInput(tool, call.input)
  if ('wrong' in input) return refused({ code: 'INPUT_INVALID', reason: input.wrong })
  const canonical = { ...call, tool }
  const verdict = await permits(policy, canonical, context)
  if (!verdict.allowed) {
    const { reason, allowedTools } = verdict
    return refused({ code: 'TOOL_NOT_ALLOWED', reason, ...(allowedTools !== undefined && { allowedTools }) })
  }
  const script = scriptReadBy(canonical, active, context)
  if (script !== undefined) {
    const shell = shellTool(context.toolArguments, hostTools)
    return refused({
      code: 'SCRIPT_READ_BLOCKED',
      reason: scriptReason(script, shell),
    })
  }
  return { ok: true, value: canonical }
}

/** Why a script is not read, and what to do instead. */
export function scriptReason({ skill, location, path, within }: ScriptOfSkill, shell: string | undefined): string {
  const how =
    shell === undefined ? 'There is no tool here that runs it.' : `Run it with "${shell}": ${location}/${path}`
  const what = `"${path}" is a script of the active skill "${skill}": scripts are run, not read.`
  if (within === undefined) return `${what} ${how}`
  return `${JSON.stringify(within.slice(0, 200))} takes scripts in. ${what} ${how} To read other files, name them.`
}
