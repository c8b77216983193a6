import { canonicalTool, type GateRefusal, judge } from '../../gate/index.ts'
import { readInput } from '../../tools/input.ts'
import type { Outcome, Refusal } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { SessionContext } from '../context.ts'
import { refused, unknownTool } from './refusal.ts'
import type { ActiveSkill } from '../state/state.ts'

/** What of a session its calls are judged by. */
type GateCallContext = Pick<SessionContext, 'gate' | 'toolArguments' | 'cwd'>

/** The call under the tool's real name, or why it is not carried out. */
export type GatedOutcome =
  | {
      readonly ok: true
      readonly value: ToolCall
      /** Whether the host need not ask for its own approval. */
      readonly preapproved: boolean
      /** In the mode `advisory`: the refusal that a skill would have given. */
      readonly advised?: Refusal
    }
  | Extract<Outcome, { ok: false }>

/** Judges a call of a host's tool. */
export async function gateCall(
  { gate, toolArguments, cwd }: GateCallContext,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
  call: ToolCall,
): Promise<GatedOutcome> {
  const tool = hostTools === undefined ? call.tool : canonicalTool(call.tool, hostTools)
  if (tool === undefined) return unknownTool(call.tool)
  // Arguments that are not JSON come as the text that the model wrote: nothing may run with them.
  const input = readInput(tool, call.input)
  if ('wrong' in input) return refused({ code: 'INPUT_INVALID', reason: input.wrong })
  const value = { ...call, tool }
  const judgement = await judge(value, active, { gate, toolArguments, cwd, hostTools })
  if (!judgement.allowed) return refused(refusalOf(judgement.refusal))
  const { preapproved, advised } = judgement
  return { ok: true, value, preapproved, ...(advised !== undefined && { advised: refusalOf(advised) }) }
}

/** Whether a call needs no approval of the host's: in the mode `preapprove`, where the active skills list it. */
export async function isPreapproved(
  context: GateCallContext,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
  call: ToolCall,
): Promise<boolean> {
  if (context.gate.mode !== 'preapprove') return false
  const outcome = await gateCall(context, active, hostTools, call)
  return outcome.ok && outcome.preapproved
}

/** As the model is told it: who refuses stands in the reason. */
function refusalOf({ code, reason, allowedTools }: GateRefusal): Refusal {
  return { code, reason, ...(allowedTools !== undefined && { allowedTools }) }
}
