import { ABORTED, isThenable, waitFor } from '../../time-limit.ts'
import { type Toolset, canonicalTool, hostRules, judge } from '@repertoire/gate/internal'
import type { Outcome, Refusal } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { inputProblem } from '../../tools/skill-tools.ts'
import type { Asking } from '../consent/asking.ts'
import { obtainCallConsent } from '../consent/call-consent.ts'
import type { CallScope, SessionContext } from '../context.ts'
import { withRealPaths } from '../activation/mount.ts'
import type { RunOptions } from '../lifetime.ts'
import { scriptToolOf } from '../scripts/active-scripts.ts'
import { type Refused, refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { ActiveSkill } from '../state/state.ts'
import { type ProvidedTools, runProvidedTool } from '../toolsets/provided-tools.ts'

/** The call under the tool's real name, or why it is not carried out. */
export type GatedOutcome =
  | {
      readonly ok: true
      readonly value: ToolCall
      /** In the mode `advisory`: the refusal that a skill would have given. */
      readonly advised?: Refusal
      /** The rule of the host's policy by which somebody is to be asked first. Absent: no question is asked. */
      readonly askedBy?: string
      /** Whether the active skills list the call, so that it needs no approval of the host's: in mode `preapprove`. */
      readonly isPreapproved: () => boolean
    }
  | Refused

/**
 * Judges a call of a host's tool, or of one that an active skill has provided, and obtains consent to it where the
 * host's policy asks.
 */
export async function permitCall(
  scope: CallScope,
  provided: ProvidedTools,
  call: ToolCall,
  asking: Asking,
): Promise<GatedOutcome> {
  const permitted = await gateCall(scope.context, provided, call)
  if (!permitted.ok || permitted.askedBy === undefined) return permitted
  const asked = { call: permitted.value, rule: permitted.askedBy }
  return (await obtainCallConsent(scope, asked, asking)) ?? permitted
}

/** Judges a call of a host's tool, or of one that an active skill has provided. */
export async function gateCall(
  context: SessionContext,
  { judgingStack, names }: ProvidedTools,
  call: ToolCall,
): Promise<GatedOutcome> {
  const { gate, cwd, scripts } = context
  const tools = context.tools.of(names)
  const value = nameTool(call, tools)
  if ('ok' in value) return value
  const active = judgingStack(value.tool)
  const scriptTool = (skill: string): string | undefined => scriptToolOf(skill, context, active, names)
  const judgement = await judge(value, active, { gate, tools, cwd, ...(scripts !== undefined && { scriptTool }) })
  if (!judgement.allowed) return refused(judgement.refusal)
  const { advised, askedBy } = judgement
  // What was agreed to under another mode, before the session was saved, takes no approval away.
  const isAgreed = active.every(({ rules, shownMode }) => rules === undefined || shownMode === 'preapprove')
  const isPreapproved = (): boolean => gate.mode === 'preapprove' && isAgreed && judgement.isPreapproved()
  return { ok: true, value, isPreapproved, advised, askedBy }
}

/** The call under the name by which the host knows the tool, or why it cannot be judged. */
function nameTool(call: ToolCall, tools: Toolset): ToolCall | Refused {
  const tool = tools.names === undefined ? call.tool : canonicalTool(call.tool, tools.names)
  if (tool === undefined) {
    const { rules, unmatched } = hostRules([{ tool: call.tool }], tools)
    return refuse.toolUnknown(call.tool, unmatched.length > 0 || call.tool.includes('*') ? [] : rules)
  }
  // Arguments that are not JSON come as the text that the model wrote: nothing may run with them.
  const problem = inputProblem(tool, call.input)
  if (problem === undefined) return tool === call.tool ? call : { ...call, tool }
  return refuse.inputInvalid(problem)
}

/**
 * Runs a permitted call, between its two events: of a tool of the host's, or of one that an active skill has brought.
 * @param given the call as the model wrote it
 * @throws the signal's reason; what `execute` throws
 */
export async function runPermitted(
  { context, lifetime, active }: CallScope,
  provided: ProvidedTools,
  given: ToolCall,
  { value: call, advised }: Extract<GatedOutcome, { ok: true }>,
  execute: (call: ToolCall) => unknown,
  options: RunOptions,
): Promise<Outcome> {
  const { signal } = options
  const stack = active()
  const run = async (): Promise<Outcome> => {
    signal?.throwIfAborted()
    if (lifetime.hasEnded()) return refuse.sessionEnded()
    const own = provided.tools.get(call.tool)
    if (own === undefined) return { ok: true, value: await runHostTool(context, call, stack, execute, signal) }
    // It ends with the task at the latest.
    const outcome = await lifetime.runBeside(signal, (until) => runProvidedTool(context, own, call, until))
    return outcome ?? refuse.sessionEnded()
  }
  if (advised !== undefined) await context.audit?.recordRefusal(given, stack, advised, { enforced: false })
  return context.audit?.run({ type: 'tool', call, active: stack }, run, options) ?? run()
}

/**
 * Runs a tool of the host's until the signal aborts. A tool that ignores the signal goes on: what it ends with then is
 * dropped, and the audit records it as `tool.late`.
 * @throws the signal's reason, at once; what the tool throws
 */
async function runHostTool(
  { audit, tools }: SessionContext,
  call: ToolCall,
  active: readonly ActiveSkill[],
  execute: (call: ToolCall) => unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  signal?.throwIfAborted()
  const running = execute(withRealPaths(call, tools.of([call.tool]), active))
  if (signal === undefined || !isThenable(running)) return running
  const value = await waitFor(running, Infinity, signal)
  if (value !== ABORTED) return value
  const late = { type: 'tool.late', call, active } as const
  Promise.resolve(running).then(
    () => audit?.record({ ...late, outcome: 'succeeded' }),
    (error: unknown) => audit?.record({ ...late, outcome: 'failed', error }),
  )
  throw signal.reason
}
