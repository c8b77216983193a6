import { canonicalTool } from '../../gate/index.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { FunctionTool, ToolCall } from '../../ports/tool.ts'
import { callDenied, wasCallDenied } from '../consent/decided-call.ts'
import type { RunActivation } from '../activation/run.ts'
import { recordIfRefused } from '../audit/record-if-refused.ts'
import type { SessionContext } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Session } from '../session.ts'
import type { StateHolder } from '../state/holder.ts'
import type { Steps } from '../step/begin.ts'
import type { ActiveSkill } from '../state/state.ts'
import { type BroughtTools, broughtTools } from '../toolsets/brought-tools.ts'
import { loadBrought } from '../toolsets/load-brought.ts'
import { copyCall } from '../copy-call.ts'
import { WORK } from '../lazy-work.ts'
import type { GatedOutcome } from './gate-call.ts'
import { sessionEnded } from '../refusal.ts'
import type { SkillCalls } from './skill-calls.ts'

/** The parts of a session that its tool calls use. */
export interface ToolCallsContext {
  readonly context: SessionContext
  readonly steps: Pick<Steps, 'active' | 'hostTools'>
  readonly state: Pick<StateHolder, 'current' | 'apply'>
  readonly lifetime: Pick<Lifetime, 'hasEnded' | 'runBeside' | 'runUntilEnd'>
  readonly skillCalls: Pick<
    SkillCalls,
    'find' | 'findBeside' | 'runsScript' | 'scriptConsentFor' | 'toolName' | 'deniedText'
  >
  readonly runActivation: RunActivation
}

/** The tool calls of a session: of skill tools, and of the host's. */
export interface ToolCalls extends Pick<
  Session,
  'call' | 'refusalOf' | 'isPreapproved' | 'asksAbout' | 'toolName' | 'deniedText'
> {
  /** Returns the request for consent that a call waits for by the host's policy; undefined where it waits for none. */
  consentFor(judged: ToolCall): Promise<ConsentRequest | undefined>
}

/** Creates the tool calls of one session. */
export function createToolCalls(calls: ToolCallsContext): ToolCalls {
  const { context, state, steps, lifetime, skillCalls, runActivation } = calls
  const { audit } = context

  // `written` is the call as the model wrote it, `judged` the copy that is judged, and then run.
  const call: Session['call'] = async (written, execute, options = {}) => {
    const active = steps.active()
    if (lifetime.hasEnded()) return recordIfRefused(audit, written, active, sessionEnded())
    const copy = copyCall(written)
    if (!('judged' in copy)) return recordIfRefused(audit, written, active, copy)
    const { judged } = copy
    const { signal, fork, message } = options
    const skillCall = skillCalls.find(judged.tool)
    if (skillCall !== undefined) {
      const beside = skillCalls.findBeside(judged.tool)
      if (beside !== undefined) {
        const outcome = await lifetime.runBeside(signal, (until) => beside(judged, until))
        return recordIfRefused(audit, judged, active, outcome ?? sessionEnded())
      }
      const canFork = fork !== undefined
      const outcome = runActivation(options, (until) => skillCall(judged, { signal: until, canFork, message }))
      return recordIfRefused(audit, judged, active, await outcome)
    }
    const bringing = broughtNow(active)
    const brought = bringing instanceof Promise ? await bringing : bringing
    const work = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
    const permitted = await work.gateCall(context, brought.stackFor(judged.tool), brought.names, judged)
    if (!permitted.ok) return recordIfRefused(audit, judged, active, permitted)
    if (permitted.advised !== undefined) {
      await audit?.recordRefusal(judged, active, permitted.advised, { enforced: false })
    }
    if (permitted.askedBy !== undefined) {
      const { askedBy, value } = permitted
      const denied = await lifetime.runUntilEnd(signal, (until) =>
        work.obtainCallConsent(calls, { call: value, rule: askedBy }, until),
      )
      if (denied !== undefined) return recordIfRefused(audit, judged, active, denied)
    }
    const run = async (): Promise<Outcome> => {
      signal?.throwIfAborted()
      if (lifetime.hasEnded()) return sessionEnded()
      const own = brought.tools.get(permitted.value.tool)
      if (own !== undefined) return runOwn(own.tool, permitted.value, signal)
      return { ok: true, value: await execute(permitted.value) }
    }
    return audit?.run({ type: 'tool', call: permitted.value, active }, run, options) ?? run()
  }

  /** A tool that a skill has brought ends with the task at the latest. */
  async function runOwn(tool: FunctionTool, judged: ToolCall, signal: AbortSignal | undefined): Promise<Outcome> {
    const { runBroughtTool } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
    const outcome = await lifetime.runBeside(signal, (until) =>
      runBroughtTool(tool, judged, { signal: until, timeoutMs: context.toolsets.callTimeoutMs }),
    )
    return outcome ?? sessionEnded()
  }

  /**
   * A session that goes on in another process has to load what its skills bring again. Returns a promise only where they
   * bring something.
   */
  function broughtNow(active: readonly ActiveSkill[]): BroughtTools | Promise<BroughtTools> {
    const bring = (): BroughtTools => broughtTools(context, active, steps.hostTools())
    return active.some(({ toolsets }) => toolsets !== undefined) ? loadBrought(context, active).then(bring) : bring()
  }

  /** What the gate says of a call of a tool of the host's, or of one that a skill brings. */
  async function gated(judged: ToolCall): Promise<GatedOutcome> {
    const brought = await broughtNow(steps.active())
    const { gateCall } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
    return gateCall(context, brought.stackFor(judged.tool), brought.names, judged)
  }

  return {
    call,
    async consentFor(judged) {
      if (context.gate.host.asked === undefined) return undefined
      if (skillCalls.runsScript(judged.tool)) return skillCalls.scriptConsentFor(judged)
      const permitted = await gated(judged)
      if (!permitted.ok || permitted.askedBy === undefined) return undefined
      const { openCallRequest } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
      return openCallRequest(calls, { call: permitted.value, rule: permitted.askedBy })
    },
    async asksAbout(written) {
      const copy = copyCall(written)
      if (!('judged' in copy) || lifetime.hasEnded() || skillCalls.find(written.tool) !== undefined) return false
      const permitted = await gated(copy.judged)
      return permitted.ok && permitted.askedBy !== undefined
    },
    deniedText(written, reason) {
      const { names = [] } = broughtTools(context, steps.active(), steps.hostTools())
      const hosts = skillCalls.find(written.tool) === undefined ? canonicalTool(written.tool, names) : undefined
      const named = hosts === undefined ? written : { ...written, tool: hosts }
      if (wasCallDenied(state.current(), named)) return callDenied(named, reason).text
      return hosts !== undefined ? undefined : skillCalls.deniedText(written, reason)
    },
    async refusalOf(written) {
      if (lifetime.hasEnded()) return sessionEnded()
      const copy = copyCall(written)
      if (!('judged' in copy)) return copy
      const outcome = await gated(copy.judged)
      return outcome.ok ? undefined : outcome
    },
    async isPreapproved(written) {
      if (context.gate.mode !== 'preapprove') return false
      const copy = copyCall(written)
      if (!('judged' in copy) || lifetime.hasEnded() || skillCalls.find(written.tool) !== undefined) return false
      const brought = await broughtNow(steps.active())
      const { isPreapproved } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
      return isPreapproved(context, brought.stackFor(copy.judged.tool), brought.names, copy.judged)
    },
    toolName(name) {
      const { names: hostTools } = broughtTools(context, steps.active(), steps.hostTools())
      return skillCalls.toolName(name) ?? (hostTools === undefined ? name : canonicalTool(name, hostTools))
    },
  }
}
