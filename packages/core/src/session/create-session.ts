import type { CatalogView } from '../catalog/view.ts'
import { checkOptions, isObject } from '@repertoire/skill-md/internal'
import { commitActivation, createRunActivation } from './activation/activate.ts'
import { deactivateSkill } from './activation/deactivate.ts'
import { resolvePrivatePath, unmountSkill } from './activation/mount.ts'
import { createConsentRequests } from './calls/consent-requests.ts'
import { createSkillCalls } from './calls/skill-calls.ts'
import { createToolCalls } from './calls/tool-calls.ts'
import { reportUnanswered } from './consent/decision.ts'
import { abandonQuestion } from './consent/record.ts'
import type { SessionContext } from './context.ts'
import { executePrepared } from './execution/execute-prepared.ts'
import { type ChildSession, createForks } from './fork/forks.ts'
import { createLifetime } from './lifetime.ts'
import {
  ACTIVATE_OPTIONS,
  ASK_OPTIONS,
  CALL_OPTIONS,
  CONSENT_OPTIONS,
  RUN_SCRIPT_OPTIONS,
  STEP_OPTIONS,
  TURN_OPTIONS,
  checkArguments,
  checkCall,
  readHostTools,
} from './call-arguments.ts'
import { refuse } from './refusals.ts'
import { asSession } from './adapter-session.ts'
import type { AdapterSession } from './session.ts'
import { type InitialState, createStateHolder } from './state/holder.ts'
import { sealState } from './state/seal.ts'
import { applyChange, initialState, type SessionState } from './state/state.ts'
import { createSkillModels, createSteps } from './step/begin.ts'
import { createDuties } from './step/duties.ts'
import { createShownSteps } from './step/shown-steps.ts'
import { loadProvided } from './toolsets/provided-tools.ts'
import { createPerson } from './turn/person.ts'
import { createTurnMatcher } from './turn/match-turn.ts'
import { readInstructions } from './turn/reminder.ts'
import { fitWindow } from './window/fit.ts'
import { AS_IT_IS } from './window/request.ts'

/** What a session may see of the current catalog. */
export interface SessionViews {
  /** What is shown to the model. */
  readonly model: () => CatalogView
  /** What a person may name: also what is not shown to models. */
  readonly person: () => CatalogView
}

/** Creates a session over a saved state, or a new one by its id. Once `until` aborts, nothing begins any more. */
export function createSession(
  context: SessionContext,
  views: SessionViews,
  opening: SessionState | string,
  until?: AbortSignal,
): AdapterSession {
  return buildSession(context, views, initialStateOf(opening, context.correlationId), until).session
}

function initialStateOf(opening: SessionState | string, correlationId: string | undefined): InitialState {
  const isNew = typeof opening === 'string'
  const state = isNew ? initialState(opening) : opening
  const opened = { type: 'opened', id: state.id, correlationId } as const
  return { state: applyChange(state, opened), changes: isNew ? [opened] : [] }
}

/** Builds the parts of a session, each from those above it. A fork's session is built in the same way. */
function buildSession(
  context: SessionContext,
  views: SessionViews,
  initial: InitialState,
  until: AbortSignal | undefined,
): ChildSession {
  const { audit } = context
  const state = createStateHolder(initial)
  const { id } = state.current()
  const lifetime = createLifetime(state, until)
  // Looked up at each call, and not at its step: a call may have waited for days, in another process.
  const view: CatalogView = { list: () => views.model().list(), find: (name) => views.model().find(name) }
  const models = createSkillModels({ context, state })
  const record = audit && createShownSteps({ context, state, audit })
  const steps = createSteps({ context, state, lifetime, models, view, record })
  const duties = createDuties({ context, state })
  const { hostTools } = steps
  /** What the calls of a message see: the stack when its step began. */
  const ofStep = { context, state, view, active: steps.active, hostTools }
  /** What no message of the model requests is judged by the current stack. */
  const ofNow = { context, state, active: () => state.current().active, hostTools }
  const forks = createForks({
    context,
    state,
    lifetime,
    openChild: (childId, changes, parentEnd) => {
      const child = { ...context, hostTools: hostTools(), audit: audit?.fork(childId) }
      const opened = { state: changes.reduce(applyChange, initialState(childId)), changes }
      return buildSession(child, views, opened, parentEnd)
    },
  })
  const runActivation = createRunActivation({
    lifetime,
    runFork: (fork, runner, signal) => forks.run(fork, runner, signal),
    execute: (execution, signal) => executePrepared({ ...ofStep, lifetime }, execution, signal),
  })
  const skillCalls = createSkillCalls(ofStep)
  const ownCalls = createSkillCalls({ ...ofNow, view })
  const toolCalls = createToolCalls({ context, steps, state, lifetime, skillCalls, ownCalls, runActivation })
  const matcher = createTurnMatcher({ context, state, lifetime, view })
  const person = createPerson({
    activation: { ...ofNow, beforeStep: true },
    ...views,
    lifetime,
    runActivation,
    matcher,
  })
  const requests = createConsentRequests({ context, steps, state, lifetime, skillCalls, toolCalls, person })

  /** Whether a request for consent was opened since the state was taken last. */
  let waitsUnsaved = false

  /** Notes that whoever keeps the session has its state now. */
  function noteTaken(): void {
    context.unfinished.delete(id)
    waitsUnsaved = false
  }

  /** Stops the forks and what runs, removes every skill of the session's own, top first, and clears the state. */
  async function end(): Promise<void> {
    if (waitsUnsaved) reportUnanswered({ context, state })
    noteTaken()
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
      if (context.mounts !== undefined) await unmountSkill(context, id)
      for (const request of state.current().open)
        if (request.approved === undefined) await abandonQuestion({ context, state }, request)
      state.apply({ type: 'ended' })
    })
    await audit?.settled()
  }

  const session: AdapterSession = {
    id,
    get activeSkills() {
      return state.current().active.map(({ name }) => name)
    },
    get state() {
      return state.current()
    },
    async ready() {
      duties.noteReady()
      await Promise.all([loadProvided(context, state.current().active), matcher.load()])
    },
    beginStep(names, options) {
      checkOptions('beginStep', STEP_OPTIONS, options)
      duties.beginStep()
      return steps.begin(readHostTools(names), options)
    },
    skillModel(resolve) {
      checkArguments('skillModel', { resolve })
      return models.find(resolve)
    },
    async fitWindow(request) {
      checkArguments('fitWindow', { request })
      const { window } = context
      if (window === undefined && record === undefined) return undefined
      const given = request()
      const { sections } = steps
      const fitting = window && fitWindow({ context, window, state, lifetime, sections, hostTools: hostTools() }, given)
      const fitted = (await fitting) ?? AS_IT_IS
      record?.noteRequest(given, fitted)
      return fitted.fit
    },
    recordUsage(usage) {
      checkArguments('recordUsage', { usage })
      // A host without adapter may ask for no reminder.
      void record?.record()
      audit?.recordUsage(usage)
    },
    async beginTurn(message, options) {
      checkOptions('beginTurn', TURN_OPTIONS, options)
      return person.beginTurn(message, options)
    },
    invocation(message, invocationId) {
      checkArguments('invocation', { message, id: invocationId })
      return person.invocation(message, invocationId)
    },
    async activate(skill, options = {}) {
      checkArguments('activate', { skill })
      checkOptions('activate', ACTIVATE_OPTIONS, options)
      const { id: activationId, args, ...callOptions } = options
      return person.invoke({ skill, id: activationId, args }, callOptions)
    },
    async reminder(isShown) {
      checkArguments('reminder', { isShown })
      duties.noteReminder()
      const needs = { active: state.current().active, hostTools: hostTools() }
      const read = await readInstructions(context, needs, isShown)
      await record?.record(read)
      return read.reminder
    },
    async call(call, execute, options) {
      checkCall('call', call)
      checkOptions('call', CALL_OPTIONS, options)
      checkArguments('call', { execute })
      return toolCalls.call(call, execute, options)
    },
    async runScript(path, options = {}) {
      checkArguments('runScript', { path })
      checkOptions('runScript', RUN_SCRIPT_OPTIONS, options)
      const { args = [], skill, id: runId = crypto.randomUUID(), signal } = options
      const input = { path, args, skill }
      return toolCalls.runScript({ id: runId, tool: context.toolNames.runScript, input }, { signal })
    },
    async inspect(call) {
      checkCall('inspect', call)
      return toolCalls.inspect(call)
    },
    toolName(name) {
      checkArguments('toolName', { name })
      return toolCalls.toolName(name)
    },
    deniedText(call, reason) {
      checkCall('deniedText', call)
      checkArguments('deniedText', { reason })
      return toolCalls.deniedText(call, reason)
    },
    async openConsent(call, options) {
      if (!isObject(call) || !('skill' in call)) checkCall('openConsent', call)
      checkOptions('openConsent', CONSENT_OPTIONS, options)
      const request = await requests.openConsent(call, options)
      if (request !== undefined) waitsUnsaved = true
      return request
    },
    async ask(request, handler, options) {
      checkOptions('ask', ASK_OPTIONS, options)
      checkArguments('ask', { request, handler })
      return requests.ask(request, handler, options)
    },
    async question(ask, options) {
      checkOptions('question', ASK_OPTIONS, options)
      checkArguments('question', { ask })
      return requests.question(ask, options)
    },
    answer: (answer) => requests.answer(answer),
    resolvePath(path) {
      checkArguments('resolvePath', { path })
      return resolvePrivatePath(path, state.current().active)
    },
    save() {
      noteTaken()
      return sealState(state.current(), context.sessionSecret)
    },
    takeChanges() {
      noteTaken()
      return state.takeChanges()
    },
    end,
    [Symbol.asyncDispose]: end,
  }

  return {
    session: asSession(session),
    activate(prepared) {
      const forked = { ...prepared, active: { ...prepared.active, forked: true as const } }
      return lifetime.runExclusive(async () => {
        return lifetime.hasEnded() ? refuse.sessionEnded() : commitActivation(ofNow, forked, lifetime.endSignal)
      })
    },
  }
}
