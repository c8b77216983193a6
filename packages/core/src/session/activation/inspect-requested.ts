import type { Skill } from '@repertoire/skill-md/internal'
import type { SkillAdmission } from '../../catalog/admission.ts'
import { untimedFolder } from '../../catalog/source-skill.ts'
import { inTime } from '../../time-limit.ts'
import type { SessionContext, SessionParts } from '../context.ts'
import { executionRefusal } from '../execution/request-and-outcome.ts'
import { consentExecution, consentRunner, type InspectedSkill, inspectSkill, isExecuted } from '../inspect-skill.ts'
import { failureReason, type Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { RequestedSkill } from '../requested-skill.ts'
import { depthOf, type SessionState } from '../state/state.ts'

/** Who activates a skill. */
export interface Activator {
  readonly by: 'model' | 'person'
  /** Whether the host can run a sub-agent. */
  readonly canFork: boolean
}

/**
 * Inspects a skill's folder, and refuses what cannot be activated before anybody is asked and before anything runs.
 * @throws the signal's reason
 */
export async function inspectRequested(
  { context, state }: SessionParts,
  { skill, args = '' }: RequestedSkill,
  activator: Activator,
  signal: AbortSignal | undefined,
): Promise<InspectedSkill | Refused> {
  const { parser, profile, admission, scripts, loadTimeout } = context
  const tooMany = tooManyArguments(skill, args)
  if (tooMany !== undefined) return tooMany
  try {
    const inspecting = inspectSkill(skill, parser, profile, untimedFolder(skill.folder))
    const inspected = await inTime(inspecting, loadTimeout, 'Its folder', signal)
    if ('broken' in inspected) return refuse.skillBroken(skill.name, inspected.broken)
    // The executor is imported for skills that are executed alone.
    const isInstruction = inspected.definition.type === 'instruction'
    return (
      notAdmitted(admission, inspected) ??
      hooksUnavailable(context, inspected) ??
      (isInstruction ? undefined : await executionRefusal(context, inspected, args)) ??
      notPermitted(inspected, activator, state.current(), context) ?? {
        ...inspected,
        assumedRules: admission?.assumedRules(inspected.manifest),
        runner: consentRunner(scripts, inspected),
        execution: consentExecution(inspected, context),
      }
    )
  } catch (error) {
    signal?.throwIfAborted()
    // Any source may throw anything: the model is told, and the run goes on.
    return refuse.skillBroken(skill.name, failureReason(error))
  }
}

/** Refuses a skill that asks for more now than the host admits: the catalog may have judged an older file. */
function notAdmitted(admission: SkillAdmission | undefined, inspected: InspectedSkill): Refused | undefined {
  if (admission === undefined) return undefined
  const { manifest, listing, skill } = inspected
  const reasons = [...admission.refusals(manifest), ...admission.fileRefusals(listing)]
  return reasons.length === 0 ? undefined : refuse.skillNotAdmitted(skill.name, reasons)
}

/** Refuses a skill with hooks where nothing runs them: what a hook was to prevent could happen. */
function hooksUnavailable(
  { hooks: runner, scripts }: SessionContext,
  { manifest: { name, hooks }, files }: InspectedSkill,
): Refused | undefined {
  const commands = [...hooks.pre, ...hooks.post]
  const [first] = commands
  if (first === undefined) return undefined
  if (runner === undefined) return refuse.hooksNotRun(name, first)
  if (scripts?.hooks !== 'scripts') return undefined
  const missing = commands.find((hook) => !files.has(hook.trim().replace(/^(?:\.\/)+/, '')))
  return missing === undefined ? undefined : refuse.hookNotAFile(name, missing)
}

/** How deep forks nest: a fork in a fork in a fork. */
const MAX_FORK_DEPTH = 3

/** Refuses an activation that the skill's manifest does not permit. It may be newer than the catalog. */
function notPermitted(
  { skill: { name }, manifest }: InspectedSkill,
  { by, canFork }: Activator,
  state: SessionState,
  context: SessionContext,
): Refused | undefined {
  if (by === 'person' && !manifest.userInvocable) return refuse.onlyForModels(name)
  if (by === 'model' && manifest.disableModelInvocation) return refuse.onlyForPersons(name)
  // What is executed needs no conversation of its own.
  if (manifest.context !== 'fork' || isExecuted(manifest, context)) return undefined
  if (depthOf(state) >= MAX_FORK_DEPTH) return refuse.forkTooDeep(name, MAX_FORK_DEPTH)
  return canFork ? undefined : refuse.forkUnavailable(name)
}

/** Characters that can be passed to a skill: a session's state carries them. */
const MAX_ARGS_CHARS = 100_000

/** Refuses arguments that are too long. */
export function tooManyArguments({ name }: Skill, args: string): Refused | undefined {
  return args.length > MAX_ARGS_CHARS ? refuse.argumentsTooLong(name, args.length, MAX_ARGS_CHARS) : undefined
}
