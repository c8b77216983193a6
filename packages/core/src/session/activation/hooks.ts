import { simpleWords } from '@repertoire/gate/internal'
import { enclosed, HOOK_TIMEOUT_MS, quote, quoteName } from '@repertoire/skill-md/internal'
import type { AuditedRun } from '../../audit/events.ts'
import { interpreterNamed } from '../../execution/interpreter.ts'
import { runScript, type ScriptRun } from '../../execution/run-script.ts'
import { endSentence, hasSucceeded, toScriptOutput } from '../../execution/script-output.ts'
import type { ScriptFile } from '../../ports/script-runner.ts'
import { untilAborted } from '../../time-limit.ts'
import { withoutTerminalCodes } from '../../text/plain-text.ts'
import type { SessionParts } from '../context.ts'
import { isRunnerAgreed } from '../inspect-skill.ts'
import { failureText, hostReason, type Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import { auditedRun, endedRun } from '../scripts/run-script.ts'
import type { ActiveSkill } from '../state/state.ts'

/**
 * Runs the hooks before an activation, one after the other. The first that fails stops the activation: those after it
 * are not run. The folder is measured before each and after the last: the activation may have waited for an answer, and
 * hooks take their time.
 */
export async function runPreHooks(
  session: SessionParts,
  skill: ActiveSkill,
  commands: readonly string[],
  signal?: AbortSignal,
): Promise<Refused | undefined> {
  for (const command of commands) {
    const { failure, run } = await runAndRecord(session, skill, command, signal)
    if (failure === undefined) continue
    const what = `its hook ${quote(command)} ${failure}`
    // What kept it from running is for the host to read.
    return run === undefined ? refuse.hookFailed(skill.name, undefined, what) : refuse.hookFailed(skill.name, what)
  }
  try {
    await untilAborted(session.context.pinnedFolders.verify(skill), signal)
    return undefined
  } catch (error) {
    signal?.throwIfAborted()
    return refuse.changedByHooks(skill.name, error)
  }
}

/**
 * Runs the hooks after a deactivation, one after the other, whatever becomes of those before. A failure is reported as
 * a problem and stops nothing. They run also where the run was aborted: they clean up.
 */
export async function runPostHooks(session: SessionParts, skill: ActiveSkill): Promise<void> {
  const { post: commands = [], name } = skill
  for (const command of commands) {
    const { failure, cause } = await runAndRecord(session, skill, command)
    if (failure === undefined) continue
    session.context.reportProblem({
      code: 'POST_HOOK_FAILED',
      message: `After the deactivation of the skill ${quoteName(name)} its hook ${quote(command)} ${failure}`,
      skill: name,
      cause,
    })
  }
}

interface HookOutcome {
  /** Why it failed, as the end of a sentence. Absent: it succeeded. */
  readonly failure?: string
  readonly cause?: unknown
  /** What ran it, and how it ended. Absent: nothing ran. */
  readonly run?: AuditedRun
  readonly durationMs?: number
}

async function runAndRecord(
  session: SessionParts,
  skill: ActiveSkill,
  hook: string,
  signal?: AbortSignal,
): Promise<HookOutcome> {
  const { audit } = session.context
  const draft = { active: session.state.current().active, skill, hook }
  try {
    const outcome = await runHook(session, skill, hook, signal)
    const { failure, run, durationMs } = outcome
    const how = { ...draft, run, durationMs }
    if (failure === undefined) await audit?.record({ type: 'hook.finished', outcome: 'succeeded', ...how })
    else await audit?.record({ type: 'hook.failed', outcome: 'failed', ...how, error: failure })
    return outcome
  } catch (error) {
    await audit?.record({ type: 'hook.failed', outcome: 'aborted', ...draft, error })
    throw error
  }
}

/**
 * Runs a hook with the host's runner of scripts: the same limits, the same isolation, the bytes that were agreed to.
 */
async function runHook(
  { context: { scripts, pinnedFolders } }: SessionParts,
  skill: ActiveSkill,
  command: string,
  signal?: AbortSignal,
): Promise<HookOutcome> {
  if (scripts?.hooks !== true) return { failure: 'was not run: `openRepertoire` has no option `scripts.hooks` here.' }
  if (!isRunnerAgreed(scripts, skill)) {
    const failure = 'was not run: what would run it here is not what was agreed to when the skill was activated.'
    return { failure }
  }
  try {
    // Hooks are run around the life of a private copy, by the folder.
    const inFolder = { ...skill, mount: undefined }
    await untilAborted(pinnedFolders.verify(inFolder), signal)
    const files = await pinnedFolders.readFiles(inFolder, signal)
    const hook = await readHook(command, files)
    const { runner, network } = scripts
    const limits = { ...scripts.limits, timeout: Math.min(scripts.limits.timeout, HOOK_TIMEOUT_MS) }
    const environment = await scripts.environment(skill, signal)
    const outcome = await runScript({ runner, ...hook, files, environment, network, limits, signal })
    signal?.throwIfAborted()
    if (!outcome.ok) throw new Error(hostReason(outcome))
    const { interpreter, result } = outcome
    const ended = { run: endedRun(auditedRun(scripts, interpreter), result), durationMs: result.durationMs }
    if (hasSucceeded(result)) return ended
    const { stdout, stderr } = toScriptOutput({ skill: skill.name, interpreter, result })
    const output = [stdout, stderr, ...endSentence(result, limits)].filter((text) => text !== '').join('\n')
    return { ...ended, failure: `failed: ${shownOutput(output)}` }
  } catch (error) {
    signal?.throwIfAborted()
    return { failure: `could not be run: ${shownOutput(failureText(error))}`, cause: error }
  }
}

/** @throws {Error} it is not what such a hook may be */
async function readHook(
  command: string,
  files: readonly ScriptFile[],
): Promise<Pick<ScriptRun, 'script' | 'args' | 'interpreter'>> {
  const isFile = (path: string): boolean => files.some((file) => file.path === path)
  const script = pathOf(command.trim())
  if (isFile(script)) return { script, args: [] }
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

/** Characters at the end of a hook's output that are shown: errors come last. */
const MAX_OUTPUT_CHARS = 2_000

/** The end of what a program wrote, without codes for terminals and without invisible characters. */
function shownOutput(output: string): string {
  // Cut first: a program may write a lot.
  const end = output.slice(-4 * MAX_OUTPUT_CHARS)
  const text = enclosed(withoutTerminalCodes(end)).trim()
  return text.length > MAX_OUTPUT_CHARS || end.length < output.length ? `…${text.slice(-MAX_OUTPUT_CHARS)}` : text
}
