import type { HookRun } from '../../ports/hook.ts'
import { enclosed, HOOK_TIMEOUT_MS } from '@repertoire/skill-md/internal'
import { withoutTerminalCodes } from '../../text/terminal-codes.ts'
import { TIMED_OUT, waitFor } from '../../time-limit.ts'
import { failureText } from '../refusal.ts'
import type { SessionContext } from '../context.ts'
import { describeRunner, runnerKey } from '../scripts/agreed-runner.ts'
import type { HookReport, ReportedHook } from './hooks-by-runner.ts'
import type { ActiveSkill } from '../state/state.ts'

/** A hook that is to be run. */
export type Hook = Pick<HookRun, 'phase' | 'command' | 'read' | 'files'>

/** What became of a hook. */
export interface HookOutcome {
  /** Absent: it succeeded. */
  readonly failure?: HookFailure | undefined
  /** What ran it, and how it ended. Absent: the host's own function did, or nothing ran. */
  readonly run?: HookReport | undefined
}

/** Why a hook did not succeed. */
export interface HookFailure {
  /** As the end of a sentence. */
  readonly why: string
  readonly cause?: unknown
}

/**
 * Runs one hook. Its signal aborts with the given one, and when its time is over.
 * @throws the signal's reason
 */
export async function runHook(
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
