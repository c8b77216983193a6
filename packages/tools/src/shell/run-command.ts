import { type ScriptFile, type ScriptJob, type ScriptResult, type ScriptRunner, showInvisible } from '@repertoire/core'
import type { CommandResult } from '../command/execute-tool.ts'
import { startDeadline } from '../deadline.ts'
import { ToolFailure } from '../result.ts'

/** Who reads commands. */
export const SHELL = 'bash'

/** How long a runner is waited for beyond the limit of a command. */
const RUNNER_GRACE_MS = 5_000

const SCRIPT = 'run.sh'
const COMMAND = 'command.sh'

/** Goes to the folder with the user's files, and reads the command there: the shell's errors show only its lines. */
const START = `cd -- "\${WORKSPACE_DIR:?this runner shows no workspace}" || exit 126
. "$SKILL_DIR/${COMMAND}"
`

/**
 * Runs a command to its end.
 * @throws {ToolFailure} TIMED_OUT, FAILED
 * @throws the signal's reason
 */
export async function runCommand(
  runner: ScriptRunner,
  command: string,
  settings: Pick<ScriptJob, 'network' | 'limits' | 'environment'>,
  signal: AbortSignal | undefined,
): Promise<CommandResult> {
  const timeoutMs = settings.limits.timeout
  const deadline = startDeadline(timeoutMs + RUNNER_GRACE_MS, signal)
  const files = [file(SCRIPT, START), file(COMMAND, command)]
  const job = { interpreter: SHELL, interpreterArgs: [], script: SCRIPT, args: [], files, ...settings }
  let result: ScriptResult | undefined
  try {
    result = await deadline.within(runner.run({ ...job, signal: deadline.signal }))
  } catch (error) {
    signal?.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    throw new ToolFailure('FAILED', `The command was not run: ${showInvisible(reason)}`, { cause: error })
  } finally {
    deadline.stop()
  }
  signal?.throwIfAborted()
  if (result === undefined) {
    throw new ToolFailure(
      'FAILED',
      `The runner "${runner.name}" did not return by the limit and ${RUNNER_GRACE_MS} ms. The command may have run, and may still run.`,
    )
  }
  return shownResult(result, timeoutMs)
}

/** @throws {ToolFailure} TIMED_OUT, FAILED */
function shownResult(
  { end, exitCode, signalName, dropped, ...output }: ScriptResult,
  timeoutMs: number,
): CommandResult {
  const result: CommandResult = {
    exitCode,
    signalName,
    stdout: asText(output.stdout, dropped.stdout > 0),
    stderr: asText(output.stderr, dropped.stderr > 0),
    truncated: dropped.stdout > 0 || dropped.stderr > 0,
  }
  if (end === 'timed-out')
    throw new ToolFailure('TIMED_OUT', `The command ran for ${timeoutMs} ms, and was ended.`, { result })
  if (end === 'aborted')
    throw new ToolFailure('FAILED', 'The command was ended, since its runner was closed.', { result })
  return result
}

function file(path: string, text: string): ScriptFile {
  return { path, bytes: new TextEncoder().encode(text), executable: false }
}

/** A character that the limit has cut in two is left out. */
function asText(bytes: Uint8Array, isCut: boolean): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: isCut })
}
