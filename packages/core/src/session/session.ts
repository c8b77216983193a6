import type { CatalogView } from '../catalog/view.ts'
import { SkillError } from '../errors.ts'
import { canonicalTool, type Policy } from '../gate/index.ts'
import { skillOfTool } from '../tools/skill-of-tool.ts'
import type { ConsentHandler, ConsentRequest, ConsentVerdict, Outcome, Skill, ToolCall } from '../types.ts'
import { ask, readVerdict } from './consent.ts'
import type { SessionContext } from './context.ts'
import { gateCall, policyOf } from './gate-call.ts'
import { judgedCall } from './judged-call.ts'
import { refused } from './refusal.ts'
import { type SavedSession, sealState } from './seal.ts'
import { createSkillCalls } from './skill-calls.ts'
import { type ActiveSkill, applyChange, initialState, type SessionChange, type SessionState } from './state.ts'
import { type StepView, viewStep } from './step-view.ts'

/** One task of one agent: what it may see, what was agreed to, which skills are active. */
export interface Session {
  readonly id: string
  readonly state: SessionState
  /**
   * Begins a model call: tells what the model is to be shown, and fixes the policy by which the calls of its answer
   * are judged. All calls of one message, those of skill tools too, are judged by the skills that were active when the
   * model wrote it, so that calls which run side by side are judged alike in every framework; what they change counts
   * from the next step on. Which skills there are to activate is asked of the catalog when a call is carried out: one
   * that a reload has lost since the step is not found, and one that it has found can be activated.
   * @param hostTools the names of the host's own tools
   * @throws {TypeError} a host tool has the name of a skill tool
   */
  beginStep(hostTools: Iterable<string>): StepView
  /**
   * The question that a call waits for, or undefined where it waits for none: it asks for no activation, consent was
   * given before, or the session has a handler, which `call` will ask. For frameworks that suspend.
   */
  consentFor(call: ToolCall): Promise<ConsentRequest | undefined>
  /**
   * Asks a function about an open question and records its answer, as strictly and for as long as a session's own
   * handler is asked. A question that has its answer is not asked again. For frameworks whose approval is a function.
   * @throws the signal's reason, where it aborts first: the question then stays open
   */
  ask(
    request: ConsentRequest,
    handler: ConsentHandler,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<void>
  /** Records the answer to an open question. An answer to no open question, or a second one, changes nothing. */
  answer(verdict: ConsentVerdict): void
  /**
   * The one point that every tool call of the model passes. A skill tool is carried out here. A tool of the host's
   * is authorised, and only then is `execute` called, with the call under the tool's real name and a copy of the
   * input that was judged. What `execute` throws is thrown on.
   * @param options.signal aborts the run that the call belongs to: what has not begun by then is not begun, and a
   * question that is being asked is given up
   * @throws the signal's reason
   */
  call(
    call: ToolCall,
    execute: (call: ToolCall) => unknown,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Outcome>
  /**
   * The real name of a tool that the model calls in another case; undefined where it has no such tool. For frameworks
   * that look tools up themselves, by their exact names.
   */
  toolName(name: string): string | undefined
  /**
   * What the model is shown where an activation was denied: the text that `call` gives. Changes nothing. For frameworks
   * that write the result of a denied call themselves.
   * @param reason why, in the words of whoever denied it
   */
  deniedText(call: ToolCall, reason?: string): string
  /** The session as a JSON value, for `openSession({ saved })` here or in another process. */
  save(): SavedSession
  /** The changes since the session was opened or this was last called, for frameworks that keep the state. */
  takeChanges(): readonly SessionChange[]
  /**
   * Deactivates every skill, top first, and clears the state. Later calls are refused, also those that wait for their
   * turn; a question that is being asked is given up. A host's tool that runs already runs on. Safe to repeat.
   */
  end(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A session over a saved state, or a new one by its id. `openRepertoire` is the way to one.
 * @param currentView what the session may see of the catalog as it is at the moment
 */
export function createSession(
  context: SessionContext,
  currentView: () => CatalogView,
  opening: SessionState | string,
): Session {
  let state = typeof opening === 'string' ? initialState(opening) : opening
  let changes: SessionChange[] = typeof opening === 'string' ? [{ type: 'opened', id: opening }] : []
  let step: { readonly policy: Policy; readonly active: readonly ActiveSkill[] } | undefined
  // Skills are looked for in the catalog as it is when a call is carried out, and not as its step showed it: a call may
  // have waited for days, in another process, and what is gone by then is not activated from memory.
  const view: CatalogView = {
    list: () => currentView().list(),
    find: (name) => currentView().find(name),
  }
  let hostTools: readonly string[] | undefined = context.hostTools
  // Skill calls wait for one another, in the order in which they came: the stack's order is then the model's order.
  let last: Promise<unknown> = Promise.resolve()

  const change = (next: SessionChange): void => {
    state = applyChange(state, next)
    changes.push(next)
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const skillCalls = createSkillCalls({
    context,
    view,
    state: () => state,
    active: () => (step ?? state).active,
    hostTools: () => hostTools,
    change,
  })

  // From here on nothing begins any more, and a question that is being asked is given up: nobody waits for its answer.
  const ending = new AbortController()
  const end = (): Promise<void> => {
    ending.abort()
    return inTurn(() => {
      if (state.ended) return Promise.resolve()
      for (const { name } of state.active.toReversed()) change({ type: 'deactivated', name })
      change({ type: 'ended' })
      return Promise.resolve()
    })
  }
  const isOver = (): boolean => state.ended || ending.signal.aborted
  /** Does work that is given up at the end of the session, as it is where its own run is aborted. */
  const untilEnd = async <T>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await work(signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]))
    } catch (error) {
      signal?.throwIfAborted()
      if (error !== ending.signal.reason) throw error
      return undefined
    }
  }

  const answer = (verdict: ConsentVerdict): void =>
    change({ type: 'answered', id: verdict.requestId, ...readVerdict(verdict, verdict.requestId) })

  return {
    id: state.id,
    get state() {
      return state
    },
    beginStep(names) {
      hostTools = [...names]
      const skills = view.list()
      refuseCollisions(hostTools, context, skills)
      step = { policy: policyOf(state), active: state.active }
      return viewStep({ context, skills: isOver() ? [] : skills, hostTools, ...step })
    },
    consentFor(call) {
      const copy = judgedCall(call)
      return inTurn(async () => ('judged' in copy && !isOver() ? skillCalls.consentFor(copy.judged) : undefined))
    },
    async ask(request, handler, { signal } = {}) {
      if (state.open.find(({ id }) => id === request.id)?.approved !== undefined) return
      const verdict = await untilEnd(signal, (until) => ask(handler, request, context.consentTimeout, until))
      if (verdict !== undefined) answer({ requestId: request.id, ...verdict })
    },
    answer,
    async call(call, execute, { signal } = {}) {
      if (isOver()) return hasEnded()
      const copy = judgedCall(call)
      if (!('judged' in copy)) return copy
      const { judged } = copy
      const skillTool = skillCalls.find(judged.tool)
      if (skillTool !== undefined) {
        return inTurn(async () => {
          signal?.throwIfAborted()
          if (isOver()) return hasEnded()
          return (await untilEnd(signal, (until) => skillTool(judged, until))) ?? hasEnded()
        })
      }
      const { policy, active } = step ?? { policy: policyOf(state), active: state.active }
      const outcome = await gateCall(context, policy, active, hostTools, judged)
      if (!outcome.ok) return outcome
      signal?.throwIfAborted()
      if (isOver()) return hasEnded()
      return { ok: true, value: await execute(outcome.value) }
    },
    toolName: (name) => skillCalls.toolName(name) ?? (hostTools === undefined ? name : canonicalTool(name, hostTools)),
    deniedText: (call, reason) => skillCalls.deniedText(call, reason),
    save: () => sealState(state, context.stateKey),
    takeChanges() {
      const taken = changes
      changes = []
      return taken
    },
    end,
    [Symbol.asyncDispose]: end,
  }
}

function hasEnded(): Extract<Outcome, { ok: false }> {
  return refused({ code: 'SESSION_ENDED', reason: 'This task has ended; nothing can be called in it any more.' })
}

function refuseCollisions(
  hostTools: readonly string[],
  { toolNames, listing }: SessionContext,
  skills: readonly Skill[],
): void {
  const own = new Set(Object.values(toolNames).map((name) => name.toLowerCase()))
  const skill = listing.style === 'tools' ? hostTools.find((name) => skillOfTool(skills, name)) : undefined
  if (skill !== undefined) {
    throw new TypeError(
      `The host has a tool named "${skill}", which is the name of a skill's own tool. Rename it, keep the skill from this session with the option \`skills\`, or list skills in another style.`,
    )
  }
  const clash = hostTools.find((name) => own.has(name.toLowerCase()))
  if (clash !== undefined) {
    throw new TypeError(
      `The host has a tool named "${clash}", which is the name of a skill tool. Rename one: the skill tools take their names from the option \`toolNames\`.`,
    )
  }
}

/** @throws {SkillError} STATE_INVALID */
export function checkResumed(state: SessionState, id: string | undefined): SessionState {
  if (id !== undefined && state.id !== id) {
    throw new SkillError(
      'STATE_INVALID',
      `The saved session is "${state.id}" and not "${id}": consent and activation in one task mean nothing in another.`,
    )
  }
  if (state.ended) throw new SkillError('SESSION_ENDED', `The saved session "${state.id}" has ended. Open a new one.`)
  return state
}
