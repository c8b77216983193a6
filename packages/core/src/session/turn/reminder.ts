import { activationText } from '../../disclosure/skill-content.ts'
import { escapeXml, showName } from '@repertoire/skill-md/internal'
import { activationValue, inspectActive, laterArgumentsText, withLastArguments } from '../activation/active-skill.ts'
import { hasSkillTools } from '../../tools/styles.ts'
import type { SessionContext } from '../context.ts'
import { activeGuidance, hasActiveGuidance } from '../guidance.ts'
import type { ActiveSkill } from '../state/state.ts'

/** What a step reminds the model of. */
interface ReminderNeeds {
  readonly active: readonly ActiveSkill[]
  readonly hostTools: readonly string[] | undefined
}

/** What a model call reads of the instructions of active skills. */
export interface ReadInstructions {
  /** What the conversation has lost, with the guidance; undefined: nothing. */
  readonly reminder: string | undefined
  /** The instructions in it. */
  readonly lost: readonly string[]
  /** Those that the conversation has. */
  readonly shown: readonly string[]
}

/**
 * Returns the instructions of active skills that the conversation has lost, in the order of the stack, and the guidance on
 * how to use them, if it is lost too; undefined where it has lost nothing. What a parent session was shown is not part of a fork's conversation.
 */
export async function reminderOf(
  context: SessionContext,
  needs: ReminderNeeds,
  isShown: (text: string) => boolean,
): Promise<string | undefined> {
  const { reminder } = await readInstructions(context, needs, isShown)
  return reminder
}

/** Returns the same with the instructions that the model reads. */
export async function readInstructions(
  context: SessionContext,
  { active, hostTools }: ReminderNeeds,
  isShown: (text: string) => boolean,
): Promise<ReadInstructions> {
  const lost: string[] = []
  const kept: string[] = []
  const candidates = active.filter((skill) => skill.inherited !== true)
  const read = await Promise.all(candidates.map(async (skill) => ({ skill, texts: await textsOf(context, skill) })))
  for (const { skill, texts } of read) {
    if (texts === undefined) {
      // Whether the whole text is shown can no longer be checked, but whether any of it is can.
      if (!isShown(`<skill_content name="${escapeXml(showName(skill.name))}"`)) lost.push(goneText(skill, context))
    } else if (isShown(texts.whole)) kept.push(texts.whole)
    else if (texts.parts.every(isShown)) kept.push(...texts.parts)
    else lost.push(texts.whole)
  }
  const texts = [...lost]
  if (candidates.length > 0 && !hasActiveGuidance(isShown)) {
    const guidance = activeGuidance(context, hostTools)
    // Behind the first, as the result of a session's first activation has it.
    if (guidance !== undefined) texts.splice(1, 0, guidance)
  }
  return { reminder: texts.length === 0 ? undefined : texts.join('\n\n'), lost, shown: kept }
}

/** The instructions of an active skill. */
interface InstructionTexts {
  /** As they are with the arguments that were passed last. */
  readonly whole: string
  /** What a conversation was shown of them, if it was not shown the whole: the activation, and what changed since. */
  readonly parts: readonly string[]
}

async function textsOf(context: SessionContext, skill: ActiveSkill): Promise<InstructionTexts | undefined> {
  const { laterArgs, ...activated } = skill
  const text = await textOf(context, activated)
  if (text === undefined || laterArgs === undefined) return text === undefined ? text : { whole: text, parts: [text] }
  const whole = await textOf(context, withLastArguments(skill))
  const change = await textOf(context, skill)
  return whole === undefined || change === undefined ? undefined : { whole, parts: [text, change] }
}

/**
 * Returns the text of a skill's activation, or with `laterArgs` what these changed, byte for byte; undefined where its
 * folder has changed since.
 */
async function textOf(context: SessionContext, active: ActiveSkill): Promise<string | undefined> {
  const { pinnedFolders } = context
  const known = pinnedFolders.textOf(active)
  if (known !== undefined) return known
  try {
    const inspected = await inspectActive(context, active)
    if (inspected === undefined) return undefined
    const { laterArgs } = active
    const text =
      laterArgs === undefined
        ? activationText(activationValue(inspected, active))
        : laterArgumentsText(inspected, laterArgs)
    pinnedFolders.rememberText(active, text)
    return text
  } catch {
    // Any source may throw anything: the folder cannot be read now.
    return undefined
  }
}

function goneText({ name, forked }: ActiveSkill, { toolNames, listing }: SessionContext): string {
  const what = `The instructions of the active skill "${escapeXml(showName(name))}" cannot be shown any more: its folder is not what was agreed to.`
  if (forked === true) return `${what} Continue with what you know of them, or say that you cannot.`
  const again = hasSkillTools(listing.style)
    ? 'call its own tool again'
    : `activate it again with \`${toolNames.activate}\``
  return `${what} Deactivate it with \`${toolNames.deactivate}\`, and ${again} to use it as it is now.`
}
