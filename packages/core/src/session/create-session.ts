import { checkOptions, isObject } from '@repertoire/skill-md/internal'
import { mayAskAbout } from './calls/consent-requests.ts'
import { resolvePrivatePath } from './activation/private-path.ts'
import type { SessionContext } from './context.ts'
import { endSession } from './end.ts'
import { taskOf } from './consent/questions.ts'
import {
  ASK_OPTIONS,
  CALL_OPTIONS,
  checkArguments,
  checkCall,
  CONSENT_OPTIONS,
  readHostTools,
  STEP_OPTIONS,
  TURN_OPTIONS,
} from './option-tables.ts'
import { type OpenChild, SessionParts, type SessionViews } from './parts.ts'
import { sessionEnded } from './refusal.ts'
import type { Session } from './session.ts'
import type { Beginning } from './state/holder.ts'
import { sealState } from './state/seal.ts'
import { applyChange, initialState, type SessionChange, type SessionState } from './state/state.ts'
import { bringsTools, loadBrought } from './toolsets/load-brought.ts'
import { commitActivation } from './activation/commit.ts'
import { reminderOf } from './turn/reminder.ts'
import type { ChildSession } from './fork/run-child.ts'

/** Creates a session over a saved state, or a new one by its id. Once `until` aborts, nothing begins any more. */
export function createSession(
  context: SessionContext,
  views: SessionViews,
  opening: SessionState | string,
  until?: AbortSignal,
): Session {
  const beginning = beginningOf(opening, context.correlationId)
  return sessionOf(new SessionParts(context, views, { beginning, until }, openChild))
}

const NO_CHANGES: readonly SessionChange[] = []

function beginningOf(opening: SessionState | string, correlationId: string | undefined): Beginning {
  const isNew = typeof opening === 'string'
  const state = isNew ? initialState(opening) : opening
  // A saved session of its own, as frameworks open one for every call, is as it was saved.
  if (!isNew && (correlationId === undefined || state.correlationId !== undefined))
    return { state, changes: NO_CHANGES }
  const opened = { type: 'opened', id: state.id, ...(correlationId !== undefined && { correlationId }) } as const
  return { state: applyChange(state, opened), changes: isNew ? [opened] : NO_CHANGES }
}

const openChild: OpenChild = ({ context, views, steps, state }, childId, changes, parentEnd) => {
  const task = taskOf({ context, state })
  const childContext = { ...context, task, hostTools: steps.hostTools(), audit: context.audit?.fork(childId) }
  const beginning = { state: changes.reduce(applyChange, initialState(childId)), changes }
  return asChild(new SessionParts(childContext, views, { beginning, until: parentEnd }, openChild))
}

function asChild(parts: SessionParts): ChildSession {
  const { lifetime, activation } = parts
  return {
    session: sessionOf(parts),
    activate(prepared) {
      const forked = { ...prepared, active: { ...prepared.active, forked: true as const } }
      return lifetime.runExclusive(async () => {
        return lifetime.hasEnded() ? sessionEnded() : commitActivation(activation, forked, lifetime.endSignal)
      })
    },
  }
}

/**
 * A plain object, so that its methods can be taken off and the session can be copied. The parts are reached by the methods
 * alone: whoever prints a session must not see the host's key.
 */
function sessionOf(parts: SessionParts): Session {
  const { context, state } = parts
  const end = (): Promise<void> => {
    const { activation: removal, lifetime, forks } = parts
    return endSession({ removal, lifetime, forks })
  }
  return {
    id: state.current().id,
    get state() {
      return state.current()
    },
    async ready() {
      await Promise.all([
        bringsTools(state.current().active) && loadBrought(context, state.current().active),
        typeof context.match === 'object' && parts.matcher.load(),
      ])
    },
    beginStep(hostTools, options) {
      checkOptions('beginStep', STEP_OPTIONS, options)
      return parts.steps.begin(readHostTools(hostTools), options)
    },
    skillModel(resolve) {
      checkArguments('skillModel', { resolve })
      return parts.models.find(resolve)
    },
    async fitWindow(request) {
      checkArguments('fitWindow', { request })
      return context.window === undefined ? undefined : parts.window.fit(request)
    },
    recordUsage(usage) {
      checkArguments('recordUsage', { usage })
      if (context.window !== undefined) parts.window.noteUsage(usage)
      context.audit?.recordUsage(usage)
    },
    async beginTurn(message, options) {
      checkOptions('beginTurn', TURN_OPTIONS, options)
      return parts.person.beginTurn(message, options)
    },
    invocation(message, id) {
      checkArguments('invocation', { message, id })
      return parts.person.invocation(message, id)
    },
    async invoke(invocation, options) {
      checkOptions('invoke', CALL_OPTIONS, options)
      checkArguments('invoke', { invocation })
      return parts.person.invoke(invocation, options)
    },
    async reminder(isShown) {
      checkArguments('reminder', { isShown })
      if (state.current().active.length === 0) return undefined
      return reminderOf(context, state.current().active, isShown)
    },
    async call(call, execute, options) {
      checkCall('call', call)
      checkOptions('call', CALL_OPTIONS, options)
      checkArguments('call', { execute })
      return parts.toolCalls.call(call, execute, options)
    },
    async refusalOf(call) {
      checkCall('refusalOf', call)
      return parts.toolCalls.refusalOf(call)
    },
    async isPreapproved(call) {
      checkCall('isPreapproved', call)
      return parts.toolCalls.isPreapproved(call)
    },
    async asksAbout(call) {
      checkCall('asksAbout', call)
      return parts.toolCalls.asksAbout(call)
    },
    toolName(name) {
      checkArguments('toolName', { name })
      return parts.toolCalls.toolName(name)
    },
    deniedText(call, reason) {
      checkCall('deniedText', call)
      checkArguments('deniedText', { reason })
      return parts.toolCalls.deniedText(call, reason)
    },
    async consentFor(call, options) {
      if (!isObject(call) || !('skill' in call)) checkCall('consentFor', call)
      checkOptions('consentFor', CONSENT_OPTIONS, options)
      if (mayAskAbout(call, context, parts.skillCalls)) return parts.consentRequests.consentFor(call, options)
      options?.signal?.throwIfAborted()
      return undefined
    },
    async ask(request, handler, options) {
      checkOptions('ask', ASK_OPTIONS, options)
      checkArguments('ask', { request, handler })
      return parts.consentRequests.ask(request, handler, options)
    },
    async question(ask, options) {
      checkOptions('question', ASK_OPTIONS, options)
      checkArguments('question', { ask })
      return parts.consentRequests.question(ask, options)
    },
    answer: (answer) => parts.consentRequests.answer(answer),
    resolvePath(path) {
      checkArguments('resolvePath', { path })
      return resolvePrivatePath(path, state.current().active)
    },
    save: () => sealState(state.current(), context.stateKey),
    takeChanges: () => state.takeChanges(),
    end,
    [Symbol.asyncDispose]: end,
  }
}
