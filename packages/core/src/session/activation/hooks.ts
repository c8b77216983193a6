import type { HookRun } from '../../ports/hook.ts'
import { failureReason, failureText, type Refused, refused } from '../refusal.ts'
import type { SessionContext } from '../context.ts'
import type { StateHolder } from '../state/holder.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import { untilAborted } from '../../time-limit.ts'
import { readSkillFiles } from '../scripts/skill-files.ts'
import { type Hook, type HookFailure, runHook } from './run-hook.ts'
import { quote, quoteName } from '@repertoire/skill-md/internal'

/** What hooks are run with. */
export interface HookContext {
  readonly context: Pick<SessionContext, 'hooks' | 'scripts' | 'pinnedFolders' | 'audit'>
  readonly state: Pick<StateHolder, 'current'>
}

/**
 * Refuses to activate a skill with hooks where nothing runs them: what a hook was to prevent could happen. Returns
 * undefined where there are none, or a runner for them.
 */
export function hooksUnavailable(
  { hooks: runner, scripts }: Pick<SessionContext, 'hooks' | 'scripts'>,
  { manifest: { name, hooks }, files }: Pick<InspectedSkill, 'manifest' | 'files'>,
): Refused | undefined {
  const first = hooks.pre[0] ?? hooks.post[0]
  if (first === undefined) return undefined
  if (runner !== undefined) {
    if (scripts?.hooks !== 'scripts') return undefined
    const missing = [...hooks.pre, ...hooks.post].find((hook) => !files.has(hook.trim().replace(/^(?:\.\/)+/, '')))
    if (missing === undefined) return undefined
    return refused({
      code: 'HOOK_UNAVAILABLE',
      reason: `The skill ${quoteName(name)} was not activated: its hook ${quote(missing)} is not a file of its folder, and here each hook is one. Go on without it.`,
    })
  }
  return refused({
    code: 'HOOK_UNAVAILABLE',
    reason: `The skill ${quoteName(name)} was not activated: it has hooks (${quote(first)}), and the host runs none. It would need the option \`hooks\` of \`openRepertoire\`. Go on without it.`,
  })
}

/**
 * Runs the hooks before an activation, one after the other. The first that fails stops the activation: those after it are
 * not run. The folder is measured before the first and after the last: the activation may have waited for an answer, and
 * hooks take their time.
 * @throws the signal's reason
 */
export async function runPreHooks(
  hooking: HookContext,
  skill: ActiveSkill,
  commands: readonly string[],
  signal?: AbortSignal,
): Promise<Refused | undefined> {
  if (commands.length === 0) return undefined
  const failed = (what: string): Refused =>
    refused({ code: 'HOOK_FAILED', reason: `The skill ${quoteName(skill.name)} was not activated: ${what}` })
  let read: AgreedReads
  try {
    read = await untilAborted(verifiedReads(hooking, skill), signal)
  } catch (error) {
    signal?.throwIfAborted()
    return failed(`its hooks were not run. ${failureReason(error)}`)
  }
  for (const command of commands) {
    const failure = await runAndRecord(hooking, skill, { phase: 'pre', command, ...read }, signal)
    if (failure !== undefined) return failed(`its hook ${quote(command)} ${failure.why}`)
  }
  try {
    await untilAborted(verifiedReads(hooking, skill), signal)
    return undefined
  } catch (error) {
    signal?.throwIfAborted()
    const why = `it is not certain that its folder is still what was agreed to after its hooks ran. ${failureReason(error)}`
    return refused({
      code: 'CONSENT_DENIED',
      reason: `The skill ${quoteName(skill.name)} was not activated: ${why}`,
    })
  }
}

/** What hooks after a deactivation are run with. */
export interface PostHookContext extends HookContext {
  readonly context: HookContext['context'] & Pick<SessionContext, 'reportProblem'>
}

/**
 * Runs the hooks after a deactivation, one after the other, whatever becomes of those before. A failure is reported as a
 * problem and stops nothing. They run also where the run was aborted: they clean up.
 */
export async function runPostHooks(hooking: PostHookContext, skill: ActiveSkill): Promise<void> {
  const { post: commands = [], name } = skill
  if (commands.length === 0) return
  const report = (what: string, cause?: unknown): void =>
    hooking.context.reportProblem({
      code: 'HOOK_FAILED',
      message: `After the deactivation of the skill ${quoteName(name)} ${what}`,
      skill: name,
      ...(cause !== undefined && { cause }),
    })
  let read: AgreedReads
  try {
    read = await verifiedReads(hooking, skill)
  } catch (error) {
    report(
      `its hooks (${commands.map((command) => quote(command)).join(', ')}) were not run. ${failureText(error)}`,
      error,
    )
    return
  }
  for (const command of commands) {
    const failure = await runAndRecord(hooking, skill, { phase: 'post', command, ...read })
    if (failure !== undefined) report(`its hook ${quote(command)} ${failure.why}`, failure.cause)
  }
}

/** @throws {SkillError} the folder is gone, or has changed since consent was given */
async function verifiedReads({ context }: HookContext, skill: ActiveSkill): Promise<AgreedReads> {
  const folder = await context.pinnedFolders.verify(skill)
  return {
    // A script of the skill may use its hidden files, and consent covers them.
    read: (path) => folder.read(path, { withheld: true }),
    files: () => readSkillFiles(context.pinnedFolders, skill),
  }
}

/** What a hook may read. */
type AgreedReads = Pick<HookRun, 'read' | 'files'>

async function runAndRecord(
  { context, state }: HookContext,
  skill: ActiveSkill,
  hook: Hook,
  signal?: AbortSignal,
): Promise<HookFailure | undefined> {
  const { audit } = context
  const draft = { active: state.current().active, skill, hook: hook.command }
  const began = audit?.now() ?? 0
  const lasted = (): number => Math.max(0, (audit?.now() ?? 0) - began)
  try {
    const { failure, run: ran } = await runHook(context, state.current().id, skill, hook, signal)
    const how = { ...draft, run: ran?.run, durationMs: ran?.durationMs ?? lasted() }
    if (failure === undefined) await audit?.record({ type: 'hook.finished', outcome: 'succeeded', ...how })
    else await audit?.record({ type: 'hook.failed', outcome: 'failed', ...how, error: failure.why })
    return failure
  } catch (error) {
    await audit?.record({ type: 'hook.failed', outcome: 'aborted', ...draft, durationMs: lasted(), error })
    throw error
  }
}
