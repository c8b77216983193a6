import { quote } from '@repertoire/skill-md/internal'
import { canonicalTool } from '@repertoire/gate/internal'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import { askWhileWaiting, openRequest, recordedAnswer } from '../consent/asking.ts'
import { unusedCallRequest, wasCallDenied } from '../consent/call-consent.ts'
import type { DecideActivation, Decided } from '../activation/activate.ts'
import { reportEndedEarly } from '../ended-early.ts'
import type { Lifetime } from '../lifetime.ts'
import type { CallOptions, PreviewOptions, StepCalls } from '../session.ts'
import type { SkillCallScope } from '../requested-skill.ts'
import { permitScript, runSkillScript } from '../scripts/run-script.ts'
import { type ActiveSkill, isFork } from '../state/state.ts'
import { loadProvided, type ProvidedTools, providedTools, runProvidedTool } from '../toolsets/provided-tools.ts'
import { copyCall } from '../call-arguments.ts'
import type { Person } from '../turn/person.ts'
import { gateCall, permitCall, runHostTool } from './gate-call.ts'
import { reportDetail } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { SkillCalls, SkillTool } from './skill-calls.ts'
import { standsFor } from './stand-in.ts'

/** The parts of a session that its tool calls use. */
interface ToolCallNeeds {
  readonly scope: SkillCallScope
  readonly lifetime: Lifetime
  readonly skillCalls: SkillCalls
  readonly decideActivation: DecideActivation
  readonly person: Pick<Person, 'requestFor'>
}

/** Tool calls that are judged in one scope: of skill tools, and of the host's. */
export interface ToolCalls extends StepCalls {
  /** Runs a script for the host's own program. */
  readonly runScript: (call: ToolCall, options: Pick<CallOptions, 'signal'>) => Promise<Outcome>
}

export function createToolCalls({ scope, lifetime, skillCalls, decideActivation, person }: ToolCallNeeds): ToolCalls {
  const { context, state, hostTools } = scope
  const { audit } = context

  /** Decides about a call of a tool of the host's, or of one that an active skill has brought. */
  async function decideHostTool(
    call: ToolCall,
    execute: NonNullable<Parameters<StepCalls['call']>[1]>,
    options: CallOptions,
  ): Promise<Decided> {
    const { signal, canWait = false, recorded } = options
    const active = scope.active()
    const provided = await toolsOf(active)
    const permitted = await permitCall(scope, provided, call, { signal, canWait, recorded })
    if (!permitted.ok) return permitted
    const { value: judged, advised } = permitted
    const run = async (): Promise<Outcome> => {
      signal?.throwIfAborted()
      if (lifetime.hasEnded()) return refuse.sessionEnded()
      const own = provided.tools.get(judged.tool)
      if (own === undefined)
        return { ok: true, value: await runHostTool(context, { call: judged, active }, execute, signal) }
      // It ends with the task at the latest.
      const outcome = await lifetime.runBeside(signal, (until) => runProvidedTool(context, own, judged, until))
      return outcome ?? refuse.sessionEnded()
    }
    return {
      async begin() {
        if (advised !== undefined) await audit?.recordRefusal(call, active, advised, { enforced: false })
        return audit?.run({ type: 'tool', call: judged, active }, run, options) ?? run()
      },
    }
  }

  async function decideSkillTool(tool: SkillTool, call: ToolCall, options: CallOptions): Promise<Decided> {
    const { signal, fork, message = scope.message, canWait = false, recorded } = options
    if (tool === 'search') {
      const searching = lifetime.runBeside(signal, (until) => skillCalls.search(call, until))
      return (await searching) ?? refuse.sessionEnded()
    }
    if (tool === 'runScript') {
      const permitted = await lifetime.runUntilEnd(signal, (until) =>
        permitScript(scope, call, { signal: until, canWait, recorded }),
      )
      if (permitted === undefined) return refuse.sessionEnded()
      if ('ok' in permitted) return permitted
      return {
        async begin() {
          const running = lifetime.runBeside(signal, (until) => runSkillScript(scope, permitted, until))
          return (await running) ?? refuse.sessionEnded()
        },
      }
    }
    const canFork = fork !== undefined
    return decideActivation(options, (until) =>
      skillCalls.run(tool, call, { signal: until, canFork, canWait, recorded, message }),
    )
  }

  /** Whether a call waits for its turn among the questions of the task: it may ask, or changes the stack. */
  function takesTurn(name: string): boolean {
    const tool = skillCalls.toolOf(name)
    const isAskedByPolicy = tool === undefined || tool === 'runScript'
    return isAskedByPolicy ? context.gate.host.asked.length > 0 : tool === 'activate' || tool === 'deactivate'
  }

  function refuseLate({ signal }: CallOptions): Outcome {
    reportEndedEarly({ context, state }, signal)
    return refuse.sessionEnded()
  }

  /** A session that goes on in another process has to load the tools of its skills again. */
  async function toolsOf(active: readonly ActiveSkill[]): Promise<ProvidedTools> {
    if (active.some(({ toolsets }) => toolsets !== undefined)) await loadProvided(context, active)
    return providedTools(context, active, hostTools())
  }

  /** Carries out a call: what may have to be asked about in its turn, and what it begins beside all others. */
  async function carryOut(
    given: ToolCall,
    options: CallOptions,
    decide: (call: ToolCall) => Promise<Decided>,
  ): Promise<Outcome> {
    const { signal } = options
    const active = scope.active()
    const copy = copyCall(given)
    const decideOnce = async (): Promise<Decided> => {
      if (lifetime.hasEnded()) return refuseLate(options)
      return 'judged' in copy ? decide(copy.judged) : copy
    }
    let outcome: Outcome
    if (lifetime.hasEnded()) outcome = refuseLate(options)
    else {
      const deciding = takesTurn(given.tool)
        ? lifetime.runUntilEnd(signal, (until) => askWhileWaiting(scope, until, decideOnce))
        : decideOnce()
      const decided = (await deciding) ?? refuse.sessionEnded()
      outcome = 'ok' in decided ? decided : await decided.begin()
    }
    if (!outcome.ok && outcome.waits === undefined) {
      reportDetail(context, outcome)
      await audit?.recordRefusal(given, active, outcome.refusal)
    }
    return outcome
  }

  /** Returns a request where nobody has answered it yet, and opens it where somebody is asked. */
  async function unanswered(
    request: ConsentRequest | undefined,
    { signal, asks = false }: PreviewOptions,
  ): Promise<ConsentRequest | undefined> {
    if (request === undefined || recordedAnswer(scope, request.id) !== undefined) return undefined
    if (!asks) return request
    return lifetime.runUntilEnd(signal, (until) => openRequest(scope, request, until))
  }

  /** Returns the request for consent that a call of a skill tool, or a person's `/name`, waits for. */
  function skillRequest(
    call: ToolCall,
    tool: SkillTool | undefined,
    { signal, message = scope.message }: PreviewOptions,
  ): Promise<ConsentRequest | undefined> {
    const { turn } = standsFor(call)
    return lifetime.runExclusive(async () => {
      if (lifetime.hasEnded()) return undefined
      return lifetime.runUntilEnd(signal, async (until) => {
        if (turn !== undefined) return person.requestFor(turn.message, turn.id, until)
        return tool && skillCalls.requestFor(tool, call, { signal: until, message })
      })
    }, signal)
  }

  return {
    call: (given, execute = noExecute, options = {}) =>
      carryOut(given, options, (call) => {
        const tool = skillCalls.toolOf(call.tool)
        return tool === undefined ? decideHostTool(call, execute, options) : decideSkillTool(tool, call, options)
      }),
    runScript: (given, options) => carryOut(given, options, (call) => decideSkillTool('runScript', call, options)),
    async preview(given, options = {}) {
      options.signal?.throwIfAborted()
      if (lifetime.hasEnded()) return { refusal: refuse.sessionEnded(), preapproved: false }
      const copy = copyCall(given)
      if (!('judged' in copy)) return { refusal: copy, preapproved: false }
      const { meant, turn } = standsFor(copy.judged)
      const mayWait = context.consent === undefined && !isFork(state.current())
      const tool = skillCalls.toolOf(meant.tool)
      if (turn !== undefined || tool !== undefined) {
        const request = mayWait
          ? await skillRequest(turn === undefined ? meant : copy.judged, tool, options)
          : undefined
        return { waits: await unanswered(request, options), preapproved: false }
      }
      const permitted = await gateCall(context, await toolsOf(scope.active()), meant)
      if (!permitted.ok) return { refusal: permitted, preapproved: false }
      const { askedBy: rule, value: call } = permitted
      const request = mayWait && rule !== undefined ? unusedCallRequest(scope, { call, rule }) : undefined
      const preapproved = permitted.isPreapproved()
      return { waits: await unanswered(request, options), preapproved, approvable: !preapproved }
    },
    async unjudged(names) {
      const found = new Set<string>()
      for (const tool of names) {
        // Without input: no rule for certain arguments allows it.
        const permitted = await gateCall(context, await toolsOf(scope.active()), { id: '', tool, input: {} })
        if (!permitted.ok || permitted.askedBy !== undefined) found.add(tool)
      }
      return found
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

function noExecute({ tool }: ToolCall): never {
  throw new TypeError(`call: the tool ${quote(tool)} is yours. Give \`execute\`, a function that runs it.`)
}
