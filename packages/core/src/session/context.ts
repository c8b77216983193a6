import type { GateSettings, ToolArguments } from '../gate/index.ts'
import type { ManifestParser } from '../manifest/index.ts'
import type { SkillToolNames } from '../tools/definitions.ts'
import type { ListSettings } from '../tools/skill-list.ts'
import type { ConsentHandler } from '../ports/consent.ts'
import type { HookRunner } from '../ports/hook.ts'
import type { Profile } from '../ports/manifest.ts'
import type { SkillMounts } from '../ports/mount.ts'
import type { SessionProblem } from '../ports/problem.ts'
import type { Skill } from '../ports/skill.ts'
import type { TurnSettings } from './turn/settings.ts'
import type { PinnedFolders } from './activation/pinned-folders.ts'
import type { SessionAudit } from './audit/session-audit.ts'

/**
 * Tells which skills fit the task as it stands, for the style `matched`: their names, most relevant first. It is asked
 * at the beginning of every step, so it looks at whatever the host knows of the task by then: a closure over the
 * conversation. A name that is not among the visible ones counts for nothing, and one that comes twice counts once.
 * What it throws, `beginStep` throws.
 * @param visible the skills that the session may see, by name
 */
export type SkillMatcher = (visible: readonly Skill[]) => readonly string[]

/** Everything of a session that is settled when it is opened. */
export interface SessionContext {
  readonly parser: ManifestParser
  readonly profile: Profile
  readonly toolNames: SkillToolNames
  readonly toolArguments: ToolArguments
  /** The same object for every session of a repertoire: lists are kept by it. */
  readonly listing: ListSettings
  /** Absent: every visible skill fits. */
  readonly match: SkillMatcher | undefined
  readonly turns: TurnSettings
  readonly consent: ConsentHandler | undefined
  /** In milliseconds. */
  readonly consentTimeout: number
  readonly cwd: string | undefined
  readonly gate: GateSettings
  readonly hostTools: readonly string[] | undefined
  readonly stateKey: string | undefined
  /** Absent: a skill with hooks is not activated. */
  readonly hooks: HookRunner | undefined
  /** In milliseconds, for each hook. */
  readonly hookTimeout: number
  /** Absent: skills are used where they lie. */
  readonly mounts: SkillMounts | undefined
  /** Told of what went wrong and stopped nothing. Never throws. */
  readonly problem: (problem: SessionProblem) => void
  /** Of a new session; a saved one has its own. */
  readonly correlationId: string | undefined
  /** Absent: there is no sink, and nothing is written down. */
  readonly audit: SessionAudit | undefined
  /** What the folders of active skills held when they were activated. */
  readonly held: PinnedFolders
}
