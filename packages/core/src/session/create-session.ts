import type { CatalogView } from '../catalog/view.ts'
import { once } from '../once.ts'
import type { ActivationContext } from './activation/activate.ts'
import { resolvePrivatePath } from './activation/private-path.ts'
import { createRunActivation } from './activation/run.ts'
import { sessionEnded } from './refusal.ts'
import { createSkillCalls } from './calls/skill-calls.ts'
import { createToolCalls } from './calls/tool-calls.ts'
import { createConsentRequests } from './calls/consent-requests.ts'
import type { SessionContext } from './context.ts'
import { endSession } from './end.ts'
import { createExecutions } from './execution/executions.ts'
import { type ChildSession, createForks } from './fork/forks.ts'
import { WORK } from './lazy-work.ts'
import { createLifetime } from './lifetime.ts'
import type { Session } from './session.ts'
import { createStateHolder, type StateHolder } from './state/holder.ts'
import { loadBrought } from './toolsets/load-brought.ts'
import { sealState } from './state/seal.ts'
import { applyChange, initialState, type SessionChange, type SessionState } from './state/state.ts'
import { createSteps } from './step/begin.ts'
import { createSkillModels } from './step/skill-model.ts'
import { createTurnMatcher } from './turn/match-turn.ts'
import { createPerson } from './turn/person.ts'
import { createSessionWindow } from './window/window.ts'

/** What a session may see of the current catalog. */
export interface SessionViews {
  /** What is shown to the model. */
  readonly model: () => CatalogView
  /** What a person may name: also what is not shown to models. */
  readonly person: () => CatalogView
}

/**
 * Creates a session over a saved state, or a new one by its id. `openRepertoire` is the way to one.
 * @param until once it aborts, nothing begins any more
 */
export function createSession(
  context: SessionContext,
  views: SessionViews,
  opening: SessionState | string,
  until?: AbortSignal,
): Session {
  const { correlationId } = context
  const state = typeof opening === 'string' ? initialState(opening) : opening
  const opened = { type: 'opened', id: state.id, ...(correlationId !== undefined && { correlationId }) } as const
  const changes = typeof opening === 'string' ? [opened] : []
  return open(context, views, { state: applyChange(state, opened), changes, ...(until && { until }) }).session
}

const HOLDER = Symbol('state')

/** What is read anew at each access: frameworks open a session for every call, and a getter of each its own takes long. */
class StateOf {
  readonly [HOLDER]: Pick<StateHolder, 'current'>

  constructor(holder: Pick<StateHolder, 'current'>) {
    this[HOLDER] = holder
  }

  get state(): SessionState {
    return this[HOLDER].current()
  }
}

/** What a session begins with. */
interface Opening {
  readonly state: SessionState
  readonly changes: readonly SessionChange[]
  /** Aborted where nothing may begin any more: of a fork, with the session above. */
  readonly until?: AbortSignal
}

function open(context: SessionContext, views: SessionViews, opening: Opening): ChildSession {
  const state = createStateHolder(opening.state, opening.changes)
  const { id } = opening.state
  const lifetime = createLifetime(state, opening.until)
  // Skills are looked up in the catalog as it is when a call is carried out, and not as its step showed it: a call may
  // have waited for days, in another process, and what is gone by then is not activated from memory.
  const view: CatalogView = { list: () => views.model().list(), find: (name) => views.model().find(name) }
  const models = createSkillModels({ context, state })
  const steps = createSteps({ context, state, lifetime, models, view })
  // Frameworks open a session for every hook, of which each uses a part: the others are never made.
  const skillCalls = once(() =>
    createSkillCalls({ context, state, view, active: steps.active, hostTools: steps.hostTools }),
  )
  const forks = once(() => createForks({ context, state, openChild, lifetime }))
  const runActivation = once(() => {
    const executions = createExecutions({ context, state, view, hostTools: steps.hostTools, lifetime })
    return createRunActivation(lifetime, forks(), executions)
  })
  const toolCalls = once(() =>
    createToolCalls({
      context,
      state,
      steps,
      lifetime,
      skillCalls: skillCalls(),
      runActivation: runActivation(),
    }),
  )
  // What no message of the model requests is judged by the current stack.
  const activation = {
    context,
    state,
    active: () => state.current().active,
    hostTools: steps.hostTools,
  } satisfies ActivationContext
  const { sections } = steps
  const window = once(() =>
    createSessionWindow({ context, window: context.window, state, lifetime, sections, removal: activation }),
  )
  const matcher = once(() => createTurnMatcher({ context, state, lifetime, view }))
  const person = once(() =>
    createPerson({ activation, ...views, lifetime, runActivation: runActivation(), matcher: matcher() }),
  )
  const consentRequests = once(() =>
    createConsentRequests({
      context,
      state,
      lifetime,
      skillCalls: skillCalls(),
      toolCalls: toolCalls(),
      person,
    }),
  )

  function openChild(childId: string, changes: readonly SessionChange[], parentEnd: AbortSignal): ChildSession {
    const childContext = { ...context, hostTools: steps.hostTools(), audit: context.audit?.fork(childId) }
    const childState = changes.reduce(applyChange, initialState(childId))
    return open(childContext, views, { state: childState, changes, until: parentEnd })
  }

  const end = (): Promise<void> => endSession({ removal: activation, lifetime, forks: forks() })
  const methods: Omit<Session, 'state'> = {
    id,
    ready: async () => {
      await Promise.all([loadBrought(context, state.current().active), matcher().load()])
    },
    beginStep: steps.begin,
    skillModel: models.find,
    fitWindow: (request) => window().fit(request),
    recordUsage(usage) {
      window().noteUsage(usage)
      context.audit?.recordUsage(usage)
    },
    beginTurn: (message, turn) => person().beginTurn(message, turn),
    invocation: (message, invocationId) => person().invocation(message, invocationId),
    invoke: (invocation, call) => person().invoke(invocation, call),
    reminder: async (isShown) => {
      const { active } = state.current()
      if (active.length === 0) return undefined
      const { reminderOf } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
      return reminderOf(context, active, isShown)
    },
    call: (call, execute, options) => toolCalls().call(call, execute, options),
    refusalOf: (call) => toolCalls().refusalOf(call),
    isPreapproved: (call) => toolCalls().isPreapproved(call),
    asksAbout: (call) => toolCalls().asksAbout(call),
    toolName: (name) => toolCalls().toolName(name),
    deniedText: (call, reason) => toolCalls().deniedText(call, reason),
    consentFor: (call, options) => consentRequests().consentFor(call, options),
    ask: (request, handler, options) => consentRequests().ask(request, handler, options),
    answer: (given) => consentRequests().answer(given),
    resolvePath: (path) => resolvePrivatePath(path, state.current().active),
    save: () => sealState(state.current(), context.stateKey),
    takeChanges: state.takeChanges,
    end,
    [Symbol.asyncDispose]: end,
  }
  const session: Session = Object.assign(new StateOf(state), methods)
  return {
    session,
    activate(prepared) {
      const forked = { ...prepared, active: { ...prepared.active, forked: true as const } }
      return lifetime.runExclusive(async () => {
        const { commitActivation } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
        return lifetime.hasEnded() ? sessionEnded() : commitActivation(activation, forked, lifetime.endSignal)
      })
    },
  }
}
