import type { GateMode } from '@repertoire/gate/internal'
import type { ConsentDecision } from '../../ports/consent.ts'
import type { Mount } from '../../ports/mount.ts'
import type { ToolRule, Layer } from '@repertoire/skill-md/internal'
import type { SummaryRecord } from '../../window/record.ts'

/**
 * A session as a small JSON value, which a framework can keep wherever it keeps its own state: in a graph, in a
 * database, in a variable.
 */
export interface SessionState {
  readonly version: 1
  readonly id: string
  /** Identifies the session's events across the host's systems. Absent: none was given. */
  readonly correlationId?: string
  /** Of the viewer that the session was opened for: it goes on for no other. Absent: none was given. */
  readonly tenant?: string
  /** The stack of active skills, bottom first. */
  readonly active: readonly ActiveSkill[]
  /** A skill was activated in this conversation, and the model was told how to use skills. Absent: none was. */
  readonly guided?: true
  /** Consent that was granted in this session: the skill, and the digest that its folder had then. */
  readonly granted: readonly Grant[]
  /** Requests for consent whose calls have not been carried out yet. */
  readonly open: readonly OpenRequest[]
  /** What takes the place of the older part of the conversation. Absent: nothing does. */
  readonly summary?: SummaryRecord
  /** The number of model calls whose steps are on record. Absent: none is, or there was no audit. */
  readonly steps?: number
  /** The names of the skills that fit the person's last message, best first. Absent: none was matched yet. */
  readonly matched?: readonly string[]
  /**
   * The ids of requests whose approval has been used, newest last: what it permitted does not begin once more. Kept
   * only where the session is saved before that. Absent: none was.
   */
  readonly used?: readonly string[]
  /** Where it was stored last. Absent: it was not stored. */
  readonly stored?: StoredMark
  readonly ended: boolean
}

/** What ties a saved session to its place in a store, and to its version: elsewhere, and later, it is nothing. */
export interface StoredMark {
  readonly tenant: string
  readonly version: number
  /** When its time to live is over, in milliseconds since 1970. */
  readonly expires: number
}

/**
 * A skill as it was when it was activated. The gate judges by this and not by the catalog, so that an edit of the
 * file or a reload never changes the rights of an active skill.
 */
export interface ActiveSkill {
  readonly name: string
  readonly layer: Layer
  readonly source: string
  readonly location: string
  /** The same folder by another path, see `SkillFolder`. */
  readonly alias?: string
  readonly digest: string
  /** The rules of the calls that the skill allows. Absent: it restricts nothing. */
  readonly rules?: readonly ToolRule[]
  /** It names no rules: those above are what the host's `admit` gives it. Absent: they are its own. */
  readonly assumed?: true
  /** What it denies, whatever else allows it. Absent: nothing. */
  readonly denied?: readonly ToolRule[]
  /** Its rules in the names of the host's tools, as the activation showed them. Absent: as they are written. */
  readonly shownRules?: readonly string[]
  readonly shownDenied?: readonly string[]
  /** The mode whose meaning the activation showed. Absent: `restrict`. */
  readonly shownMode?: Exclude<GateMode, 'restrict'>
  /** Its scripts, relative to the folder. */
  readonly scripts: readonly string[]
  /** What was passed to its activation: instructions can be made again from this and the folder. Absent: nothing. */
  readonly args?: string
  /** The model that it asks for. Absent: none. */
  readonly model?: string
  /** When it was activated, by the clock of the audit, in milliseconds since 1970. Absent: there was no audit. */
  readonly since?: number
  /** Its private copy. Absent: it is used where it is. */
  readonly mount?: Mount
  /** What was agreed to run its scripts, see `runnerKey`. Absent: nothing was. */
  readonly runner?: string
  /** Commands to run after its deactivation, as they were consented to. Absent: none. */
  readonly post?: readonly string[]
  /** The tools that it has brought, each as `module:Export`. Absent: none. */
  readonly toolsets?: readonly string[]
  /** It was activated in a parent session: in the fork it restricts, and cannot be deactivated. Absent: it was not. */
  readonly inherited?: true
  /** The fork runs it, so it cannot be deactivated before the fork ends. Absent: it does not. */
  readonly forked?: true
}

/** Consent that holds for the rest of the session, for exactly this content. */
export interface Grant {
  readonly skill: string
  readonly source: string
  readonly digest: string
  /** What was agreed to run its scripts, see `runnerKey`. Absent: nothing was. */
  readonly runner?: string
  /** It was agreed that calls of its tools need no further approval. Absent: it was not. */
  readonly preapproves?: true
}

/** A request for consent by its id, its call, and the answer once there is one. */
export interface OpenRequest {
  readonly id: string
  readonly callId: string
  /** What was asked, see `AuditedConsent`. Absent: there was no audit. */
  readonly about?: 'skill' | 'call'
  readonly digest?: string
  readonly approved?: boolean
  readonly reason?: string
}

/** One step of a session's life. */
export type SessionChange =
  | { readonly type: 'asked'; readonly request: OpenRequest }
  | { readonly type: 'answered'; readonly id: string; readonly approved: boolean; readonly reason?: string }
  | { readonly type: 'settled'; readonly id: string }
  | { readonly type: 'used'; readonly id: string }
  | { readonly type: 'granted'; readonly grant: Grant }
  | { readonly type: 'activated'; readonly skill: ActiveSkill }
  | { readonly type: 'deactivated'; readonly name: string }
  | { readonly type: 'summarized'; readonly summary: SummaryRecord }
  | { readonly type: 'forgotten'; readonly digest: string }
  | { readonly type: 'stepped'; readonly steps: number }
  | { readonly type: 'matched'; readonly names: readonly string[] }
  | { readonly type: 'ended' }

/** Requests that are open at once; the oldest is dropped, and its call is then refused. */
const MAX_OPEN = 64

/** Grants that are kept; the oldest is dropped, and its skill needs consent again. */
const MAX_GRANTS = 1_000

/** Used approvals that are kept; the oldest is dropped. */
const MAX_USED = 256

export function initialState(id: string): SessionState {
  return { version: 1, id, active: [], granted: [], open: [], ended: false }
}

/**
 * Returns the state after a change. Pure, total and idempotent: a change that does not apply (a skill that is active
 * already, a deactivation of one that is not, anything after the end) leaves the state as it is. That only the top
 * skill is deactivated is checked before.
 */
export function applyChange(state: SessionState, change: SessionChange): SessionState {
  if (state.ended) return state
  switch (change.type) {
    case 'asked':
      if (state.open.some(({ id }) => id === change.request.id)) return state
      return { ...state, open: [...state.open, change.request].slice(-MAX_OPEN) }
    case 'answered':
      return { ...state, open: state.open.map((open) => (open.id === change.id ? answered(open, change) : open)) }
    case 'settled':
      return { ...state, open: state.open.filter(({ id }) => id !== change.id) }
    case 'used': {
      const { id } = change
      const open = state.open.filter((request) => request.id !== id)
      if (state.used?.includes(id) === true) return { ...state, open }
      return { ...state, open, used: [...(state.used ?? []), id].slice(-MAX_USED) }
    }
    case 'granted':
      if (state.granted.some((grant) => sameGrant(grant, change.grant))) return state
      return { ...state, granted: [...state.granted, change.grant].slice(-MAX_GRANTS) }
    case 'activated':
      if (state.active.some(({ name }) => name === change.skill.name)) return state
      // What is active in a fork's parent session was never shown in this conversation.
      return {
        ...state,
        active: [...state.active, change.skill],
        ...(change.skill.inherited !== true && { guided: true }),
      }
    case 'deactivated':
      return { ...state, active: state.active.filter(({ name }) => name !== change.name) }
    case 'summarized':
      return { ...state, summary: change.summary }
    case 'forgotten': {
      if (state.summary?.digest !== change.digest) return state
      const { summary: _, ...rest } = state
      return rest
    }
    case 'stepped':
      return change.steps <= (state.steps ?? 0) ? state : { ...state, steps: change.steps }
    case 'matched':
      return { ...state, matched: change.names }
    default:
      // The end.
      return {
        ...initialState(state.id),
        ...(state.correlationId !== undefined && { correlationId: state.correlationId }),
        ...(state.tenant !== undefined && { tenant: state.tenant }),
        ended: true,
      }
  }
}

/**
 * Names a session's task apart from those of other tenants, whose sessions may have the same ids: what the sessions of
 * a repertoire share is kept by it.
 */
export function taskOf({ id, tenant }: Pick<SessionState, 'id' | 'tenant'>): string {
  return tenant === undefined ? id : JSON.stringify([tenant, id])
}

/** Returns how many forks deep a session is: 0 without a parent. Counted in the stack: a saved fork stays one. */
export function depthOf({ active }: Pick<SessionState, 'active'>): number {
  return active.filter(({ forked }) => forked === true).length
}

export function isFork(state: Pick<SessionState, 'active'>): boolean {
  return depthOf(state) > 0
}

/** Whether a skill stays on the stack until a fork ends: a parent session has activated it, or the fork runs it. */
export function isPinned({ inherited, forked }: Pick<ActiveSkill, 'inherited' | 'forked'>): boolean {
  return inherited === true || forked === true
}

export function sameGrant(a: Grant, b: Grant): boolean {
  return (['skill', 'source', 'digest', 'runner', 'preapproves'] as const).every((name) => a[name] === b[name])
}

// The first answer counts: a second one neither withdraws nor reverses it.
function answered(open: OpenRequest, change: Extract<SessionChange, { type: 'answered' }>): OpenRequest {
  if (open.approved !== undefined) return open
  return { ...open, approved: change.approved, reason: change.reason }
}

export type StateHolder = ReturnType<typeof createStateHolder>

export function createStateHolder(initial: SessionState) {
  let state = initial
  let hasUnknownAnswer = false
  return {
    current: () => state,
    apply(change: SessionChange) {
      if (change.type === 'answered' && !state.open.some(({ id }) => id === change.id)) hasUnknownAnswer = true
      state = applyChange(state, change)
    },
    hasUnknownAnswer: () => hasUnknownAnswer,
    /** What the session's handler has said of requests, by their ids. It is used at once, and never saved. */
    handled: new Map<string, ConsentDecision>(),
  }
}
