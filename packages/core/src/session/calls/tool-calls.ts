import { canonicalTool, type Outcome, type FunctionTool, type ToolCall } from '@repertoire/gate/internal'
import type { ConsentRequest } from '../../ports/consent.ts'
import { callDenied, deniedInHandler, wasCallDenied } from '../consent/decided-call.ts'
import type { RunActivation } from '../activation/run.ts'
import { recordIfRefused } from '../audit/record-if-refused.ts'
import type { SessionContext } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import type { CallOptions, Session } from '../session.ts'
import type { StateHolder } from '../state/holder.ts'
import type { Steps } from '../step/begin.ts'
import type { ActiveSkill } from '../state/state.ts'
import { type BroughtTools, broughtTools } from '../toolsets/brought-tools.ts'
import { bringsTools, loadBrought } from '../toolsets/load-brought.ts'
import type { Place } from '../consent/questions.ts'
import { copyCall } from '../copy-call.ts'
import { type GatedOutcome, gateCall, isPreapproved } from './gate-call.ts'
import { runHostTool } from './run-host-tool.ts'
import { sessionEnded } from '../refusal.ts'
import type { SkillCall, SkillCalls } from './skill-calls.ts'
import { obtainCallConsent, openCallRequest } from '../consent/call-consent.ts'
import { runBroughtTool } from '../toolsets/run-tool.ts'

/** The parts of a session that its tool calls use. */
export interface ToolCallsContext {
  readonly context: SessionContext
  readonly steps: Pick<Steps, 'active' | 'hostTools' | 'message'>
  readonly state: Pick<StateHolder, 'current' | 'apply' | 'hasUnknownAnswer'>
  readonly lifetime: Pick<Lifetime, 'hasEnded' | 'runBeside' | 'runUntilEnd'>
  readonly skillCalls: Pick<
    SkillCalls,
    'find' | 'findBeside' | 'activates' | 'runsScript' | 'scriptConsentFor' | 'toolName' | 'deniedText'
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

const NOT_PREAPPROVED = Promise.resolve(false)

/** Creates the tool calls of one session. */
export function createToolCalls(calls: ToolCallsContext): ToolCalls {
  return new CallsOfTools(calls)
}

/** A class, since frameworks open a session for every call. */
class CallsOfTools implements ToolCalls {
  readonly #calls: ToolCallsContext

  constructor(calls: ToolCallsContext) {
    this.#calls = calls
  }

  async call(...[written, execute, options = {}]: Parameters<Session['call']>): Promise<Outcome> {
    const { context, steps } = this.#calls
    if (context.questions.isInHandler(this.#calls, options.signal)) {
      return recordIfRefused(context.audit, written, steps.active(), deniedInHandler(written))
    }
    // Before anything is waited for: questions are asked in the order of the calls.
    const place = context.questions.placeFor(this.#calls)
    if (this.#mayAsk(written)) place.take()
    try {
      return await this.#carryOut(written, execute, options, place)
    } finally {
      place.release()
    }
  }

  /** @param written the call as the model wrote it; what is judged, and then run, is a copy */
  async #carryOut(
    written: ToolCall,
    execute: Parameters<Session['call']>[1],
    options: CallOptions,
    place: Place,
  ): Promise<Outcome> {
    const { context, steps, lifetime, skillCalls } = this.#calls
    const { audit } = context
    const active = steps.active()
    if (lifetime.hasEnded()) return recordIfRefused(audit, written, active, sessionEnded())
    const copy = copyCall(written)
    if (!('judged' in copy)) return recordIfRefused(audit, written, active, copy)
    const { judged } = copy
    const { signal } = options
    const skillCall = skillCalls.find(judged.tool)
    if (skillCall !== undefined) return this.#callOfSkills(judged, skillCall, options, place)
    const brought = await this.#brought(active)
    const permitted = await gateCall(context, brought.stackFor(judged.tool), brought.names, judged)
    if (!permitted.ok) return recordIfRefused(audit, judged, active, permitted)
    if (permitted.advised !== undefined) {
      await audit?.recordRefusal(judged, active, permitted.advised, { enforced: false })
    }
    if (permitted.askedBy !== undefined) {
      const { askedBy, value } = permitted
      const denied = await lifetime.runUntilEnd(signal, (until) =>
        obtainCallConsent(this.#calls, { call: value, rule: askedBy }, { place, signal: until }),
      )
      if (denied !== undefined) return recordIfRefused(audit, judged, active, denied)
    }
    place.release()
    const run = async (): Promise<Outcome> => {
      signal?.throwIfAborted()
      if (lifetime.hasEnded()) return sessionEnded()
      const own = brought.tools.get(permitted.value.tool)
      if (own !== undefined) return this.#runOwn(own.tool, permitted.value, signal)
      const host = { call: permitted.value, active }
      return { ok: true, value: await runHostTool(context, host, execute, signal) }
    }
    return audit?.run({ type: 'tool', call: permitted.value, active }, run, options) ?? run()
  }

  async consentFor(judged: ToolCall): Promise<ConsentRequest | undefined> {
    const { context, skillCalls } = this.#calls
    if (context.gate.host.asked === undefined) return undefined
    if (skillCalls.runsScript(judged.tool)) return skillCalls.scriptConsentFor(judged)
    const permitted = await this.#gated(judged)
    if (!permitted.ok || permitted.askedBy === undefined) return undefined
    return openCallRequest(this.#calls, { call: permitted.value, rule: permitted.askedBy })
  }

  async asksAbout(written: ToolCall): Promise<boolean> {
    const judged = this.#hostsCall(written)
    const permitted = judged && (await this.#gated(judged))
    return permitted?.ok === true && permitted.askedBy !== undefined
  }

  deniedText(written: ToolCall, reason?: string): string | undefined {
    const { context, state, steps, skillCalls } = this.#calls
    const { names = [] } = broughtTools(context, steps.active(), steps.hostTools())
    const hosts = skillCalls.find(written.tool) === undefined ? canonicalTool(written.tool, names) : undefined
    const named = hosts === undefined ? written : { ...written, tool: hosts }
    if (wasCallDenied(state.current(), named)) return callDenied(named, reason).text
    return hosts !== undefined ? undefined : skillCalls.deniedText(written, reason)
  }

  async refusalOf(written: ToolCall): ReturnType<Session['refusalOf']> {
    if (this.#calls.lifetime.hasEnded()) return sessionEnded()
    const copy = copyCall(written)
    if (!('judged' in copy)) return copy
    const outcome = await this.#gated(copy.judged)
    return outcome.ok ? undefined : outcome
  }

  isPreapproved(written: ToolCall): Promise<boolean> {
    return this.#calls.context.gate.mode === 'preapprove' ? this.#preapproved(written) : NOT_PREAPPROVED
  }

  toolName(name: string): string | undefined {
    const { context, steps, skillCalls } = this.#calls
    const own = skillCalls.toolName(name)
    if (own !== undefined) return own
    const { names: hostTools } = broughtTools(context, steps.active(), steps.hostTools())
    return hostTools === undefined ? name : canonicalTool(name, hostTools)
  }

  async #callOfSkills(judged: ToolCall, skillCall: SkillCall, options: CallOptions, place: Place): Promise<Outcome> {
    const { context, steps, lifetime, skillCalls, runActivation } = this.#calls
    const { signal, fork, message = steps.message() } = options
    const active = steps.active()
    const beside = skillCalls.findBeside(judged.tool)
    if (beside !== undefined) {
      const outcome = await lifetime.runBeside(signal, (until) => beside(judged, { place, signal: until }))
      return recordIfRefused(context.audit, judged, active, outcome ?? sessionEnded())
    }
    const canFork = fork !== undefined
    const outcome = runActivation(options, (until) => skillCall(judged, { place, signal: until, canFork, message }))
    return recordIfRefused(context.audit, judged, active, await outcome)
  }

  /** Whether carrying a call out may ask the session's handler. */
  #mayAsk({ tool }: ToolCall): boolean {
    const { context, skillCalls } = this.#calls
    if (context.consent === undefined) return false
    return context.gate.host.asked !== undefined || skillCalls.activates(tool)
  }

  /** A tool that a skill has brought ends with the task at the latest. */
  async #runOwn(tool: FunctionTool, judged: ToolCall, signal: AbortSignal | undefined): Promise<Outcome> {
    const { context, lifetime } = this.#calls
    const outcome = await lifetime.runBeside(signal, (until) =>
      runBroughtTool(tool, judged, { signal: until, timeoutMs: context.toolsets.callTimeoutMs }),
    )
    return outcome ?? sessionEnded()
  }

  /** A session that goes on in another process has to load what its skills bring again. */
  async #brought(active: readonly ActiveSkill[]): Promise<BroughtTools> {
    const { context, steps } = this.#calls
    if (bringsTools(active)) await loadBrought(context, active)
    return broughtTools(context, active, steps.hostTools())
  }

  /** A copy of a call that is not one of a skill tool; undefined where it is, or nothing is carried out any more. */
  #hostsCall(written: ToolCall): ToolCall | undefined {
    const { lifetime, skillCalls } = this.#calls
    const copy = copyCall(written)
    if (!('judged' in copy) || lifetime.hasEnded() || skillCalls.find(written.tool) !== undefined) return undefined
    return copy.judged
  }

  /** What the gate says of a call of a tool of the host's, or of one that a skill brings. */
  async #gated(judged: ToolCall): Promise<GatedOutcome> {
    const { context, steps } = this.#calls
    const brought = await this.#brought(steps.active())
    return gateCall(context, brought.stackFor(judged.tool), brought.names, judged)
  }

  async #preapproved(written: ToolCall): Promise<boolean> {
    const { context, steps } = this.#calls
    const judged = this.#hostsCall(written)
    if (judged === undefined) return false
    const brought = await this.#brought(steps.active())
    return isPreapproved(context, brought.stackFor(judged.tool), brought.names, judged)
  }
}
