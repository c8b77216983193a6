import { activationText } from '../../disclosure/skill-content.ts'
import { escapeXml } from '../../text/escape.ts'
import { activationValue } from '../activation/value.ts'
import { hasSkillTools } from '../../tools/styles/table.ts'
import type { SessionContext } from '../context.ts'
import { inspectSkill } from '../activation/inspect.ts'
import type { ActiveSkill } from '../state/state.ts'

/**
 * What the conversation has lost of the instructions of active skills, in the order of the stack; undefined where it has
 * lost nothing. What a session above was shown is no part of a fork's conversation.
 */
export async function reminderOf(
  context: SessionContext,
  active: readonly ActiveSkill[],
  isShown: (text: string) => boolean,
): Promise<string | undefined> {
  const lost: string[] = []
  for (const skill of active) {
    if (skill.inherited === true) continue
    const text = await textOf(context, skill)
    if (text === undefined) {
      // Whether all of it is there cannot be told any more, but whether it was cut away can.
      if (!isShown(`<skill_content name="${escapeXml(skill.name)}"`)) lost.push(gone(skill, context))
    } else if (!isShown(text)) lost.push(text)
  }
  return lost.length === 0 ? undefined : lost.join('\n\n')
}

/** The text of a skill's activation, byte for byte; undefined where the folder is not what was agreed to any more. */
async function textOf(context: SessionContext, active: ActiveSkill): Promise<string | undefined> {
  const known = context.held.textOf(active)
  if (known !== undefined) return known
  const skill = context.held.skillOf(active)
  if (skill === undefined) return undefined
  try {
    const prepared = await inspectSkill(skill, context.parser, context.profile)
    if ('broken' in prepared || prepared.digest !== active.digest) return undefined
    const text = activationText(activationValue(prepared, active))
    context.held.holdText(active, text)
    return text
  } catch {
    // Whatever a source of anybody's throws: the folder cannot be read now.
    return undefined
  }
}

function gone({ name, forked }: ActiveSkill, { toolNames, listing }: SessionContext): string {
  const what = `The instructions of the active skill "${escapeXml(name)}" cannot be shown any more: its folder is not what was agreed to.`
  if (forked === true) return `${what} Go on by what you know of them, or say that you cannot.`
  const again = hasSkillTools(listing.style)
    ? 'call its own tool again'
    : `activate it again with \`${toolNames.activate}\``
  return `${what} Deactivate it with \`${toolNames.deactivate}\`, and ${again} to use it as it is now.`
}
