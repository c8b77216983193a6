import type { Session } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { checkOptions, required, sessionKind } from '@repertoire/core/options'
import type { ToolSet } from 'ai'
import { join, type SkillsOptions as NewerOptions } from '../with-skills.ts'
import { OPTIONS, settingsOf, VERSION_6 } from './join.ts'
import type { SkillsOptions, SkillsSettings } from './settings.ts'

/**
 * Combines a session's skills with a host's own settings for AI SDK 6: the model is shown the skills, and all its calls
 * pass the session. Spread the returned object last. A `ToolLoopAgent` takes `system` as `instructions`.
 *
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind; a host tool has the name of a skill
 * tool, or has no `execute`
 */
export function withSkills<TOOLS extends ToolSet>(
  session: Session,
  options: SkillsOptions<TOOLS> & { readonly tools: TOOLS },
): SkillsSettings<TOOLS>
export function withSkills(session: Session, options?: SkillsOptions<{}>): SkillsSettings<{}>
export function withSkills(session: Session, options: SkillsOptions<ToolSet> = {}): SkillsSettings<ToolSet> {
  checkOptions('withSkills', { session: required(sessionKind) }, { session })
  checkOptions('withSkills', OPTIONS, options, 'withSkills(session, { tools })')
  const { system: instructions, ...others } = options
  // The types are those of version 7, whose steps have more properties.
  const own = { ...others, instructions } as NewerOptions<ToolSet>
  return settingsOf(join(adapterSession(session), own, { canApprove: true, ...VERSION_6 }))
}
