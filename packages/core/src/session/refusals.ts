import type { ConsentRequest } from '../ports/consent.ts'
import type { RefusalCode } from '../ports/outcome.ts'
import { quote, quoteBeginning, quoteName } from '@repertoire/skill-md/internal'
import { hasCode, listSome } from '../text/message.ts'
import { failureReason, MAX_NAME_CHARS, type Refused, refused } from './refusal.ts'

const MAX_LISTED = 20

/** Tools of the host's that an unknown name may mean, at most. */
const MAX_MEANT = 5

/** The wording of every refusal of a session, by its code. Those of the gate and the executor come with their own. */
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
  noSuchLines: (path: string, lines: number) =>
    refuse.inputInvalid(`There are no such lines: ${quote(path)} has ${lines}. Give a line from 1 to ${lines}.`),
  argumentsTooLong: (skill: string, length: number, most: number) =>
    notActivated('INPUT_INVALID', skill, `its arguments are ${length} characters long. Give at most ${most}.`),

  /** @param meant the host's tools that stand for it: skills name tools as their authors know them */
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
  skillBroken: (skill: string, detail: string) =>
    notActivated('SKILL_BROKEN', skill, `its files cannot be used now. ${WITHOUT_IT}`, detail),
  onlyForPersons: (skill: string) =>
    notActivated('SKILL_BROKEN', skill, `only a person may activate it. ${WITHOUT_IT}`),
  skillNotAdmitted: (skill: string, reasons: readonly string[]) =>
    notActivated('SKILL_NOT_ADMITTED', skill, `the host does not admit it. ${WITHOUT_IT}`, reasons.join(' ')),
  onlyForModels: (skill: string) =>
    refused({
      code: 'SKILL_NOT_INVOCABLE',
      reason: `The skill ${quote(skill)} was not activated: only a model may activate it, since it says "user-invocable: false".`,
    }),

  skillNotActive: (skill: string | undefined) =>
    refused({ code: 'SKILL_NOT_ACTIVE', reason: `${notActive(skill)}. There is nothing to deactivate: go on.` }),
  /** @param tool the tool that activates it. Absent: the skill has its own tool */
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
      reason: `${quoteName(skill)} stays active until this work is finished. Go on with the work.`,
    }),

  forkTooDeep: (skill: string, most: number) =>
    notRun('FORK_TOO_DEEP', skill, `these nest at most ${most} deep. Do its work here, without it.`),
  forkUnavailable: (skill: string) => notRun('FORK_UNAVAILABLE', skill, `nothing here runs one. ${WITHOUT_IT}`),
  /** @param why as the end of a sentence */
  forkFailed: (skill: string, why: string) =>
    refused({ code: 'FORK_FAILED', reason: `The skill ${quoteName(skill)} ran without a result: ${why}` }),

  /** @param isOutdated nobody has decided about the folder as it is now, and the next call asks */
  consentDenied: (
    skill: string,
    { reason, isOutdated, waits }: { reason?: string | undefined; isOutdated?: true; waits?: ConsentRequest },
  ): Refused => {
    const then = isOutdated
      ? 'Make the same call again, which asks for consent to its folder as it is now.'
      : WITHOUT_IT
    const why = `The skill ${quote(skill)} was not activated: ${reason?.trim() ? reason : NO_CONSENT}. ${then}`
    return { ...refused({ code: 'CONSENT_DENIED', reason: why }), ...(waits && { waits }) }
  },
  changedByHooks: (skill: string, error: unknown) =>
    notActivated(
      'CONSENT_DENIED',
      skill,
      `its folder may have changed while its hooks ran. ${WITHOUT_IT}`,
      failureReason(error),
    ),
  /** @param given.isOutdated nobody has decided about it, and the next call asks */
  callDenied: (
    tool: string,
    reason: string | undefined,
    { waits, isOutdated }: { waits?: ConsentRequest | undefined; isOutdated?: true | undefined } = {},
  ): Refused => {
    const why = reason?.trim() ? reason : NO_CONSENT
    const then = isOutdated ? 'Make the same call again, which asks for consent.' : WITHOUT_IT
    const what = `The call of ${quote(tool)} was not carried out: ${why}. ${then}`
    return { ...refused({ code: 'CALL_DENIED', reason: what }), ...(waits && { waits }) }
  },

  /** @param what a hook and what it said; undefined: none was run to its end, and the host reads why */
  hookFailed: (skill: string, what: string | undefined, detail?: string) =>
    notActivated('HOOK_FAILED', skill, `${what ?? 'its hooks could not be run.'} ${WITHOUT_IT}`, detail),
  hooksNotRun: (skill: string, first: string) =>
    notActivated(
      'HOOK_UNAVAILABLE',
      skill,
      `its hooks are not run here. ${WITHOUT_IT}`,
      `It has hooks (${quote(first)}), and the option \`scripts.hooks\` of \`openRepertoire\` is needed to run them.`,
    ),
  mountFailed: (skill: string, error: unknown) =>
    notActivated(
      'MOUNT_FAILED',
      skill,
      `it could not be put into the private space of this task. ${WITHOUT_IT}`,
      failureReason(error),
    ),
  toolsetFailed: (skill: string, detail: string) =>
    notActivated('TOOLSET_FAILED', skill, `its tools could not be loaded. ${WITHOUT_IT}`, detail),

  planCycle: (skill: string, path: readonly string[]) =>
    refused({
      code: 'PLAN_CYCLE',
      reason: `The skill ${quoteName(skill)} was not executed: it would run itself (${planPath(path)}). ${WITHOUT_IT}`,
    }),
  planTooLarge: (why: string, path: readonly string[]) =>
    refused({ code: 'PLAN_TOO_LARGE', reason: `This step was not begun: ${why} (${planPath(path)}). ${WITHOUT_IT}` }),

  resourceNotFound: (skill: string, path: string, nearest: string | undefined) => {
    const what = `The skill ${quoteName(skill)} has no file ${quoteBeginning(path, MAX_NAME_CHARS)}.`
    return refused({ code: 'RESOURCE_NOT_FOUND', reason: what + (didYouMean(nearest) || ` ${WITHOUT_IT}`) })
  },
  resourceRefused: (skill: string, path: string, nearest: string | undefined, error: unknown) => {
    const file = `${quoteBeginning(path, MAX_NAME_CHARS)} of the skill ${quoteName(skill)}`
    let reason = `${file} cannot be read. ${WITHOUT_IT}`
    if (hasCode(error, 'RESOURCE_TOO_LARGE')) reason = `${file} is too large to be shown. ${WITHOUT_IT}`
    if (hasCode(error, 'RESOURCE_PATH_INVALID')) {
      const then = didYouMean(nearest) || ' Give the path of a file that its activation lists.'
      return refused({ code: 'RESOURCE_REFUSED', reason: `${file} is not a relative path inside it.${then}` })
    }
    return refused({ code: 'RESOURCE_REFUSED', reason, detail: failureReason(error) })
  },
  scriptNotFound: (skill: string, path: string, nearest: string | undefined, scripts: readonly string[]) => {
    const what = `The skill ${quoteName(skill)} has no script ${quoteBeginning(path, MAX_NAME_CHARS)}.${didYouMean(nearest)}`
    const which = scripts.length === 0 ? `It has none at all. ${WITHOUT_IT}` : `Its scripts are: ${listed(scripts)}.`
    return refused({ code: 'RESOURCE_NOT_FOUND', reason: `${what} ${which}` })
  },
  noScriptRunner: (tool: string) =>
    refused({
      code: 'SCRIPT_UNAVAILABLE',
      reason: `\`${tool}\` runs nothing here. Do not call it again.`,
      detail: 'The option `scripts.runner` of `openRepertoire` is needed to run scripts.',
    }),
  /** @param canAskAgain whether the skill can be deactivated, so that its next activation asks */
  otherScriptRunner: (skill: string, canAskAgain: boolean) => {
    const what = `The scripts of ${quoteName(skill)} are not run: what would run them here is not what was agreed to.`
    const then = canAskAgain ? 'Deactivate it: its next activation asks again.' : 'Go on without them.'
    return refused({ code: 'SCRIPT_UNAVAILABLE', reason: `${what} ${then}` })
  },
  scriptNotRun: (code: 'SCRIPT_UNAVAILABLE' | 'SCRIPT_CHANGED', script: string, error: unknown) => {
    const why =
      code === 'SCRIPT_CHANGED' ? 'the folder of its skill has changed' : 'the folder of its skill is too large'
    return refused({ code, reason: `${script} was not run: ${why}. ${WITHOUT_IT}`, detail: failureReason(error) })
  },
  noEnvironment: (script: string, error: unknown) =>
    refused({
      code: 'SCRIPT_UNAVAILABLE',
      reason: `${script} was not run: its environment could not be read. ${WITHOUT_IT}`,
      detail: failureReason(error),
    }),

  notRecorded: () =>
    refused({
      code: 'AUDIT_UNAVAILABLE',
      reason: 'This was not done: it must be recorded, and the record cannot be written now. Tell the user.',
    }),
  sessionEnded: () =>
    refused({
      code: 'SESSION_ENDED',
      reason: 'This task has ended, and nothing can be called in it. Finish with a text.',
    }),
}

const NO_CONSENT = 'consent was not given'

const WITHOUT_IT = 'Go on without it.'

/**
 * @param why the end of a sentence, and the model's next step
 * @param detail for the host alone
 */
function notActivated(code: RefusalCode, skill: string, why: string, detail?: string): Refused {
  const reason = `The skill ${quoteName(skill)} was not activated: ${why}`
  return refused({ code, reason, detail })
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
  return visible.length === 0 ? 'There are no skills: go on without one.' : `The skills are: ${listed(visible)}.`
}

function listed(names: readonly string[]): string {
  return listSome(names, MAX_LISTED)
}

function planPath(path: readonly string[]): string {
  return path.map(quoteName).join(' → ')
}
