import { activationText } from '../../disclosure/skill-content.ts'
import { escapeXml } from '../../text/escape.ts'
import { showName } from '../../text/quote.ts'
import { activationValue } from '../activation/value.ts'
import { hasSkillTools, STYLES } from '../../tools/styles/table.ts'
import type { SessionContext } from '../context.ts'
import { inTime } from '../../time-limit.ts'
import { inspectSkill } from '../activation/inspect.ts'
import type { ActiveSkill } from '../state/state.ts'

/** What a reminder is made with. */
type ReminderContext = Pick<
  SessionContext,
  'parser' | 'profile' | 'loadTimeout' | 'pinnedFolders' | 'toolNames' | 'listing'
>

/**
 * Returns the instructions of active skills that the conversation has lost, in the order of the stack; undefined where it
 * has lost none. What a parent session was shown is not part of a fork's conversation.
 */
export async function reminderOf(
  context: ReminderContext,
  active: readonly ActiveSkill[],
  isShown: (text: string) => boolean,
): Promise<string | undefined> {
  const lost: string[] = []
  for (const skill of active) {
    if (skill.inherited === true || isInSection(context, skill)) continue
    const text = await textOf(context, skill)
    if (text === undefined) {
      // Whether the whole text is shown can no longer be checked, but whether any of it is can.
      if (!isShown(`<skill_content name="${escapeXml(showName(skill.name))}"`)) lost.push(goneText(skill, context))
    } else if (!isShown(text)) lost.push(text)
  }
  return lost.length === 0 ? undefined : lost.join('\n\n')
}

/** Whether every step shows the text of an activation in the section of its skill, so that none of it can be lost. */
function isInSection({ listing, pinnedFolders }: ReminderContext, skill: ActiveSkill): boolean {
  return (
    listing.sectionContent === true &&
    STYLES[listing.style].selective === true &&
    pinnedFolders.textOf(skill) !== undefined
  )
}

/** Returns the text of a skill's activation, byte for byte; undefined where its folder has changed since. */
async function textOf(
  { pinnedFolders, parser, profile, loadTimeout }: ReminderContext,
  active: ActiveSkill,
): Promise<string | undefined> {
  const known = pinnedFolders.textOf(active)
  if (known !== undefined) return known
  const skill = pinnedFolders.skillOf(active)
  if (skill === undefined) return undefined
  try {
    const inspected = await inTime(inspectSkill(skill, parser, profile), loadTimeout, 'Its folder')
    if ('broken' in inspected || inspected.digest !== active.digest) return undefined
    const text = activationText(activationValue(inspected, active))
    await pinnedFolders.rememberText(active, text)
    return text
  } catch {
    // Any source may throw anything: the folder cannot be read now.
    return undefined
  }
}

function goneText({ name, forked }: ActiveSkill, { toolNames, listing }: ReminderContext): string {
  const what = `The instructions of the active skill "${escapeXml(showName(name))}" cannot be shown any more: its folder is not what was agreed to.`
  if (forked === true) return `${what} Continue with what you know of them, or say that you cannot.`
  const again = hasSkillTools(listing.style)
    ? 'call its own tool again'
    : `activate it again with \`${toolNames.activate}\``
  return `${what} Deactivate it with \`${toolNames.deactivate}\`, and ${again} to use it as it is now.`
}
