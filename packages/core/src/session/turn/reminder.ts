import { activationText } from '../../disclosure/skill-content.ts'
import { escapeXml, showName } from '@repertoire/skill-md/internal'
import { activationValue, inspectActive } from '../activation/active-skill.ts'
import type { SessionContext } from '../context.ts'
import { USE_GUIDANCE_MARK } from '../../disclosure/guidance.ts'
import { activeGuidance } from '../guidance.ts'
import { type ActiveSkill, isPinned } from '../state/state.ts'

export interface ReadInstructions {
  /** What the conversation has lost, with the guidance; undefined: nothing. */
  readonly reminder: string | undefined
  /** The instructions in it. */
  readonly lost: readonly string[]
  /** Those that the conversation has. */
  readonly shown: readonly string[]
}

/**
 * Returns the instructions of active skills that the conversation has lost, in the order of the stack, and the guidance
 * on how to use them, if it is lost too; and those that the model reads. What a parent session was shown is not part of
 * a fork's conversation.
 */
export async function readInstructions(
  context: SessionContext,
  { active, hostTools }: { readonly active: readonly ActiveSkill[]; readonly hostTools: readonly string[] | undefined },
  isShown: (text: string) => boolean,
): Promise<ReadInstructions> {
  const lost: string[] = []
  const kept: string[] = []
  const candidates = active.filter((skill) => skill.inherited !== true)
  const read = await Promise.all(candidates.map(async (skill) => ({ skill, text: await textOf(context, skill) })))
  for (const { skill, text } of read) {
    if (text === undefined) {
      // Whether the whole text is shown can no longer be checked, but whether any of it is can.
      if (!isShown(`<skill_content name="${escapeXml(showName(skill.name))}"`))
        lost.push(goneText(skill, skill === active.at(-1), context))
    } else if (isShown(text)) kept.push(text)
    else lost.push(text)
  }
  const texts = [...lost]
  if (candidates.length > 0 && !isShown(USE_GUIDANCE_MARK)) {
    const guidance = await activeGuidance(context, active, hostTools)
    // Behind the first, as the result of a session's first activation has it.
    if (guidance !== undefined) texts.splice(1, 0, guidance)
  }
  return { reminder: texts.length === 0 ? undefined : texts.join('\n\n'), lost, shown: kept }
}

/** Returns the text of a skill's activation, byte for byte; undefined where its folder has changed since. */
async function textOf(context: SessionContext, active: ActiveSkill): Promise<string | undefined> {
  const { pinnedFolders } = context
  const known = pinnedFolders.textOf(active)
  if (known !== undefined) return known
  try {
    const inspected = await inspectActive(context, active)
    if (inspected === undefined) return undefined
    const text = activationText(activationValue(inspected, active))
    pinnedFolders.rememberText(active, text)
    return text
  } catch {
    // Any source may throw anything: the folder cannot be read now.
    return undefined
  }
}

/** @param isTop whether it can be deactivated now */
function goneText(skill: ActiveSkill, isTop: boolean, { toolNames }: SessionContext): string {
  const what = `The instructions of the active skill "${escapeXml(showName(skill.name))}" cannot be shown any more: its folder is not what was agreed to.`
  const canLeave = isTop && !isPinned(skill)
  return `${what} ${canLeave ? `Call \`${toolNames.deactivate}\`: it can then be activated as it is now.` : 'Go on with what you know of them.'}`
}
