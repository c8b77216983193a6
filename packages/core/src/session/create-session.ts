import type { CatalogView } from '../catalog/view.ts'
import { SkillError, checkOptions } from '@repertoire/skill-md/internal'
import { commitActivation } from './activation/activate.ts'
import { deactivateSkill } from './activation/deactivate.ts'
import { unmountSkill } from './activation/mount.ts'
import { createToolCalls, runScriptOf } from './calls/tool-calls.ts'
import { askInTime, askInTurn, recordAnswer, reportUnanswered } from './consent/asking.ts'
import { abandonQuestion } from './consent/record.ts'
import type { SessionContext } from './context.ts'
import { type ChildSession, createForks } from './fork/forks.ts'
import { createLifetime } from './lifetime.ts'
import {
  ACTIVATE_OPTIONS,
  ASK_OPTIONS,
  RUN_SCRIPT_OPTIONS,
  TURN_OPTIONS,
  checkArguments,
  readStepOptions,
} from './call-arguments.ts'
import { refuse } from './refusals.ts'
import type { AdapterSession } from './adapter-session.ts'
import type { SkillCallScope } from './requested-skill.ts'
import type { StepCalls } from './session.ts'
import { sealState } from './state/seal.ts'
import { createStateHolder, initialState, type SessionState } from './state/state.ts'
import { beginStep, findSkillModel } from './step/begin.ts'
import { openStep } from './step/open-step.ts'
import { createPerson } from './turn/person.ts'

export interface SessionViews {
  readonly model: () => CatalogView
  /** What a person may name: also what is not shown to models. */
  readonly person: () => CatalogView
}

export interface Opening {
  /** Of a saved one; or the id of a new one. */
  readonly from: SessionState | string
  readonly correlationId: string | undefined
  readonly tenant: string | undefined
  /** The names of active skills that may no longer be seen. */
  readonly hidden: readonly string[]
}

/** Creates a session. Once `until` aborts, nothing begins any more. */
export function createSession(
  context: SessionContext,
  views: SessionViews,
  opening: Opening,
  until?: AbortSignal,
): AdapterSession {
  const { from, hidden } = opening
  const began = typeof from === 'string' ? initialState(from) : from
  const { correlationId = opening.correlationId, tenant = opening.tenant } = began
  const { session, drop } = buildSession(context, views, { ...began, correlationId, tenant }, until)
  hidden.forEach(drop)
  return session
}

/** Builds the parts of a session, each from those above it. A fork's session is built in the same way. */
function buildSession(
  context: SessionContext,
  views: SessionViews,
  initial: SessionState,
  until: AbortSignal | undefined,
): ChildSession & { readonly drop: (skill: string) => void } {
  const { audit } = context
  const state = createStateHolder(initial)
  const { id } = state.current()
  const lifetime = createLifetime(state, until)
  // Looked up at each call, and not at its step: a call may have waited for days, in another process.
  const view: CatalogView = { list: () => views.model().list(), find: (name) => views.model().find(name) }
  let hostTools = context.hostTools
  const ofNow: SkillCallScope = {
    context,
    state,
    lifetime,
    view,
    active: () => state.current().active,
    hostTools: () => hostTools,
  }
  const forks = createForks(ofNow, (scope, opened, parentEnd) => {
    const child = { ...context, hostTools: scope.hostTools(), audit: scope.context.audit?.fork(opened.id) }
    return buildSession(child, views, opened, parentEnd)
  })
  const person = createPerson({ ...ofNow, beforeStep: true }, views.person, forks)
  const callsIn = (scope: SkillCallScope): StepCalls => createToolCalls(scope, forks, person)

  /** The state that whoever keeps the session has. */
  let kept = state.current()

  /** Stops the forks and what runs, removes every skill of the session's own, top first, and clears the state. */
  async function end(): Promise<void> {
    const { open } = state.current()
    if (
      context.consent === undefined &&
      open.some((request) => request.approved === undefined && !kept.open.includes(request))
    )
      reportUnanswered(context)
    lifetime.beginEnd()
    await forks.settled()
    await lifetime.settled()
    await lifetime.runExclusive(async () => {
      const { active, ended } = state.current()
      if (ended) return
      for (const skill of active.toReversed()) {
        if (skill.inherited !== true) await deactivateSkill(ofNow, skill, { by: 'task' })
      }
      // Also what a crash left in the task's private space.
      if (context.mounts !== undefined) await unmountSkill(ofNow)
      for (const request of state.current().open)
        if (request.approved === undefined) await abandonQuestion(ofNow, request)
      state.apply({ type: 'ended' })
    })
    await audit?.settled()
  }

  const session: AdapterSession = {
    id,
    ...callsIn(ofNow),
    get activeSkills() {
      return state.current().active.map(({ name }) => name)
    },
    get state() {
      return state.current()
    },
    async step(options) {
      const step = await openStep(ofNow, callsIn, options)
      hostTools = step.hostTools
      return step
    },
    view(options) {
      const { tools, resolveModel } = readStepOptions('view', options)
      const toolset = context.tools.of(tools)
      hostTools = toolset.names ?? tools
      return { ...beginStep(ofNow, toolset, hostTools).view, model: findSkillModel(ofNow, resolveModel) }
    },
    async beginTurn(message, options) {
      checkOptions('beginTurn', TURN_OPTIONS, options)
      return person.beginTurn(message, options)
    },
    invokes(message) {
      checkArguments('invokes', { message })
      return person.invokes(message)
    },
    async activate(skill, options = {}) {
      checkArguments('activate', { skill })
      checkOptions('activate', ACTIVATE_OPTIONS, options)
      const { id: activationId, args, ...callOptions } = options
      return person.invoke({ skill, id: activationId, args }, callOptions)
    },
    async runScript(path, options = {}) {
      checkArguments('runScript', { path })
      checkOptions('runScript', RUN_SCRIPT_OPTIONS, options)
      const { args = [], skill, id: runId = crypto.randomUUID(), signal } = options
      const input = { path, args, skill }
      return runScriptOf(ofNow, { id: runId, tool: context.toolNames.runScript, input }, signal)
    },
    async ask(work, handler, options = {}) {
      checkOptions('ask', ASK_OPTIONS, options)
      checkArguments('ask', { work, handler })
      const asking = lifetime.runUntilEnd(options.signal, (signal) => askInTurn(ofNow, handler, signal, work))
      return (await asking) ?? work()
    },
    async question(ask, options = {}) {
      checkOptions('question', ASK_OPTIONS, options)
      checkArguments('question', { ask })
      const { inTurn, task, consentTimeout } = context
      const answered = await lifetime.runUntilEnd(options.signal, (signal) => {
        const asking = async () => ({
          value: await askInTime((settled) => ask({ signal: settled }), consentTimeout, signal),
        })
        return inTurn(task, asking, signal)
      })
      if (answered !== undefined) return answered.value
      throw new SkillError('SESSION_ENDED', 'The session has ended, so its questions are not asked any more.')
    },
    answer: (given) => recordAnswer(ofNow, given),
    reportProblem: (problem) => context.reportProblem(problem),
    hasChanged: () => state.current() !== kept,
    save(stored) {
      kept = state.current()
      return sealState(stored === undefined ? kept : { ...kept, stored }, context.sessionSecret)
    },
    end,
    [Symbol.asyncDispose]: end,
  }

  return {
    session,
    activate(prepared) {
      const forked = { ...prepared, active: { ...prepared.active, forked: true as const } }
      return lifetime.runExclusive(async () => {
        return lifetime.hasEnded() ? refuse.sessionEnded() : commitActivation(ofNow, forked, lifetime.endSignal)
      })
    },
    drop: (name) => state.apply({ type: 'deactivated', name }),
  }
}
