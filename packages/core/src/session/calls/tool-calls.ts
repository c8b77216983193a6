import { quote, checkOptions } from '@repertoire/skill-md/internal'
import { canonicalTool } from '@repertoire/gate/internal'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import { untilAborted } from '../../time-limit.ts'
import { askWhileWaiting, openRequest, recordedAnswer } from '../consent/asking.ts'
import { unusedCallRequest, wasCallDenied } from '../consent/call-consent.ts'
import { activate, complete, decideActivation, type Decided } from '../activation/activate.ts'
import { deactivate } from '../activation/deactivate.ts'
import type { CallScope } from '../context.ts'
import type { Forks } from '../fork/forks.ts'
import { reportEndedEarly } from '../step/begin.ts'
import type { CallOptions, PreviewOptions, StepCalls } from '../session.ts'
import { requestedSkill, type SkillCallScope } from '../requested-skill.ts'
import { permitScript, runSkillScript } from '../scripts/run-script.ts'
import { isFork } from '../state/state.ts'
import { loadProvided, type ProvidedTools, providedTools } from '../toolsets/provided-tools.ts'
import { CALL_OPTIONS, checkArguments, checkCall, copyCall, PREVIEW_OPTIONS } from '../call-arguments.ts'
import type { Person } from '../turn/person.ts'
import { gateCall, permitCall, runPermitted } from './gate-call.ts'
import { refuse } from '../refusals.ts'
import { realSkillTool, searchSkills, type SkillTool, skillToolOf, skillToolRequest } from './skill-calls.ts'
import { readSkillResource } from './read-resource.ts'
import { standsFor } from './stand-in.ts'

/** Creates the calls that are judged in a scope: that of a step, or the session's own. */
export function createToolCalls(scope: SkillCallScope, forks: Forks, person: Pick<Person, 'requestFor'>): StepCalls {
  const { context, state, lifetime, hostTools } = scope

  /** Returns a request that has no answer yet, and opens it if the caller asks a person. */
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
        return tool && skillToolRequest(scope, tool, call, message, until)
      })
    }, signal)
  }

  return {
    async call(given, execute = noExecute, options = {}) {
      checkCall('call', given)
      checkOptions('call', CALL_OPTIONS, options)
      checkArguments('call', { execute })
      return carryOut(scope, given, options, (call) => {
        const tool = skillToolOf(scope, call.tool)
        if (tool === undefined) return decideHostTool(scope, call, execute, options)
        return tool === 'runScript'
          ? decideScript(scope, call, options)
          : decideSkillTool(scope, forks, tool, call, options)
      })
    },
    async preview(given, options = {}) {
      checkCall('preview', given)
      checkOptions('preview', PREVIEW_OPTIONS, options)
      options.signal?.throwIfAborted()
      if (lifetime.hasEnded()) return { refusal: refuse.sessionEnded(), preapproved: false }
      const copy = copyCall(given)
      if (!('judged' in copy)) return { refusal: copy, preapproved: false }
      const { meant, turn } = standsFor(copy.judged)
      const mayWait = context.consent === undefined && !isFork(state.current())
      const tool = skillToolOf(scope, meant.tool)
      if (turn !== undefined || tool !== undefined) {
        const request = mayWait
          ? await skillRequest(turn === undefined ? meant : copy.judged, tool, options)
          : undefined
        return { waits: await unanswered(request, options), preapproved: false }
      }
      const permitted = await gateCall(context, await toolsOf(scope), meant)
      if (!permitted.ok) return { refusal: permitted, preapproved: false }
      const { askedBy: rule, value: call } = permitted
      const request = mayWait && rule !== undefined ? unusedCallRequest(scope, { call, rule }) : undefined
      const preapproved = permitted.isPreapproved()
      return { waits: await unanswered(request, options), preapproved, approvable: !preapproved }
    },
    async unjudged(names) {
      checkArguments('unjudged', { names })
      const found = new Set<string>()
      for (const tool of names) {
        // Without input: no rule for certain arguments allows it.
        const permitted = await gateCall(context, await toolsOf(scope), { id: '', tool, input: {} })
        if (!permitted.ok || permitted.askedBy !== undefined) found.add(tool)
      }
      return found
    },
    deniedText(call, reason) {
      checkCall('deniedText', call)
      checkArguments('deniedText', { reason })
      const { names = [] } = providedTools(context, scope.active(), hostTools())
      const hosts = skillToolOf(scope, call.tool) === undefined ? canonicalTool(call.tool, names) : undefined
      const named = hosts === undefined ? call : { ...call, tool: hosts }
      if (wasCallDenied(state.current(), named)) return refuse.callDenied(named.tool, reason).text
      if (hosts !== undefined) return undefined
      const requested = requestedSkill(scope, call)
      return ('ok' in requested ? requested : refuse.consentDenied(requested.skill.name, { reason })).text
    },
    toolName(name) {
      checkArguments('toolName', { name })
      const own = realSkillTool(scope, name)
      if (own !== undefined) return own
      const { names } = providedTools(context, scope.active(), hostTools())
      return names === undefined ? name : canonicalTool(name, names)
    },
  }
}

/** Runs a script for the host's own program. */
export function runScriptOf(scope: SkillCallScope, call: ToolCall, signal: AbortSignal | undefined): Promise<Outcome> {
  return carryOut(scope, call, { signal }, (judged) => decideScript(scope, judged, { signal }))
}

/** Carries out a call: what may have to be asked about in its turn, and what it begins beside all others. */
async function carryOut(
  scope: SkillCallScope,
  given: ToolCall,
  { signal }: CallOptions,
  decide: (call: ToolCall) => Promise<Decided>,
): Promise<Outcome> {
  const { context, lifetime } = scope
  const active = scope.active()
  const copy = copyCall(given)
  const decideOnce = async (): Promise<Decided> => {
    if (!lifetime.hasEnded()) return 'judged' in copy ? decide(copy.judged) : copy
    reportEndedEarly(scope, signal)
    return refuse.sessionEnded()
  }
  const deciding =
    takesTurn(scope, given.tool) && !lifetime.hasEnded()
      ? lifetime.runUntilEnd(signal, (until) => askWhileWaiting(scope, until, decideOnce))
      : decideOnce()
  return complete(context, given, await deciding, () => active)
}

/** Whether a call waits for its turn among the questions of the task: it may ask, or changes the stack. */
function takesTurn(scope: SkillCallScope, name: string): boolean {
  const tool = skillToolOf(scope, name)
  const isAskedByPolicy = tool === undefined || tool === 'runScript'
  return isAskedByPolicy ? scope.context.gate.host.asked.length > 0 : tool === 'activate' || tool === 'deactivate'
}

/** Decides about a call of a tool of the host's, or of one that an active skill has brought. */
async function decideHostTool(
  scope: SkillCallScope,
  call: ToolCall,
  execute: NonNullable<Parameters<StepCalls['call']>[1]>,
  options: CallOptions,
): Promise<Decided> {
  const { signal, canWait = false, recorded } = options
  const provided = await toolsOf(scope)
  const permitted = await permitCall(scope, provided, call, { signal, canWait, recorded })
  if (!permitted.ok) return permitted
  return { begin: () => runPermitted(scope, provided, call, permitted, execute, options) }
}

/** Decides about a call of the tool that runs scripts. */
async function decideScript(
  scope: SkillCallScope,
  call: ToolCall,
  { signal, canWait = false, recorded }: CallOptions,
): Promise<Decided> {
  const { lifetime } = scope
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

/**
 * Decides about a call of another skill tool. It sees the stack of the step, and not what other calls of the same
 * message change: a framework may run each without knowing of the others.
 */
async function decideSkillTool(
  scope: SkillCallScope,
  forks: Forks,
  tool: Exclude<SkillTool, 'runScript'>,
  call: ToolCall,
  options: CallOptions,
): Promise<Decided> {
  const { signal, fork, message = scope.message, canWait = false, recorded } = options
  if (tool === 'search') {
    const searching = scope.lifetime.runBeside(signal, (until) => searchSkills(scope, call, until))
    return (await searching) ?? refuse.sessionEnded()
  }
  return decideActivation(scope, forks, options, (until) => {
    if (tool === 'deactivate') return deactivate(scope, call, message)
    if (tool === 'readResource') return untilAborted(readSkillResource(scope, call), until)
    const requested = requestedSkill(scope, call)
    if ('ok' in requested) return requested
    const activating = { by: 'model', canFork: fork !== undefined, canWait, recorded, message } as const
    return activate(scope, call, requested, activating, until)
  })
}

/** A session that goes on in another process has to load the tools of its skills again. */
async function toolsOf({ context, active, hostTools }: CallScope): Promise<ProvidedTools> {
  const stack = active()
  if (stack.some(({ toolsets }) => toolsets !== undefined)) await loadProvided(context, stack)
  return providedTools(context, stack, hostTools())
}

function noExecute({ tool }: ToolCall): never {
  throw new TypeError(`call: the tool ${quote(tool)} is yours. Give \`execute\`, a function that runs it.`)
}
