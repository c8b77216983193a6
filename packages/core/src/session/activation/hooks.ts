import { enclosed } from '../../text/escape.ts'
import type { HookRun } from '../../ports/hook.ts'
import type { Manifest } from '../../ports/manifest.ts'
import type { SessionContext } from '../context.ts'
import { failureReason, failureText, type Refused, refused } from '../calls/refusal.ts'
import type { ActiveSkill, SessionState } from '../state/state.ts'
import { MAX_TIMER_MS } from '../../ports/limits.ts'

/** What hooks are run with. */
export interface HookContext {
  readonly context: SessionContext
  readonly state: () => SessionState
}

/** Why a hook did not succeed, as the end of a sentence. */
interface HookFailure {
  readonly why: string
  readonly cause?: unknown
}

/** Characters of a hook's output that are shown: its end, where what went wrong is said last. */
const MAX_OUTPUT = 2_000

/** Whether there is nothing to run a skill's hooks. It is then not activated: what a hook was to prevent could happen. */
export function hooksUnavailable({ hooks }: SessionContext, { name, hooks: wanted }: Manifest): Refused | undefined {
  const first = wanted.pre[0] ?? wanted.post[0]
  if (first === undefined || hooks !== undefined) return undefined
  return refused({
    code: 'HOOK_UNAVAILABLE',
    reason: `The skill "${name}" was not activated: it has hooks (${JSON.stringify(first)}), and the host runs none. It would need the option \`hooks\` of \`openRepertoire\`. Go on without it.`,
  })
}

/**
 * Runs the hooks before an activation, one after the other. The first that does not succeed stops it: those after it are
 * not run. The folder is measured before the first: it may have waited for somebody's answer.
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
    refused({ code: 'HOOK_FAILED', reason: `The skill "${skill.name}" was not activated: ${what}` })
  let read: HookRun['read']
  try {
    read = await agreedReading(hooking, skill)
  } catch (error) {
    return failed(`its hooks were not run. ${failureReason(error)}`)
  }
  for (const command of commands) {
    const failure = await runRecorded(hooking, skill, { phase: 'pre', command, read }, signal)
    if (failure !== undefined) return failed(`its hook ${JSON.stringify(command)} ${failure.why}`)
  }
  return undefined
}

/**
 * Runs the hooks after a deactivation, one after the other, each whatever became of those before it. What fails is a
 * problem of the session's and stops nothing. An abort of the run does not keep them from running: they clean up.
 */
export async function runPostHooks(hooking: HookContext, skill: ActiveSkill): Promise<void> {
  const { post: commands = [], name } = skill
  if (commands.length === 0) return
  const report = (what: string, cause?: unknown): void =>
    hooking.context.problem({
      code: 'HOOK_FAILED',
      message: `After the deactivation of the skill "${name}" ${what}`,
      skill: name,
      ...(cause !== undefined && { cause }),
    })
  let read: HookRun['read']
  try {
    read = await agreedReading(hooking, skill)
  } catch (error) {
    report(
      `its hooks (${commands.map((command) => JSON.stringify(command)).join(', ')}) were not run. ${failureText(error)}`,
      error,
    )
    return
  }
  for (const command of commands) {
    const failure = await runRecorded(hooking, skill, { phase: 'post', command, read })
    if (failure !== undefined) report(`its hook ${JSON.stringify(command)} ${failure.why}`, failure.cause)
  }
}

/** @throws {SkillError} the folder is gone, or not what was agreed to */
async function agreedReading({ context }: HookContext, skill: ActiveSkill): Promise<HookRun['read']> {
  const folder = await context.held.verify(skill)
  // A script of the skill may use its hidden files, and whoever agreed agreed to them.
  return (path) => folder.read(path, { withheld: true })
}

type Hook = Pick<HookRun, 'phase' | 'command' | 'read'>

/** Runs a hook and writes down what became of it. */
async function runRecorded(
  hooking: HookContext,
  skill: ActiveSkill,
  hook: Hook,
  signal?: AbortSignal,
): Promise<HookFailure | undefined> {
  const about = { active: hooking.state().active, skill, hook: hook.command }
  const { audit } = hooking.context
  try {
    const failure = await runHook(hooking, skill, hook, signal)
    if (failure === undefined) await audit?.note({ type: 'hook.finished', outcome: 'succeeded', ...about })
    else await audit?.note({ type: 'hook.failed', outcome: 'failed', ...about, error: failure.why })
    return failure
  } catch (error) {
    await audit?.note({ type: 'hook.failed', outcome: 'aborted', ...about, error })
    throw error
  }
}

async function runHook(
  { context, state }: HookContext,
  { name, location, digest, args }: ActiveSkill,
  hook: Hook,
  signal?: AbortSignal,
): Promise<HookFailure | undefined> {
  const { hooks: runner, hookTimeout } = context
  if (runner === undefined) return { why: 'was not run: `openRepertoire` has no option `hooks` here.' }
  signal?.throwIfAborted()
  const giveUp = new AbortController()
  const over = Promise.withResolvers<'over'>()
  const stop = (reason: unknown): void => {
    giveUp.abort(reason)
    over.resolve('over')
  }
  const timer = setTimeout(
    () => stop(new DOMException('The time of the hook is over.', 'TimeoutError')),
    Math.min(hookTimeout, MAX_TIMER_MS),
  )
  const aborted = (): void => stop(signal?.reason)
  signal?.addEventListener('abort', aborted, { once: true })
  try {
    const run: HookRun = {
      ...hook,
      skill: name,
      location,
      digest,
      ...(args !== undefined && { args }),
      session: state().id,
      signal: giveUp.signal,
    }
    const result: unknown = await Promise.race([Promise.resolve(runner(run)), over.promise])
    signal?.throwIfAborted()
    if (result === 'over') return { why: `took longer than ${hookTimeout} ms and was given up.` }
    return failureOf(result)
  } catch (error) {
    signal?.throwIfAborted()
    return { why: `could not be run: ${shownOutput(failureText(error))}`, cause: error }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', aborted)
  }
}

/** Reads a foreign value as a hook's result. */
function failureOf(result: unknown): HookFailure | undefined {
  const { ok, output } = (typeof result === 'object' && result !== null ? result : {}) as Record<string, unknown>
  if (ok === true) return undefined
  if (typeof ok !== 'boolean') return { why: 'failed: its runner did not say whether it succeeded.' }
  const text = typeof output === 'string' ? shownOutput(output) : ''
  return { why: text === '' ? 'failed, and said nothing.' : `failed: ${text}` }
}

const [BELL, ESCAPE] = ['\u0007', '\u001B']
/** Colours and cursors (CSI), and titles (OSC), as terminals know them from ECMA-48. */
const TERMINAL_CODES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\))`,
  'g',
)

/** What a program wrote, without what steers terminals or hides, and cut to its end. */
function shownOutput(output: string): string {
  // Cut first: a program may write a lot.
  const end = output.slice(-4 * MAX_OUTPUT)
  const text = enclosed(end.replace(TERMINAL_CODES, '')).trim()
  return text.length > MAX_OUTPUT || end.length < output.length ? `…${text.slice(-MAX_OUTPUT)}` : text
}
