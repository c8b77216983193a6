import type { CatalogView } from '../catalog/view.ts'
import { canonicalTool, enforcedPolicy } from '../gate/index.ts'
import type { ConsentAnswer } from '../ports/consent.ts'
import type { Outcome } from '../ports/outcome.ts'
import type { ToolCall } from '../ports/tool.ts'
import { type Activated, type ActivationContext, enter } from './activation/activate.ts'
import { checkToolNames } from './calls/check-tool-names.ts'
import { ask } from './consent/ask.ts'
import { readConsentAnswer } from './consent/answer.ts'
import type { SessionContext } from './context.ts'
import { leave } from './activation/deactivate.ts'
import { type ChildSession, createForks } from './fork/fork.ts'
import { gateCall, isPreapproved } from './calls/gate-call.ts'
import { copyCall } from './calls/copy-call.ts'
import { createLifetime } from './lifetime.ts'
import { resolvePrivatePath, unmountSkill } from './activation/mounting.ts'
import { createPerson } from './turn/person.ts'
import { refused } from './calls/refusal.ts'
import { reminderOf } from './turn/reminder.ts'
import { sealState } from './state/seal.ts'
import type { CallOptions, Session } from './session.ts'
import { createSkillCalls, type SkillCallsContext } from './calls/skill-calls.ts'
import {
  type ActiveSkill,
  applyChange,
  initialState,
  isFork,
  type SessionChange,
  type SessionState,
} from './state/state.ts'
import { viewStep } from './step-view.ts'

/** What a session may see of the catalog as it is at the moment. */
export interface SessionViews {
  /** What is shown to the model. */
  readonly model: () => CatalogView
  /** What a person may name: also what is not shown to models. */
  readonly person: () => CatalogView
}

/**
 * A session over a saved state, or a new one by its id. `openRepertoire` is the way to one.
 */
export function createSession(context: SessionContext, views: SessionViews, opening: SessionState | string): Session {
  const { correlationId } = context
  const begun = typeof opening === 'string' ? initialState(opening) : opening
  const opened = { type: 'opened', id: begun.id, ...(correlationId !== undefined && { correlationId }) } as const
  const changes = typeof opening === 'string' ? [opened] : []
  return open(context, views, { state: applyChange(begun, opened), changes }).session
}

/** Where a session begins. */
interface Opening {
  readonly state: SessionState
  readonly changes: readonly SessionChange[]
  /** Aborted where nothing may begin any more. Absent: only its own end says so. */
  readonly until?: AbortSignal
}

function open(context: SessionContext, views: SessionViews, opening: Opening): ChildSession {
  let { state } = opening
  let changes = [...opening.changes]
  let step: { readonly active: readonly ActiveSkill[] } | undefined
  let hostTools: readonly string[] | undefined = context.hostTools

  const change = (next: SessionChange): void => {
    state = applyChange(state, next)
    changes.push(next)
  }
  const calls: SkillCallsContext = {
    context,
    // Skills are looked for in the catalog as it is when a call is carried out, and not as its step showed it: a call
    // may have waited for days, in another process, and what is gone by then is not activated from memory.
    view: {
      list: () => views.model().list(),
      find: (name) => views.model().find(name),
    },
    state: () => state,
    active: () => (step ?? state).active,
    hostTools: () => hostTools,
    change,
  }
  const skillCalls = createSkillCalls(calls)
  // What no message of the model asks for is judged by the stack as it is.
  const atOnce: ActivationContext = { ...calls, active: () => state.active }

  const { over, close, runExclusive, untilEnd } = createLifetime(opening.until)
  const isOver = (): boolean => state.ended || over.aborted
  const forks = createForks({ context, state: () => state, openChild, over })

  function openChild(id: string, begins: readonly SessionChange[], until: AbortSignal): ChildSession {
    const begun = begins.reduce(applyChange, initialState(id))
    return open({ ...context, hostTools, audit: context.audit?.fork(id) }, views, {
      state: begun,
      changes: begins,
      until,
    })
  }

  const end = async (): Promise<void> => {
    close()
    await forks.settled()
    await runExclusive(async () => {
      if (state.ended) return
      for (const skill of state.active.toReversed()) {
        if (skill.inherited === true) continue
        const about = { active: state.active, skill, reason: 'The task ended.' }
        await context.audit?.note({ type: 'skill.deactivated', outcome: 'succeeded', ...about })
        await leave(atOnce, skill.name)
      }
      // Also what a crash left in the task's private space.
      await unmountSkill(context, state.id)
      change({ type: 'ended' })
    })
    await context.audit?.settled()
  }

  /** Carries out what may activate a skill: in its turn, and a fork's sub-agent outside of it. */
  const carryOut = async (
    { signal, fork }: CallOptions,
    work: (signal: AbortSignal) => Activated | Promise<Activated>,
  ): Promise<Outcome> => {
    const done = await runExclusive<Activated | undefined>(() => {
      signal?.throwIfAborted()
      return isOver() ? undefined : untilEnd(signal, work)
    })
    if (done === undefined) return hasEnded()
    if ('ok' in done) return done
    // It is wanted only where something runs it.
    return (await forks.run(done.fork, fork!, signal)) ?? hasEnded()
  }

  /** A call's outcome, on record where it is a refusal. */
  const recorded = (call: ToolCall, active: readonly ActiveSkill[], outcome: Outcome): Outcome | Promise<Outcome> => {
    if (outcome.ok || context.audit === undefined) return outcome
    return context.audit.refused(call, active, outcome.refusal).then(() => outcome)
  }

  const answer = (verdict: ConsentAnswer): void => {
    // As JavaScript may give it: an answer to nothing changes nothing.
    const requestId: unknown = (verdict as ConsentAnswer | null | undefined)?.requestId
    if (typeof requestId === 'string')
      change({ type: 'answered', id: requestId, ...readConsentAnswer(verdict, requestId) })
  }

  const { beginTurn, invocation, invoke, questionOf } = createPerson({
    activation: atOnce,
    ...views,
    isOver,
    carryOut,
    recorded: (call, outcome) => recorded(call, state.active, outcome),
  })

  const session: Session = {
    id: state.id,
    get state() {
      return state
    },
    beginStep(names, { model } = {}) {
      hostTools = [...names]
      const skills = calls.view.list()
      checkToolNames(hostTools, context, skills)
      step = { active: state.active }
      context.audit?.step(model, state.active)
      const policy = enforcedPolicy(state.active, context.gate)
      return viewStep({ context, skills: isOver() ? [] : skills, hostTools, active: state.active, policy })
    },
    recordUsage: (usage) => context.audit?.usage(usage),
    beginTurn,
    invocation,
    invoke,
    reminder: (isShown) => reminderOf(context, state.active, isShown),
    consentFor(call) {
      const copy = 'skill' in call ? undefined : copyCall(call)
      return runExclusive(async () => {
        // In a fork nobody can be asked later: the call that it is for is not carried out twice.
        if (isOver() || isFork(state)) return undefined
        if (copy !== undefined) return 'judged' in copy ? skillCalls.consentFor(copy.judged) : undefined
        return 'skill' in call ? questionOf(call) : undefined
      })
    },
    async ask(request, handler, { signal } = {}) {
      if (state.open.find(({ id }) => id === request.id)?.approved !== undefined) return
      const verdict = await untilEnd(signal, (until) => ask(handler, request, context.consentTimeout, until))
      if (verdict !== undefined) answer({ requestId: request.id, ...verdict })
    },
    answer,
    async call(call, execute, options = {}) {
      const active = calls.active()
      if (isOver()) return recorded(call, active, hasEnded())
      const copy = copyCall(call)
      if (!('judged' in copy)) return recorded(call, active, copy)
      const { judged } = copy
      const { signal, fork } = options
      const skillTool = skillCalls.find(judged.tool)
      if (skillTool !== undefined) {
        const work = carryOut(options, (until) => skillTool(judged, { signal: until, forks: fork !== undefined }))
        return recorded(judged, active, await work)
      }
      const outcome = await gateCall(context, active, hostTools, judged)
      if (!outcome.ok) return recorded(judged, active, outcome)
      if (outcome.advised !== undefined) {
        await context.audit?.refused(judged, active, outcome.advised, { enforced: false })
      }
      const run = async (): Promise<Outcome> => {
        signal?.throwIfAborted()
        if (isOver()) return hasEnded()
        return { ok: true, value: await execute(outcome.value) }
      }
      return context.audit?.run({ type: 'tool', call: outcome.value, active }, run, options) ?? run()
    },
    async refusalOf(call) {
      if (isOver()) return hasEnded()
      const copy = copyCall(call)
      if (!('judged' in copy)) return copy
      const outcome = await gateCall(context, calls.active(), hostTools, copy.judged)
      return outcome.ok ? undefined : outcome
    },
    async isPreapproved(call) {
      const copy = copyCall(call)
      if (!('judged' in copy) || isOver() || skillCalls.find(call.tool) !== undefined) return false
      return isPreapproved(context, calls.active(), hostTools, copy.judged)
    },
    toolName: (name) => skillCalls.toolName(name) ?? (hostTools === undefined ? name : canonicalTool(name, hostTools)),
    resolvePath: (path) => resolvePrivatePath(path, state.active),
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
  return {
    session,
    enter: (admitted) => {
      const active = { ...admitted.active, forked: true as const }
      return runExclusive(async () => (isOver() ? hasEnded() : enter(atOnce, { ...admitted, active }, over)))
    },
  }
}

function hasEnded(): Extract<Outcome, { ok: false }> {
  return refused({ code: 'SESSION_ENDED', reason: 'This task has ended; nothing can be called in it any more.' })
}
