import type { ActiveSkill, Grant } from '../state/state.ts'
import type { Policy, ToolDefinition } from '@repertoire/gate/internal'
import type { SessionContext } from '../context.ts'
import type { Skill } from '@repertoire/skill-md/internal'

/** What a step is made of. */
export interface Step {
  readonly context: Pick<
    SessionContext,
    'listing' | 'match' | 'toolNames' | 'tools' | 'mounts' | 'scripts' | 'gate'
  > & { readonly use?: Pick<SessionContext['use'], 'before'> } & {
    readonly pinnedFolders?: Pick<SessionContext['pinnedFolders'], 'textOf'>
    readonly matchedContents?: Pick<SessionContext['matchedContents'], 'textOf'>
  }
  /** The visible ones. */
  readonly skills: readonly Skill[]
  readonly hostTools: readonly string[]
  readonly active: readonly ActiveSkill[]
  readonly policy: Policy
  /** The tools that active skills bring. Default: none. */
  readonly brought?: readonly ToolDefinition[]
  /** The names of the skills that fit the person's last message. Absent: it was not matched. */
  readonly matched?: readonly string[] | undefined
  /** What was consented to. Default: nothing. */
  readonly granted?: readonly Grant[]
}
