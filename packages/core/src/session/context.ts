import type { SkillAdmission } from '../catalog/admission.ts'
import type { ScriptSettings } from '../execution/settings.ts'
import type { GateSettings, ToolTable } from '@repertoire/gate/internal'
import type { SkillMounts } from '../ports/mount.ts'
import type { ToolCall } from '../ports/tool.ts'
import type { Profile } from '@repertoire/skill-md/internal'
import type { SkillToolNames } from '../tools/definitions.ts'
import type { ListSettings } from '../tools/skill-list.ts'
import type { ConsentHandler } from '../ports/consent.ts'
import type { SessionProblem } from '../ports/problem.ts'
import type { MatchedContents, TurnMatching } from './turn/matching.ts'
import type { TriggerMode } from './turn/triggers.ts'
import type { PinnedFolders } from './activation/pinned-folders.ts'
import type { InTurn, MessageCalls, SkillUse } from './shared-records.ts'
import type { SessionAudit } from './audit/recorder.ts'
import type { Toolsets } from './toolsets/toolsets.ts'
import type { SearchOptions, SkillSearch } from '../ports/search.ts'
import type { WindowContext } from '../window/settings.ts'
import type { Lifetime } from './lifetime.ts'
import type { ActiveSkill, StateHolder } from './state/state.ts'

/** Why a counter of the host's could not be used: the end of a sentence, and what it threw. */
export interface CountingFailure {
  readonly reason: string
  readonly cause?: unknown
}

/**
 * Carries out a call of a tool of the host's, for a step of a composite skill. The call has been judged, and its input
 * is a copy. Returns what the tool returned; what it throws is the step's failure. It stops when the signal aborts.
 */
export type PlanCallRunner = (call: ToolCall, options: { readonly signal: AbortSignal }) => unknown

/** What all sessions of a repertoire share, and never changes. */
export interface SharedContext {
  readonly profile: Profile
  /** Absent: every skill may load. */
  readonly admission: SkillAdmission | undefined
  readonly toolNames: SkillToolNames
  /** Lists are kept by this object. */
  readonly listing: ListSettings
  readonly matchedContents: MatchedContents
  readonly sessionSecret: string | undefined
  /** Absent: nothing here runs scripts. */
  readonly scripts: ScriptSettings | undefined
  /** In milliseconds, for what one activation reads, a mount, and a removal. */
  readonly loadTimeout: number
  /** The tools that skills bring. */
  readonly toolsets: Toolsets
  /** Absent: skills are used where they are. */
  readonly mounts: SkillMounts | undefined
  /** Absent: conversations are sent as they are. */
  readonly window: WindowContext | undefined
  readonly messageCalls: MessageCalls
  readonly inTurn: InTurn
  /** Says that the catalog holds no skill, and why. Undefined: it holds some, or need not. */
  readonly noSkills: () => string | undefined
  readonly countingFailure: () => CountingFailure | undefined
  /** The folders of active skills as they were when these were activated. */
  readonly pinnedFolders: PinnedFolders
}

/** What a session is opened with, and never changes. Functions take the part that they use. */
export interface SessionContext extends SharedContext {
  readonly tools: ToolTable
  /** Searches what the session may see. */
  readonly search: (
    query: string | readonly string[],
    options: Pick<SearchOptions, 'limit' | 'signal'>,
  ) => Promise<SkillSearch>
  /** Absent: every visible skill fits. */
  readonly match: TurnMatching | undefined
  readonly triggers: TriggerMode
  readonly consent: ConsentHandler | undefined
  /** In milliseconds. */
  readonly consentTimeout: number
  /** Saves the session, before what was consented to begins. Absent: it is saved by others, or nowhere. */
  readonly checkpoint: (() => Promise<void>) | undefined
  readonly cwd: string | undefined
  readonly gate: GateSettings
  readonly hostTools: readonly string[] | undefined
  /** Carries out the steps of plans. Absent: a plan is for the model. */
  readonly runStep: PlanCallRunner | undefined
  readonly notLoaded: () => readonly SessionProblem[]
  /** Reports what went wrong and stopped nothing. Never throws. */
  readonly reportProblem: (problem: SessionProblem) => void
  /**
   * Reports a problem once for each session, or task, and kind.
   * @param problem undefined: nothing is wrong, and it is not looked at again
   * @returns whether this is the first time
   */
  readonly reportOnce: (session: string, kind: string, problem: () => SessionProblem | undefined) => boolean
  /** Of a new session; a saved one has its own. */
  readonly correlationId: string | undefined
  /** Absent: there is no sink. */
  readonly audit: SessionAudit | undefined
  readonly use: SkillUse
  /** See `taskOf`; of a fork that of the session at the top: people are asked one question of it at a time. */
  readonly task: string
}

/**
 * A session: what it was opened with, its state, and the order of its work. Functions of a session that take a signal
 * throw its reason once it aborts.
 */
export interface SessionParts {
  readonly context: SessionContext
  readonly state: StateHolder
  readonly lifetime: Lifetime
}

/** What a call is carried out with: its session, and what the call is judged by. */
export interface CallScope extends SessionParts {
  /** The stack of the call's step. Of what no message of the model requests: the current one. */
  readonly active: () => readonly ActiveSkill[]
  /** The names of the host's tools. Undefined: not known yet. */
  readonly hostTools: () => readonly string[] | undefined
  /**
   * True: what a person or a trigger activates, before a step. Only some frameworks know their tools then, and all tell
   * the model the same. Absent: a call of the model.
   */
  readonly beforeStep?: true
}
