import { simpleWords } from '@repertoire/gate/internal'
import { enclosed, HOOK_TIMEOUT_MS, quote, quoteName } from '@repertoire/skill-md/internal'
import type { AuditedRun } from '../../audit/events.ts'
import { interpreterNamed } from '../../execution/interpreter.ts'
import { runScript, type ScriptRun } from '../../execution/run-script.ts'
import { endSentence, hasSucceeded, toScriptOutput } from '../../execution/script-output.ts'
import type { HookStyle, ScriptSettings } from '../../execution/settings.ts'
import type { HookResult, HookRun } from '../../ports/hook.ts'
import { runInTime, TIMED_OUT, untilAborted } from '../../time-limit.ts'
import { withoutTerminalCodes } from '../../text/plain-text.ts'
import type { SessionContext, SessionParts } from '../context.ts'
import { isRunnerAgreed } from '../inspect-skill.ts'
import { failureReason, failureText, hostReason, type Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import { auditedRun, endedRun } from '../scripts/run-script.ts'
import type { ActiveSkill } from '../state/state.ts'

/**
 * Runs the hooks before an activation, one after the other. The first that fails stops the activation: those after it are
 * not run. The folder is measured before the first and after the last: the activation may have waited for an answer, and
 * hooks take their time.
 * @throws the signal's reason
 */
export async function runPreHooks(
  session: SessionParts,
  skill: ActiveSkill,
  commands: readonly string[],
  signal?: AbortSignal,
): Promise<Refused | undefined> {
  let files: HookFiles
  try {
    files = await untilAborted(verifiedFiles(session.context, skill), signal)
  } catch (error) {
    signal?.throwIfAborted()
    return refuse.hookFailed(skill.name, undefined, failureReason(error))
  }
  for (const command of commands) {
    const { failure, wasRun } = await runAndRecord(session, skill, { phase: 'pre', command, ...files }, signal)
    if (failure === undefined) continue
    const what = `its hook ${quote(command)} ${failure}`
    return wasRun === true ? refuse.hookFailed(skill.name, what) : refuse.hookFailed(skill.name, undefined, what)
  }
  try {
    await untilAborted(verifiedFiles(session.context, skill), signal)
    return undefined
  } catch (error) {
    signal?.throwIfAborted()
    return refuse.changedByHooks(skill.name, error)
  }
}

/**
 * Runs the hooks after a deactivation, one after the other, whatever becomes of those before. A failure is reported as a
 * problem and stops nothing. They run also where the run was aborted: they clean up.
 */
export async function runPostHooks(session: SessionParts, skill: ActiveSkill): Promise<void> {
  const { post: commands = [], name } = skill
  if (commands.length === 0) return
  const report = (what: string, cause?: unknown): void =>
    session.context.reportProblem({
      code: 'POST_HOOK_FAILED',
      message: `After the deactivation of the skill ${quoteName(name)} ${what}`,
      skill: name,
      cause,
    })
  let files: HookFiles
  try {
    files = await verifiedFiles(session.context, skill)
  } catch (error) {
    report(
      `its hooks (${commands.map((command) => quote(command)).join(', ')}) were not run. ${failureText(error)}`,
      error,
    )
    return
  }
  for (const command of commands) {
    const { failure, cause } = await runAndRecord(session, skill, { phase: 'post', command, ...files })
    if (failure !== undefined) report(`its hook ${quote(command)} ${failure}`, cause)
  }
}

type HookFiles = Pick<HookRun, 'read' | 'files'>

/** @throws {SkillError} the folder is gone, or has changed since consent was given */
async function verifiedFiles({ pinnedFolders }: SessionContext, active: ActiveSkill): Promise<HookFiles> {
  // Hooks are run around the life of a private copy, by the folder.
  const skill = { ...active, mount: undefined }
  const folder = await pinnedFolders.verify(skill)
  return {
    // A script of the skill may use its hidden files, and consent covers them.
    read: (path) => folder.read(path, { withheld: true }),
    files: () => pinnedFolders.readFiles(skill),
  }
}

type Hook = Pick<HookRun, 'phase' | 'command'> & HookFiles

interface HookOutcome {
  /** Why it failed, as the end of a sentence. Absent: it succeeded. */
  readonly failure?: string
  /** Whether the failure is what the hook itself says. */
  readonly wasRun?: true
  readonly cause?: unknown
  /** What ran it, and how it ended. Absent: the host's own function did, or nothing ran. */
  readonly report?: ScriptHookResult['report']
}

async function runAndRecord(
  session: SessionParts,
  skill: ActiveSkill,
  hook: Hook,
  signal?: AbortSignal,
): Promise<HookOutcome> {
  const { audit } = session.context
  const draft = { active: session.state.current().active, skill, hook: hook.command }
  const now = (): number => audit?.now() ?? Date.now()
  const began = now()
  const lasted = (): number => Math.max(0, now() - began)
  try {
    const outcome = await runHook(session, skill, hook, signal)
    const { failure, report } = outcome
    const how = { ...draft, run: report?.run, durationMs: report?.durationMs ?? lasted() }
    if (failure === undefined) await audit?.record({ type: 'hook.finished', outcome: 'succeeded', ...how })
    else await audit?.record({ type: 'hook.failed', outcome: 'failed', ...how, error: failure })
    return outcome
  } catch (error) {
    await audit?.record({ type: 'hook.failed', outcome: 'aborted', ...draft, durationMs: lasted(), error })
    throw error
  }
}

/**
 * Runs one hook. Its signal aborts with the given one, and when its time is over.
 * @throws the signal's reason
 */
async function runHook(
  { context, state }: SessionParts,
  skill: ActiveSkill,
  hook: Hook,
  signal?: AbortSignal,
): Promise<HookOutcome> {
  const { hooks: runner, scripts } = context
  const { name, location, digest, args } = skill
  const byScripts = scripts?.hooks === undefined ? undefined : scripts
  const start = byScripts === undefined ? runner : (run: HookRun) => runScriptHook(byScripts, skill, run)
  if (start === undefined) return { failure: 'was not run: `openRepertoire` has no option `scripts.hooks` here.' }
  if (byScripts !== undefined && !isRunnerAgreed(byScripts, skill)) {
    const failure = 'was not run: what would run it here is not what was agreed to when the skill was activated.'
    return { failure }
  }
  const run = {
    ...hook,
    skill: name,
    location,
    digest,
    args,
    session: state.current().id,
  }
  // What a runner runs has the same limit there, and the runner says how it ended: `runScript` always settles.
  const timeoutMs = byScripts ? Infinity : HOOK_TIMEOUT_MS
  try {
    const result = await runInTime<unknown>((own) => start({ ...run, signal: own }), timeoutMs, 'The hook', signal)
    if (result === TIMED_OUT) return { failure: `took longer than ${HOOK_TIMEOUT_MS} ms and was aborted.` }
    return { ...failureOf(result), ...(byScripts && { report: (result as ScriptHookResult).report }) }
  } catch (error) {
    signal?.throwIfAborted()
    return { failure: `could not be run: ${shownOutput(failureText(error))}`, cause: error }
  }
}

/** The result of a hook that the host's runner of scripts ran. */
interface ScriptHookResult extends HookResult {
  /** What ran it, and how it ended. */
  readonly report: { readonly run: AuditedRun; readonly durationMs: number }
}

/**
 * Runs a hook with the host's runner of scripts: the same limits, the same isolation, the bytes that were agreed to.
 * @throws {Error} why it was not run
 */
async function runScriptHook(scripts: ScriptSettings, skill: ActiveSkill, run: HookRun): Promise<ScriptHookResult> {
  const { runner, network } = scripts
  const environment = scripts.environment(skill)
  const limits = { ...scripts.limits, timeout: Math.min(scripts.limits.timeout, HOOK_TIMEOUT_MS) }
  const files = await run.files()
  const isFile = (path: string): boolean => files.some((file) => file.path === path)
  const hook = await readHook(run.command, scripts.hooks, isFile)
  const job = { runner, ...hook, files, environment, network, limits, signal: run.signal }
  const outcome = await runScript(job)
  if (!outcome.ok) throw new Error(hostReason(outcome))
  const { interpreter: by, result } = outcome
  const { stdout, stderr } = toScriptOutput({ skill: run.skill, interpreter: by, result })
  const output = [stdout, stderr, ...endSentence(result, limits)].filter((text) => text !== '').join('\n')
  const report = { run: endedRun(auditedRun(scripts, by), result), durationMs: result.durationMs }
  return { ok: hasSucceeded(result), output, report }
}

/** @throws {Error} it is not what such a hook may be */
async function readHook(
  command: string,
  style: HookStyle | undefined,
  isFile: (path: string) => boolean,
): Promise<Pick<ScriptRun, 'script' | 'args' | 'interpreter'>> {
  const script = pathOf(command.trim())
  if (isFile(script)) return { script, args: [] }
  if (style === 'scripts') throw new Error(`${quote(command)} is not a file of the skill.`)
  const words = await simpleWords(command)
  const refused = (why: string): Error =>
    new Error(`${quote(command)} ${why}. A hook is one script of the skill, or an interpreter and one, with arguments.`)
  if ('problem' in words) throw refused(words.problem)
  const [program = '', first = '', ...rest] = words
  if (isFile(pathOf(program))) return { script: pathOf(program), args: words.slice(1) }
  const name = interpreterNamed(program)
  if (name === undefined) throw refused(`begins with ${quote(program)}, which is neither`)
  if (!isFile(pathOf(first))) throw refused(`gives ${quote(program)} no script of the skill`)
  return { script: pathOf(first), args: rest, interpreter: { name, args: [] } }
}

function pathOf(written: string): string {
  return written.replace(/^(?:\.\/)+/, '')
}

/** Reads a foreign value as a hook's result. */
function failureOf(result: unknown): HookOutcome {
  const { ok, output } = Object(result) as Record<string, unknown>
  if (ok === true) return {}
  if (typeof ok !== 'boolean') return { failure: 'failed: its runner did not say whether it succeeded.' }
  const text = typeof output === 'string' ? shownOutput(output) : ''
  return { failure: text === '' ? 'failed without output.' : `failed: ${text}`, wasRun: true }
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
