import type { TokenUsage } from '../audit/events.ts'
import type { ConsentAnswer } from '../ports/consent.ts'
import type { Outcome } from '../ports/outcome.ts'
import type { ToolCall } from '../ports/tool.ts'
import { mayAskAbout } from './calls/consent-requests.ts'
import { resolvePrivatePath } from './activation/private-path.ts'
import type { SessionContext } from './context.ts'
import { endSession } from './end.ts'
import type { ChildSession } from './fork/forks.ts'
import { WORK } from './lazy-work.ts'
import { type OpenChild, SessionParts, type SessionViews } from './parts.ts'
import { sessionEnded } from './refusal.ts'
import type { Session, StepOptions } from './session.ts'
import type { Beginning } from './state/holder.ts'
import { sealState, type SavedSession } from './state/seal.ts'
import { applyChange, initialState, type SessionChange, type SessionState } from './state/state.ts'
import type { StepView } from './step/view.ts'
import { bringsTools, loadBrought } from './toolsets/load-brought.ts'
import type { WindowFit, WindowRequest } from './window/window.ts'

/**
 * Creates a session over a saved state, or a new one by its id. `openRepertoire` is the way to one.
 * @param opening a function: it makes the id, and is called when that is needed
 * @param until once it aborts, nothing begins any more
 */
export function createSession(
  context: SessionContext,
  views: SessionViews,
  opening: SessionState | string | (() => string),
  until?: AbortSignal,
): Session {
  const { correlationId } = context
  const beginning =
    typeof opening === 'function' ? () => beginningOf(opening(), correlationId) : beginningOf(opening, correlationId)
  return new OpenSession(new SessionParts(context, views, { beginning, until }, openChild))
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

const openChild: OpenChild = ({ context, views, steps }, childId, changes, parentEnd) => {
  const childContext = { ...context, hostTools: steps.hostTools(), audit: context.audit?.fork(childId) }
  const beginning = { state: changes.reduce(applyChange, initialState(childId)), changes }
  return asChild(new SessionParts(childContext, views, { beginning, until: parentEnd }, openChild))
}

function asChild(parts: SessionParts): ChildSession {
  const { lifetime, activation } = parts
  return {
    session: new OpenSession(parts),
    activate(prepared) {
      const forked = { ...prepared, active: { ...prepared.active, forked: true as const } }
      return lifetime.runExclusive(async () => {
        const { commitActivation } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
        return lifetime.hasEnded() ? sessionEnded() : commitActivation(activation, forked, lifetime.endSignal)
      })
    },
  }
}

const HELD = Symbol('parts')
const KEY = Symbol('key')

/**
 * Holds the parts where nobody gets at them who prints a session or walks through it: the host's key is among them. A
 * function, and no private field: whoever wraps a session in a proxy, and all that it has in others, must be able to call it.
 */
type Held = (key: typeof KEY) => SessionParts | undefined

function partsOf(session: OpenSession): SessionParts {
  const parts = (session as OpenSession | undefined)?.[HELD]?.(KEY)
  if (parts !== undefined) return parts
  throw new TypeError('This is not a session. Call the methods of a session on it, as in `session.call(…)`.')
}

function defineId(on: object, value: string): boolean {
  return Reflect.defineProperty(on, 'id', { value, enumerable: true, configurable: true, writable: true })
}

function setId(this: object, value: string): void {
  if (!defineId(this, value)) throw new TypeError('The session is frozen: its id cannot be changed.')
}

/** To whoever reads it, writes it or copies the session, an id like one that is there. */
function makeIdLater(session: OpenSession, { state }: SessionParts): void {
  const get = (): string => {
    const { id } = state.current()
    // Nothing where the session is frozen.
    defineId(session, id)
    return id
  }
  Object.defineProperty(session, 'id', { get, set: setId, enumerable: true, configurable: true })
}

/** What most calls of these methods come to: nothing is waited for, and nothing made. */
const NOTHING = Promise.resolve(undefined)

/** An open session. Its methods hand on to its parts. */
class OpenSession implements Session {
  declare readonly id: string
  readonly [HELD]: Held

  constructor(parts: SessionParts) {
    const { id } = parts.state.unnamed()
    if (id === undefined) makeIdLater(this, parts)
    else this.id = id
    this[HELD] = (key) => (key === KEY ? parts : undefined)
  }

  get state(): SessionState {
    return partsOf(this).state.current()
  }

  ready(): Promise<void> {
    const { context, state } = partsOf(this)
    return typeof context.match !== 'object' && !bringsTools(state.unnamed().active) ? NOTHING : load(partsOf(this))
  }

  beginStep(hostTools: Iterable<string>, options?: StepOptions): StepView {
    return partsOf(this).steps.begin(hostTools, options)
  }

  skillModel<Model>(resolve: ((name: string) => Model | undefined) | undefined): Model | undefined {
    return partsOf(this).models.find(resolve)
  }

  fitWindow(request: () => WindowRequest): Promise<WindowFit | undefined> {
    return partsOf(this).context.window === undefined ? NOTHING : partsOf(this).window.fit(request)
  }

  recordUsage(usage: TokenUsage): void {
    const { context } = partsOf(this)
    if (context.window !== undefined) partsOf(this).window.noteUsage(usage)
    context.audit?.recordUsage(usage)
  }

  beginTurn(...turn: Parameters<Session['beginTurn']>): ReturnType<Session['beginTurn']> {
    return partsOf(this).person.beginTurn(...turn)
  }

  invocation(message: string, id: string): ReturnType<Session['invocation']> {
    return partsOf(this).person.invocation(message, id)
  }

  invoke(...invocation: Parameters<Session['invoke']>): Promise<Outcome> {
    return partsOf(this).person.invoke(...invocation)
  }

  reminder(isShown: (text: string) => boolean): Promise<string | undefined> {
    const { active } = partsOf(this).state.unnamed()
    return active.length === 0 ? NOTHING : remind(partsOf(this), isShown)
  }

  call(...[call, execute, options]: Parameters<Session['call']>): Promise<Outcome> {
    return partsOf(this).toolCalls.call(call, execute, options)
  }

  refusalOf(call: ToolCall): ReturnType<Session['refusalOf']> {
    return partsOf(this).toolCalls.refusalOf(call)
  }

  isPreapproved(call: ToolCall): Promise<boolean> {
    return partsOf(this).toolCalls.isPreapproved(call)
  }

  asksAbout(call: ToolCall): Promise<boolean> {
    return partsOf(this).toolCalls.asksAbout(call)
  }

  toolName(name: string): string | undefined {
    return partsOf(this).toolCalls.toolName(name)
  }

  deniedText(call: ToolCall, reason?: string): string | undefined {
    return partsOf(this).toolCalls.deniedText(call, reason)
  }

  async consentFor(...[call, options]: Parameters<Session['consentFor']>): ReturnType<Session['consentFor']> {
    const { context, skillCalls } = partsOf(this)
    if (mayAskAbout(call, context, skillCalls)) return partsOf(this).consentRequests.consentFor(call, options)
    options?.signal?.throwIfAborted()
    return undefined
  }

  ask(...[request, handler, options]: Parameters<Session['ask']>): Promise<void> {
    return partsOf(this).consentRequests.ask(request, handler, options)
  }

  answer(given: ConsentAnswer): void {
    partsOf(this).consentRequests.answer(given)
  }

  resolvePath(path: string): string {
    return resolvePrivatePath(path, partsOf(this).state.unnamed().active)
  }

  save(): SavedSession {
    const { state, context } = partsOf(this)
    return sealState(state.current(), context.stateKey)
  }

  takeChanges(): readonly SessionChange[] {
    return partsOf(this).state.takeChanges()
  }

  end(): Promise<void> {
    const { activation: removal, lifetime, forks } = partsOf(this)
    return endSession({ removal, lifetime, forks })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end()
  }
}

async function load({ context, state, matcher }: SessionParts): Promise<void> {
  await Promise.all([loadBrought(context, state.unnamed().active), matcher.load()])
}

async function remind(
  { context, state }: SessionParts,
  isShown: (text: string) => boolean,
): Promise<string | undefined> {
  const { reminderOf } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
  return reminderOf(context, state.current().active, isShown)
}
