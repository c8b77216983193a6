import type { AuditEvent } from '../../audit/events.ts'
import type { ShownSkills } from '../../audit/shown-skills.ts'
import type { Refusal } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { Layer } from '@repertoire/skill-md/internal'
import type { ActiveSkill } from '../state/state.ts'

/** The session to which events belong. */
export interface AuditedSession {
  readonly session: string
  readonly correlationId?: string | undefined
  readonly agent?: string | undefined
  readonly tenant?: string | undefined
  readonly environment?: string | undefined
}

/** Something that happens in a session. The recorder adds the session, the time and the duration. */
export interface AuditDraft extends Partial<Omit<AuditEvent, 'type' | 'outcome' | 'skill' | 'shown' | 'error'>> {
  readonly type: AuditEvent['type']
  readonly outcome: AuditEvent['outcome']
  /** The active skills at that time. */
  readonly active: readonly ActiveSkill[]
  readonly call?: ToolCall | undefined
  /** The skill that is activated, deactivated, refused or run, or that refuses the call. */
  readonly skill?: NamedSkill | undefined
  readonly shown?: (Required<Pick<ShownSkills, 'withheld' | 'text'>> & Omit<ShownSkills, 'digest' | 'more'>) | undefined
  /** The refusal that the call comes to, where this event has its code: it gets none of its own. */
  readonly refusal?: Refusal | undefined
  /** The value that was thrown. */
  readonly error?: unknown
}

/** A skill before its activation, or an active one. */
export type NamedSkill = Pick<ActiveSkill, 'name' | 'source' | 'rules' | 'since'> & {
  readonly layer: Layer
  readonly digest?: string
}

export interface AuditedCall {
  readonly type: 'tool' | 'fork' | 'execution'
  readonly call: ToolCall
  readonly active: readonly ActiveSkill[]
  /** The skill that the fork is for, or that is executed. */
  readonly skill?: NamedSkill
  /** The script that the execution runs. */
  readonly script?: AuditDraft['script']
  readonly run?: AuditDraft['run']
  readonly runOf?: () => AuditDraft['run']
}

export interface RefusalDetails {
  /** The skill that was not activated. */
  readonly skill?: NamedSkill
  /** False: the rules only advise, and the call goes on. Default true. */
  readonly enforced?: boolean
}
