import { isSkillError, type ScriptJob, type ScriptResult, type ScriptRunner, showInvisible } from '@repertoire/core'
import type { CommandResult } from '../command/execute-tool.ts'
import { ToolFailure } from '../result.ts'

/** How long a runner is waited for beyond the limit of a command. */
const RUNNER_GRACE_MS = 5_000

/**
 * Runs a command to its end.
 * @throws {ToolFailure} TIMED_OUT, FAILED
 * @throws the reason of the job's signal
 */
export async function runCommand(runner: ScriptRunner, job: ScriptJob): Promise<CommandResult> {
  const { timeout: timeoutMs } = job.limits
  const result = await finished(runner, job)
  job.signal.throwIfAborted()
  const { end, exitCode, signalName, dropped } = result
  const shown: CommandResult = {
    exitCode,
    signalName,
    stdout: asText(result.stdout, dropped.stdout > 0),
    stderr: asText(result.stderr, dropped.stderr > 0),
    truncated: dropped.stdout > 0 || dropped.stderr > 0,
  }
  if (end === 'timed-out')
    throw new ToolFailure('TIMED_OUT', `The command ran for ${timeoutMs} ms, and was ended.`, { result: shown })
  if (end === 'aborted')
    throw new ToolFailure('FAILED', 'The command was ended, since its runner was closed.', { result: shown })
  return shown
}

async function finished(runner: ScriptRunner, job: ScriptJob): Promise<ScriptResult> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), job.limits.timeout + RUNNER_GRACE_MS)
  const abort = (): void => late.resolve(undefined)
  // A runner resolves at the signal, with nothing left; one that does not is not waited for.
  const afterAbort = (): unknown => setTimeout(abort, RUNNER_GRACE_MS).unref()
  job.signal.addEventListener('abort', afterAbort, { once: true })
  try {
    const result = await Promise.race([runner.run(job), late.promise])
    job.signal.throwIfAborted()
    if (result !== undefined) return result
  } catch (error) {
    job.signal.throwIfAborted()
    const reason = isSkillError(error) || error instanceof Error ? error.message : String(error)
    throw new ToolFailure('FAILED', `The command was not run: ${showInvisible(reason)}`, { cause: error })
  } finally {
    clearTimeout(timer)
    job.signal.removeEventListener('abort', afterAbort)
  }
  throw new ToolFailure(
    'FAILED',
    `The runner "${runner.name}" did not return by the limit and ${RUNNER_GRACE_MS} ms. The command may have run, and may still run.`,
  )
}

/** A character that the limit has cut in two is left out. */
function asText(bytes: Uint8Array, isCut: boolean): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: isCut })
}
