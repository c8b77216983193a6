import { quote } from '@repertoire/skill-md/internal'
import { canonicalTool } from '@repertoire/gate/internal'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import { obtainCallConsent, openCallRequest, wasCallDenied } from '../consent/call-consent.ts'
import type { RunActivation } from '../activation/activate.ts'
import { reportEndedEarly } from '../ended-early.ts'
import type { Lifetime } from '../lifetime.ts'
import type { CallInspection, CallOptions, StepCalls } from '../session.ts'
import type { SkillCallScope } from '../requested-skill.ts'
import type { ActiveSkill } from '../state/state.ts'
import { loadProvided, type ProvidedTools, providedTools, runProvidedTool } from '../toolsets/provided-tools.ts'
import type { Place } from '../consent/questions.ts'
import { copyCall } from '../call-arguments.ts'
import { type GatedOutcome, gateCall, runHostTool } from './gate-call.ts'
import type { Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { SkillCalls, SkillTool } from './skill-calls.ts'

/** The parts of a session that its tool calls use. */
interface ToolCallNeeds {
  /** What the calls are judged by. */
  readonly scope: SkillCallScope
  readonly lifetime: Lifetime
  readonly skillCalls: SkillCalls
  readonly runActivation: RunActivation
}

/** Tool calls that are judged in one scope: of skill tools, and of the host's. */
export interface ToolCalls extends Pick<StepCalls, 'call' | 'inspect' | 'toolName' | 'deniedText'> {
  /** Returns the request for consent that a call waits for by the host's policy; undefined where it waits for none. */
  readonly openConsent: (call: ToolCall) => Promise<ConsentRequest | undefined>
  /** Runs a script for the host's own program. */
  readonly runScript: (call: ToolCall, options: Pick<CallOptions, 'signal'>) => Promise<Outcome>
}

/** Creates the tool calls of one scope. */
export function createToolCalls(needs: ToolCallNeeds): ToolCalls {
  const { scope, lifetime, skillCalls, runActivation } = needs
  const { context, state, hostTools } = scope
  const { audit, questions, task } = context

  /** @param call a copy of what the model wrote: what is judged is what runs */
  async function carryOut(
    call: ToolCall,
    execute: NonNullable<Parameters<StepCalls['call']>[1]>,
    options: CallOptions,
    place: Place,
  ): Promise<Outcome> {
    const skillTool = skillCalls.toolOf(call.tool)
    if (skillTool !== undefined) return callSkillTool(skillTool, call, options, place)
    const { signal } = options
    const active = scope.active()
    const provided = await toolsOf(active)
    const permitted = await gateCall(context, provided, call)
    if (!permitted.ok) return permitted
    if (permitted.advised !== undefined)
      await audit?.recordRefusal(call, active, permitted.advised, { enforced: false })
    if (permitted.askedBy !== undefined) {
      const asked = { call: permitted.value, rule: permitted.askedBy }
      const denied = await lifetime.runUntilEnd(signal, (until) =>
        obtainCallConsent({ context, state }, asked, { place, signal: until }),
      )
      if (denied !== undefined) return denied
    }
    place.release()
    const run = async (): Promise<Outcome> => {
      signal?.throwIfAborted()
      if (lifetime.hasEnded()) return refuse.sessionEnded()
      const own = provided.tools.get(permitted.value.tool)
      if (own === undefined) {
        const host = { call: permitted.value, active }
        return { ok: true, value: await runHostTool(context, host, execute, signal) }
      }
      // It ends with the task at the latest.
      const outcome = await lifetime.runBeside(signal, (until) => runProvidedTool(context, own, permitted.value, until))
      return outcome ?? refuse.sessionEnded()
    }
    return audit?.run({ type: 'tool', call: permitted.value, active }, run, options) ?? run()
  }

  function refuseLate({ signal }: CallOptions): Outcome {
    reportEndedEarly({ context, state }, signal)
    return refuse.sessionEnded()
  }

  async function callSkillTool(tool: SkillTool, call: ToolCall, options: CallOptions, place: Place): Promise<Outcome> {
    const { signal, fork, message = scope.message } = options
    if (tool === 'runScript' || tool === 'search') {
      const running = lifetime.runBeside(signal, (until) => skillCalls.runBeside(tool, call, { place, signal: until }))
      return (await running) ?? refuse.sessionEnded()
    }
    const canFork = fork !== undefined
    return runActivation(options, (until) => skillCalls.run(tool, call, { place, signal: until, canFork, message }))
  }

  /** Whether carrying a call out may ask the session's handler. */
  function mayAsk({ tool }: ToolCall): boolean {
    if (context.consent === undefined) return false
    return context.gate.host.asked !== undefined || skillCalls.toolOf(tool) === 'activate'
  }

  /** A session that goes on in another process has to load the tools of its skills again. */
  async function toolsOf(active: readonly ActiveSkill[]): Promise<ProvidedTools> {
    if (active.some(({ toolsets }) => toolsets !== undefined)) await loadProvided(context, active)
    return providedTools(context, active, hostTools())
  }

  async function judge(call: ToolCall): Promise<GatedOutcome> {
    const provided = await toolsOf(scope.active())
    return gateCall(context, provided, call)
  }

  /** Carries out a call when it is its turn to ask. */
  async function inTurn(
    given: ToolCall,
    options: CallOptions,
    active: readonly ActiveSkill[],
    carry: (call: ToolCall, place: Place) => Promise<Outcome>,
  ): Promise<Outcome> {
    const isInHandler = questions.isInHandler(task, options.signal)
    // Before anything is waited for: questions are asked in the order of the calls.
    const place = questions.placeFor(task)
    if (!isInHandler && mayAsk(given)) place.take()
    const copy = copyCall(given)
    const call = 'judged' in copy ? copy.judged : given
    try {
      let outcome: Outcome
      if (isInHandler) outcome = refuse.calledByHandler(call.tool)
      else if (lifetime.hasEnded()) outcome = refuseLate(options)
      else outcome = 'judged' in copy ? await carry(call, place) : copy
      if (!outcome.ok) await audit?.recordRefusal(call, active, outcome.refusal)
      return outcome
    } finally {
      place.release()
    }
  }

  return {
    call(given, execute = noExecute, options = {}) {
      return inTurn(given, options, scope.active(), (call, place) => carryOut(call, execute, options, place))
    },
    runScript(given, options) {
      return inTurn(given, options, scope.active(), async (call, place) => {
        const running = lifetime.runBeside(options.signal, (until) =>
          skillCalls.runBeside('runScript', call, { place, signal: until }),
        )
        return (await running) ?? refuse.sessionEnded()
      })
    },
    async openConsent(call) {
      if (context.gate.host.asked === undefined) return undefined
      if (skillCalls.toolOf(call.tool) === 'runScript') return skillCalls.scriptConsentFor(call)
      const permitted = await judge(call)
      if (!permitted.ok || permitted.askedBy === undefined) return undefined
      return openCallRequest({ context, state }, { call: permitted.value, rule: permitted.askedBy })
    },
    async inspect(given) {
      if (lifetime.hasEnded()) return refusedNow(refuse.sessionEnded())
      const copy = copyCall(given)
      if (!('judged' in copy)) return refusedNow(copy)
      const outcome = await judge(copy.judged)
      if (!outcome.ok) return refusedNow(outcome)
      const isHosts = skillCalls.toolOf(given.tool) === undefined
      return {
        refusal: undefined,
        preapproved: isHosts && outcome.isPreapproved(),
        asks: isHosts && outcome.askedBy !== undefined,
      }
    },
    deniedText(call, reason) {
      const { names = [] } = providedTools(context, scope.active(), hostTools())
      const hosts = skillCalls.toolOf(call.tool) === undefined ? canonicalTool(call.tool, names) : undefined
      const named = hosts === undefined ? call : { ...call, tool: hosts }
      if (wasCallDenied(state.current(), named)) return refuse.callDenied(named.tool, reason).text
      return hosts !== undefined ? undefined : skillCalls.deniedText(call, reason)
    },
    toolName(name) {
      const own = skillCalls.toolName(name)
      if (own !== undefined) return own
      const { names } = providedTools(context, scope.active(), hostTools())
      return names === undefined ? name : canonicalTool(name, names)
    },
  }
}

function refusedNow(refusal: Refused): CallInspection {
  return { refusal, preapproved: false, asks: false }
}

function noExecute({ tool }: ToolCall): never {
  throw new TypeError(`call: the tool ${quote(tool)} is yours. Give \`execute\`, a function that runs it.`)
}
