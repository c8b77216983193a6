import type { AuditedRun } from '../../audit/events.ts'
import { interpreterNamed, type Interpreter } from '../../execution/interpreter.ts'
import { runScript } from '../../execution/run-script.ts'
import { endSentence, hasSucceeded, toScriptOutput } from '../../execution/script-output.ts'
import type { HookStyle, ScriptSettings } from '../../execution/settings.ts'
import type { HookResult, HookRun } from '../../ports/hook.ts'
import { auditedRun, endedRun } from '../scripts/run-script.ts'
import { quote } from '@repertoire/skill-md/internal'
import { loadCommands } from '@repertoire/gate/internal'

/** What ran a hook, and how it ended. */
export interface HookReport {
  readonly run: AuditedRun
  readonly durationMs: number
}

/** The result of a hook that the host's runner ran. */
export interface ReportedHook extends HookResult {
  readonly report: HookReport
}

/** What a hook runs. */
interface HookScript {
  /** Relative to the skill's folder. */
  readonly path: string
  readonly args: readonly string[]
  /** Absent: chosen by the script. */
  readonly interpreter?: Interpreter
}

/**
 * Runs the hooks of skills with the host's runner: the same limits, the same isolation, the bytes that were agreed to.
 * @param timeoutMs for each, where that is less than what a script has
 */
export function createRunnerHooks(
  scripts: ScriptSettings,
  style: HookStyle,
  timeoutMs: number,
): (run: HookRun) => Promise<ReportedHook> {
  const { runner, environment, network } = scripts
  const limits = { ...scripts.limits, timeoutMs: Math.min(scripts.limits.timeoutMs, timeoutMs) }
  return async (run) => {
    const files = await run.files()
    const isFile = (path: string): boolean => files.some((file) => file.path === path)
    const hook = await readHook(run, style, isFile)
    const { path: script, args, interpreter } = hook
    const job = { runner, script, args, interpreter, files, environment, network, limits, signal: run.signal }
    const outcome = await runScript(job)
    if (!outcome.ok) throw new Error(outcome.reason)
    const { skill } = run
    const { interpreter: by, result } = outcome
    const { stdout, stderr } = toScriptOutput({ skill, interpreter: by, result })
    const output = [stdout, stderr, ...endSentence(result, limits)].filter((text) => text !== '').join('\n')
    const report = { run: endedRun(auditedRun(scripts, by), result), durationMs: result.durationMs }
    return { ok: hasSucceeded(result), output, report }
  }
}

/** @throws {Error} it is not what such a hook may be */
async function readHook(
  { command }: Pick<HookRun, 'command'>,
  style: HookStyle,
  isFile: (path: string) => boolean,
): Promise<HookScript> {
  const whole = pathOf(command.trim())
  if (isFile(whole)) return { path: whole, args: [] }
  if (style === 'scripts') throw new Error(`${quote(command)} is not a file of the skill.`)
  const { simpleCommand } = (await loadCommands()).readCommandLine(command)
  const refused = (why: string): Error =>
    new Error(`${quote(command)} ${why}. A hook is one script of the skill, or an interpreter and one, with arguments.`)
  if ('problem' in simpleCommand) throw refused(simpleCommand.problem)
  const [program = '', first = '', ...rest] = simpleCommand.words
  if (isFile(pathOf(program))) return { path: pathOf(program), args: simpleCommand.words.slice(1) }
  const name = interpreterNamed(program)
  if (name === undefined) throw refused(`begins with ${quote(program)}, which is neither`)
  if (!isFile(pathOf(first))) throw refused(`gives ${quote(program)} no script of the skill`)
  return { path: pathOf(first), args: rest, interpreter: { name, args: [] } }
}

function pathOf(written: string): string {
  return written.replace(/^(?:\.\/)+/, '')
}
