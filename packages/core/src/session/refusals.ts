import type { ConsentRequest } from '../ports/consent.ts'
import type { RefusalCode } from '../ports/outcome.ts'
import { quote, quoteBeginning, quoteName } from '@repertoire/skill-md/internal'
import { listSome } from '../text/message.ts'
import { failureReason, MAX_NAME_CHARS, type Refused, refused } from './refusal.ts'

/** Names that a refusal lists. */
const MAX_LISTED = 20

/** Tools of the host's that an unknown name may mean, at most. */
const MAX_MEANT = 5

/** The wording of every refusal of a session, by its code. Those of the gate and of the executor come with their own. */
export const refuse = {
  inputInvalid: (reason: string) => refused({ code: 'INPUT_INVALID', reason }),
  unreadableInput: (tool: string, why: string) =>
    refuse.inputInvalid(
      `The input of ${quoteBeginning(tool, MAX_NAME_CHARS)} is not accepted: ${why}. Give plain JSON.`,
    ),
  noPath: (tool: string, example: string) =>
    refuse.inputInvalid(
      `\`path\` of \`${tool}\` is empty. Give a path relative to the skill's folder, such as ${example}.`,
    ),
  noName: (tool: string, visible: readonly string[]) =>
    refuse.inputInvalid(`\`name\` of \`${tool}\` is empty. ${skillNames(visible)}`),
  noSuchLines: (path: string, lines: number, from: number, to: number) =>
    refuse.inputInvalid(
      `There are no such lines: ${quote(path)} has ${lines}, and lines ${from} to ${to} were requested.`,
    ),
  argumentsTooLong: (skill: string, length: number, most: number) =>
    notActivated('INPUT_INVALID', skill, `its arguments are ${length} characters long. Give at most ${most}.`),

  /** @param meant the host's tools that stand for it: skills name tools as their authors know them, and models repeat that */
  toolUnknown: (tool: string, meant: readonly string[] = []) => {
    const names = meant.slice(0, MAX_MEANT).map(quoteName)
    const instead =
      names.length === 0
        ? 'Call one of the tools that you were given, by its exact name.'
        : `Here that is ${names.join(' or ')}: call it by this name, with its own arguments.`
    const reason = `There is no tool ${quoteBeginning(tool, MAX_NAME_CHARS)}. ${instead}`
    return refused({ code: 'TOOL_UNKNOWN', reason })
  },

  skillNotFound: (name: string, nearest: string | undefined, visible: readonly string[]) => {
    const what = `There is no skill ${quoteBeginning(name, MAX_NAME_CHARS)}.${didYouMean(nearest)}`
    return refused({ code: 'SKILL_NOT_FOUND', reason: `${what} ${skillNames(visible)}` })
  },
  skillBroken: (skill: string, why: string) => notActivated('SKILL_BROKEN', skill, why),
  onlyForPersons: (skill: string) =>
    notActivated('SKILL_BROKEN', skill, 'only a person may activate it, since it says so now. Go on without it.'),
  skillNotAdmitted: (skill: string, reasons: readonly string[]) =>
    notActivated('SKILL_NOT_ADMITTED', skill, `the host does not admit it. ${reasons.join(' ')} Go on without it.`),
  onlyForModels: (skill: string) =>
    refused({
      code: 'SKILL_NOT_INVOCABLE',
      reason: `The skill ${quote(skill)} was not activated: only a model may activate it, since it says "user-invocable: false".`,
    }),

  skillNotActive: (skill: string | undefined) => refused({ code: 'SKILL_NOT_ACTIVE', reason: `${notActive(skill)}.` }),
  /** @param tool the tool that activates it. Absent: the skill has a tool of its own */
  activateFirst: (
    skill: string | undefined,
    tool: string | undefined,
    what: 'its files are read' | 'its scripts are run',
  ) => {
    const how = tool === undefined ? 'the tool that it has of its own' : `\`${tool}\``
    return refused({ code: 'SKILL_NOT_ACTIVE', reason: `${notActive(skill)}. Activate it with ${how} before ${what}.` })
  },
  deactivatedMeanwhile: (skill: string) =>
    refused({
      code: 'SKILL_NOT_ACTIVE',
      reason: `Another call of this message deactivated the skill ${quoteName(skill)}. Activate it in your next message.`,
    }),
  skillNotOnTop: (skill: string, top: string) =>
    refused({
      code: 'SKILL_NOT_ON_TOP',
      reason: `${quoteName(skill)} cannot be deactivated yet: ${quoteName(top)} was activated after it. Deactivate ${quoteName(top)} first.`,
    }),
  skillPinned: (skill: string) =>
    refused({
      code: 'SKILL_PINNED',
      reason: `${quoteName(skill)} stays active: it is what this work is done under. Finish the work, and it ends by itself.`,
    }),

  forkTooDeep: (skill: string, most: number) =>
    notRun('FORK_TOO_DEEP', skill, `these nest at most ${most} deep. Do its work here, without it.`),
  forkUnavailable: (skill: string) =>
    notRun('FORK_UNAVAILABLE', skill, 'there is nothing here that runs one. Go on without it.'),
  /** @param why as the end of a sentence */
  forkFailed: (skill: string, why: string) =>
    refused({ code: 'FORK_FAILED', reason: `The skill ${quoteName(skill)} ran without a result: ${why}` }),

  /** @param isOutdated nobody has decided about the folder as it is now, and the next call asks */
  consentDenied: (
    skill: string,
    { reason, isOutdated, waits }: { reason?: string | undefined; isOutdated?: true; waits?: ConsentRequest },
  ): Refused => {
    const then = isOutdated
      ? 'If it is still needed, make the same call again: it asks for consent to the folder as it is now.'
      : 'Go on without it.'
    const why = `The skill ${quote(skill)} was not activated: ${reason?.trim() ? reason : NO_CONSENT}. ${then}`
    return { ...refused({ code: 'CONSENT_DENIED', reason: why }), ...(waits && { waits }) }
  },
  changedByHooks: (skill: string, error: unknown) =>
    notActivated(
      'CONSENT_DENIED',
      skill,
      `it is not certain that its folder is still what was agreed to after its hooks ran. ${failureReason(error)}`,
    ),
  callDenied: (tool: string, reason: string | undefined, waits?: ConsentRequest): Refused => {
    const why = reason?.trim() ? reason : NO_CONSENT
    const what = `The call of ${quote(tool)} was not carried out: ${why}. Go on without it.`
    return { ...refused({ code: 'CALL_DENIED', reason: what }), ...(waits && { waits }) }
  },
  /** The handler of a question would wait for itself. */
  calledByHandler: (tool: string) =>
    refuse.callDenied(
      tool,
      'a function that answers a question of this session cannot call the session before it has answered',
    ),

  hookFailed: (skill: string, what: string) => notActivated('HOOK_FAILED', skill, what),
  hookNotAFile: (skill: string, hook: string) =>
    notActivated(
      'HOOK_UNAVAILABLE',
      skill,
      `its hook ${quote(hook)} is not a file of its folder, and here each hook is one. Go on without it.`,
    ),
  hooksNotRun: (skill: string, first: string) =>
    notActivated(
      'HOOK_UNAVAILABLE',
      skill,
      `it has hooks (${quote(first)}), and the host runs none. It would need the option \`scripts.hooks\` of \`openRepertoire\`. Go on without it.`,
    ),
  mountFailed: (skill: string, error: unknown) =>
    notActivated(
      'MOUNT_FAILED',
      skill,
      `it could not be put into the private space of this task. ${failureReason(error)}`,
    ),
  toolsetFailed: (skill: string, why: string) =>
    refused({ code: 'TOOLSET_FAILED', reason: `The skill ${quoteName(skill)} was not activated. ${why}` }),

  planCycle: (skill: string, path: readonly string[]) =>
    refused({
      code: 'PLAN_CYCLE',
      reason: `The skill ${quoteName(skill)} was not executed: it would run itself (${planPath(path)}).`,
    }),
  planTooLarge: (why: string, path: readonly string[]) =>
    refused({ code: 'PLAN_TOO_LARGE', reason: `This step was not begun: ${why} (${planPath(path)}).` }),

  resourceNotRead: (code: 'RESOURCE_NOT_FOUND' | 'RESOURCE_REFUSED', error: unknown, nearest: string | undefined) =>
    refused({ code, reason: `${failureReason(error)}${didYouMean(nearest)}` }),
  scriptNotFound: (skill: string, path: string, nearest: string | undefined, scripts: readonly string[]) => {
    const what = `The skill ${quoteName(skill)} has no script ${quoteBeginning(path, MAX_NAME_CHARS)}.${didYouMean(nearest)}`
    const which = scripts.length === 0 ? 'It has none at all.' : `Its scripts are: ${listed(scripts)}.`
    return refused({ code: 'RESOURCE_NOT_FOUND', reason: `${what} ${which}` })
  },
  noScriptRunner: (tool: string) =>
    refused({
      code: 'SCRIPT_UNAVAILABLE',
      reason: `\`${tool}\` runs nothing here: the host would need the option \`scripts.runner\` of \`openRepertoire\`. Do not call it again.`,
    }),
  otherScriptRunner: (skill: string) =>
    refused({
      code: 'SCRIPT_UNAVAILABLE',
      reason: `The scripts of ${quoteName(skill)} are not run: what would run them here is not what was agreed to when the skill was activated. Deactivate it and activate it again.`,
    }),
  scriptNotRun: (code: 'SCRIPT_UNAVAILABLE' | 'SCRIPT_CHANGED', script: string, error: unknown) =>
    refused({ code, reason: `${script} was not run. ${failureReason(error)}` }),

  notRecorded: () =>
    refused({
      code: 'AUDIT_UNAVAILABLE',
      reason:
        'This was not done: it must be recorded, and the record cannot be written now. Your input is not the reason. Try once more, and if that fails too, tell the user.',
    }),
  sessionEnded: () =>
    refused({ code: 'SESSION_ENDED', reason: 'This task has ended; nothing can be called in it any more.' }),
}

const NO_CONSENT = 'consent was not given'

function notActivated(code: RefusalCode, skill: string, why: string): Refused {
  return refused({ code, reason: `The skill ${quoteName(skill)} was not activated: ${why}` })
}

function notRun(code: RefusalCode, skill: string, why: string): Refused {
  const what = `The skill ${quoteName(skill)} was not run: it needs a sub-agent, and ${why}`
  return refused({ code, reason: what })
}

function notActive(skill: string | undefined): string {
  return skill === undefined ? 'No skill is active' : `The skill ${quoteBeginning(skill, MAX_NAME_CHARS)} is not active`
}

function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : ` Did you mean ${quoteName(name)}?`
}

function skillNames(visible: readonly string[]): string {
  return visible.length === 0 ? 'There are no skills.' : `The skills are: ${listed(visible)}.`
}

function listed(names: readonly string[]): string {
  return listSome(names, MAX_LISTED)
}

function planPath(path: readonly string[]): string {
  return path.map(quoteName).join(' → ')
}
