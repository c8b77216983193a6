import type { HookRun } from '../../ports/hook.ts'
import { failureReason, failureText, type Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { SessionContext } from '../context.ts'
import type { StateHolder } from '../state/holder.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import { TIMED_OUT, untilAborted, waitFor } from '../../time-limit.ts'
import { describeRunner, readSkillFiles, runnerKey } from '../scripts/agreed.ts'
import { quote, quoteName, enclosed, HOOK_TIMEOUT_MS } from '@repertoire/skill-md/internal'
import { withoutTerminalCodes } from '../../text/terminal-codes.ts'
import type { HookReport, ReportedHook } from './hooks-by-runner.ts'

/** What hooks are run with. */
interface HookContext {
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
    return refuse.hookNotAFile(name, missing)
  }
  return refuse.hooksNotRun(name, first)
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
  let read: AgreedReads
  try {
    read = await untilAborted(verifiedReads(hooking, skill), signal)
  } catch (error) {
    signal?.throwIfAborted()
    return refuse.hookFailed(skill.name, `its hooks were not run. ${failureReason(error)}`)
  }
  for (const command of commands) {
    const failure = await runAndRecord(hooking, skill, { phase: 'pre', command, ...read }, signal)
    if (failure !== undefined) return refuse.hookFailed(skill.name, `its hook ${quote(command)} ${failure.why}`)
  }
  try {
    await untilAborted(verifiedReads(hooking, skill), signal)
    return undefined
  } catch (error) {
    signal?.throwIfAborted()
    return refuse.changedByHooks(skill.name, error)
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

/** A hook that is to be run. */
type Hook = Pick<HookRun, 'phase' | 'command' | 'read' | 'files'>

/** What became of a hook. */
interface HookOutcome {
  /** Absent: it succeeded. */
  readonly failure?: HookFailure | undefined
  /** What ran it, and how it ended. Absent: the host's own function did, or nothing ran. */
  readonly run?: HookReport | undefined
}

/** Why a hook did not succeed. */
interface HookFailure {
  /** As the end of a sentence. */
  readonly why: string
  readonly cause?: unknown
}

/**
 * Runs one hook. Its signal aborts with the given one, and when its time is over.
 * @throws the signal's reason
 */
async function runHook(
  { hooks: runner, scripts }: Pick<SessionContext, 'hooks' | 'scripts'>,
  session: string,
  { name, location, digest, runner: agreed, args: firstArgs, laterArgs: args = firstArgs }: ActiveSkill,
  hook: Hook,
  signal?: AbortSignal,
): Promise<HookOutcome> {
  if (runner === undefined) return failed('was not run: `openRepertoire` has no option `hooks` here.')
  if (scripts?.hooks !== undefined && agreed !== runnerKey(describeRunner(scripts))) {
    return failed('was not run: what would run it here is not what was agreed to when the skill was activated.')
  }
  signal?.throwIfAborted()
  const controller = new AbortController()
  // At once: a runner may have started processes that end with its signal.
  const abort = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const run: HookRun = {
    ...hook,
    skill: name,
    location,
    digest,
    ...(args !== undefined && { args }),
    session,
    signal: controller.signal,
  }
  try {
    // What a runner runs has the same limit there, and the runner says how it ended: `runScript` always settles.
    const timeoutMs = scripts?.hooks === undefined ? HOOK_TIMEOUT_MS : Infinity
    const result: unknown = await waitFor(Promise.resolve(runner(run)), timeoutMs, signal)
    if (result === TIMED_OUT) controller.abort(new DOMException('The hook timed out.', 'TimeoutError'))
    signal?.throwIfAborted()
    if (result === TIMED_OUT) return failed(`took longer than ${HOOK_TIMEOUT_MS} ms and was aborted.`)
    const ran = scripts?.hooks === undefined ? undefined : (result as ReportedHook)
    return { failure: failureOf(result), run: ran?.report }
  } catch (error) {
    signal?.throwIfAborted()
    return failed(`could not be run: ${shownOutput(failureText(error))}`, error)
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

function failed(why: string, cause?: unknown): HookOutcome {
  return { failure: { why, ...(cause !== undefined && { cause }) } }
}

/** Reads a foreign value as a hook's result. */
function failureOf(result: unknown): HookFailure | undefined {
  const { ok, output } = (typeof result === 'object' && result !== null ? result : {}) as Record<string, unknown>
  if (ok === true) return undefined
  if (typeof ok !== 'boolean') return { why: 'failed: its runner did not say whether it succeeded.' }
  const text = typeof output === 'string' ? shownOutput(output) : ''
  return { why: text === '' ? 'failed without output.' : `failed: ${text}` }
}

/** Characters at the end of a hook's output that are shown: errors come last. */
const MAX_OUTPUT_CHARS = 2_000

/** The end of what a program wrote, without codes for terminals and without invisible characters. */
function shownOutput(output: string): string {
  // Cut first: a program may write a lot.
  const end = output.slice(-4 * MAX_OUTPUT_CHARS)
  const text = enclosed(withoutTerminalCodes(end)).trim()
  return text.length > MAX_OUTPUT_CHARS || end.length < output.length ? `…${text.slice(-MAX_OUTPUT_CHARS)}` : text
}
