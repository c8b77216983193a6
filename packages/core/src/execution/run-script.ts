import { SCRIPT_ARGUMENT_LIMITS, showHidden, quote, showName } from '@repertoire/skill-md/internal'
import type { ScriptFile, ScriptLimits, ScriptResult, ScriptRunner } from '../ports/script-runner.ts'
import { hasCode, messageOf } from '../text/message.ts'
import { ABORTED, TIMED_OUT, waitFor } from '../time-limit.ts'
import { findDanger } from './dangerous.ts'
import { chooseInterpreter, type Interpreter, isShellName } from './interpreter.ts'
import { DEFAULT_SCRIPT_LIMITS } from './settings.ts'
import { readScriptResult } from './script-output.ts'

/** A script to run, and by what. */
export interface ScriptRun {
  readonly runner: ScriptRunner
  /** The script, a path in `files`. */
  readonly script: string
  /** What reads it. Absent: chosen by its first line, then by its ending. */
  readonly interpreter?: Interpreter | undefined
  /** The script's arguments. Default: none. */
  readonly args?: readonly string[] | undefined
  readonly files: readonly ScriptFile[]
  /** What the script reads from its standard input. Absent: nothing. */
  readonly stdin?: Uint8Array | undefined
  /** The script's environment variables. Default: none. */
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** Whether the script may use the network. Default: false. */
  readonly network?: boolean | undefined
  readonly limits?: ScriptLimits | undefined
  readonly signal?: AbortSignal | undefined
}

/** Why a script was not run, or has no result. */
export type ScriptFailureCode =
  /** The arguments cannot be passed to a program. */
  | 'INPUT_INVALID'
  /** It holds what is never run. */
  | 'SCRIPT_DANGEROUS'
  /** Nothing here runs it: its interpreter is missing, or it could not be started. */
  | 'SCRIPT_UNAVAILABLE'
  /** The runner failed. The script may have run. */
  | 'SCRIPT_FAILED'

type ScriptFailure = ReturnType<typeof failed<ScriptFailureCode>>

/** What became of a script: what it did, whether it succeeded or not, or why there is no result. */
export type ScriptOutcome =
  | { readonly ok: true; readonly interpreter: string; readonly result: ScriptResult }
  | ScriptFailure

/** How long a runner may take beyond the script's own limit, and after the signal, to end what it started. */
const GRACE_MS = 5_000

const MAX_REASON_CHARS = 1_000

/** Characters of the name that a runner gives itself. */
const MAX_NAME_CHARS = 80

/**
 * Runs a script: checks its text and its arguments, chooses what reads it, and waits for the runner, but not longer
 * than the script's limit and a grace. Whatever the runner does, there is an outcome, and nothing is thrown.
 */
export async function runScript(run: ScriptRun): Promise<ScriptOutcome> {
  const checked = await checkScript(run)
  return 'ok' in checked ? checked : startScript(run, checked)
}

export async function startScript(run: ScriptRun, { name, args }: Interpreter): Promise<ScriptOutcome> {
  const { runner, script, args: scriptArgs = [], files, stdin, network = false, signal } = run
  const { limits = DEFAULT_SCRIPT_LIMITS } = run
  if (signal?.aborted === true) return { ok: true, interpreter: name, result: ABORTED_RESULT }
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const running = Promise.resolve(
      runner.run({
        interpreter: name,
        interpreterArgs: args,
        script,
        args: scriptArgs,
        files,
        stdin,
        environment: { ...run.environment },
        network,
        limits,
        signal: controller.signal,
      }),
    )
    let result: unknown = await waitFor(running, limits.timeout + GRACE_MS, signal)
    if (result === ABORTED) result = await waitFor(running, GRACE_MS)
    if (result === TIMED_OUT) {
      controller.abort(new DOMException('The script was not ended in time.', 'TimeoutError'))
      return failed('SCRIPT_FAILED', `${runnerName(runner)} did not end ${quote(script)} in time. ${MAY_HAVE_RUN}`)
    }
    const read = readScriptResult(result, limits)
    if (read !== undefined) return { ok: true, interpreter: name, result: read }
    return failed('SCRIPT_FAILED', `${runnerName(runner)} did not say how ${quote(script)} ended. ${MAY_HAVE_RUN}`)
  } catch (error) {
    const detail = reasonOf(error)
    if (hasCode(error, 'SCRIPT_NOT_STARTED')) {
      return failed('SCRIPT_UNAVAILABLE', `${quote(script)} could not be started. ${WITHOUT_IT}`, detail)
    }
    return failed('SCRIPT_FAILED', `${runnerName(runner)} failed. ${MAY_HAVE_RUN}`, detail)
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

const WITHOUT_IT = 'Go on without it.'

/**
 * @param reason one or more sentences, for the model
 * @param detail what the host reads beside it: what failed, and what to do. Absent: the reason says all
 */
export function failed<Code extends string>(code: Code, reason: string, detail?: string) {
  return { ok: false, code, reason, detail } as const
}

/** Says what reads a script, or why it is not run. Nothing runs. */
export async function checkScript({
  runner,
  script,
  files,
  args = [],
  interpreter: given,
}: Pick<ScriptRun, 'runner' | 'script' | 'files' | 'args' | 'interpreter'>): Promise<Interpreter | ScriptFailure> {
  const file = files.find(({ path }) => path === script)
  if (file === undefined) return failed('SCRIPT_UNAVAILABLE', `There is no file ${quote(script)} to run. ${WITHOUT_IT}`)
  const wrong = argumentsProblem(args)
  if (wrong !== undefined) return failed('INPUT_INVALID', wrong)
  const interpreter = given ?? chooseInterpreter(script, file.bytes)
  const text = new TextDecoder().decode(file.bytes)
  const danger = await findDanger(text, 'problem' in interpreter ? undefined : interpreter.name)
  if (danger !== undefined) {
    const { line, pattern } = danger
    return failed(
      'SCRIPT_DANGEROUS',
      `${quote(script)} is not run: line ${line} holds a dangerous pattern (${pattern}). ${WITHOUT_IT}`,
    )
  }
  const unavailable = (why: string, detail: string): ScriptFailure =>
    failed('SCRIPT_UNAVAILABLE', `${quote(script)} cannot be run here${why}. ${WITHOUT_IT}`, detail)
  if ('problem' in interpreter) return unavailable('', interpreter.problem)
  const { name } = interpreter
  if (isShellName(name) && /^[^\n]*\r\n/.test(text)) {
    const detail = `Its lines end with CRLF, and ${name} reads the CR as a part of each command. Save it with LF.`
    return unavailable('', detail)
  }
  const support = supportOf(runner, interpreter)
  if (support === true) return interpreter
  return unavailable(`: it needs ${quote(name)}`, support)
}

/** Whether a runner has an interpreter, or why not, as a sentence. Never throws. */
function supportOf(runner: ScriptRunner, { name, args }: Interpreter): true | string {
  try {
    const answer: unknown = runner.supports(name, args)
    if (answer === true) return true
    if (typeof answer === 'string' && answer !== '') return shortened(answer)
    return `${runnerName(runner)} does not have it.`
  } catch (error) {
    return `${runnerName(runner)} could not say whether it has it: ${reasonOf(error)}`
  }
}

const MAY_HAVE_RUN = 'It may have run, in whole or in part: look at what it was to change before you run it again.'

const ABORTED_RESULT: ScriptResult = Object.freeze({
  end: 'aborted',
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  dropped: { stdout: 0, stderr: 0 },
  durationMs: 0,
})

function runnerName({ name }: ScriptRunner): string {
  return `The runner ${showName(name.slice(0, MAX_NAME_CHARS))}`
}

/** A foreign error's message as the end of a sentence. */
function reasonOf(error: unknown): string {
  return shortened(messageOf(error).trim()).replace(/(?<![.!?…])$/, '.')
}

function shortened(text: string): string {
  const shown = showHidden(text)
  return shown.length > MAX_REASON_CHARS ? `${shown.slice(0, MAX_REASON_CHARS)}…` : shown
}

const { count: MAX_ARGUMENTS, oneBytes: MAX_ARGUMENT_BYTES, allBytes: MAX_TOTAL_BYTES } = SCRIPT_ARGUMENT_LIMITS

const encoder = new TextEncoder()

/** Returns what keeps arguments from being passed to a program, as a sentence; undefined if nothing does. */
function argumentsProblem(args: readonly unknown[]): string | undefined {
  if (args.length > MAX_ARGUMENTS) return `There are ${args.length} arguments; a script takes at most ${MAX_ARGUMENTS}.`
  let total = 0
  for (const [index, arg] of args.entries()) {
    const which = `Argument ${index + 1}`
    if (typeof arg !== 'string') return `${which} is not a string. Give a list of strings.`
    if (!arg.isWellFormed() || arg.includes('\0'))
      return `${which} (${quote(arg)}) holds NUL or half of a character, which no program can be given.`
    const bytes = encoder.encode(arg).length
    if (bytes > MAX_ARGUMENT_BYTES) {
      return `${which} is longer than ${MAX_ARGUMENT_BYTES} bytes. Write it to a file, and pass the file's path.`
    }
    total += bytes
  }
  return total > MAX_TOTAL_BYTES
    ? `The arguments are longer than ${MAX_TOTAL_BYTES} bytes together. Write them to a file, and pass the file's path.`
    : undefined
}
