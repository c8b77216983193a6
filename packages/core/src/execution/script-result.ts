import type { ScriptEnd, ScriptLimits, ScriptResult } from '../ports/script-runner.ts'

/** A runner may be foreign code: any other text would be shown to the model as it is. */
const SIGNAL = /^SIG[A-Z0-9+-]{1,16}$/

const ENDS: readonly ScriptEnd[] = ['exited', 'signalled', 'timed-out', 'aborted']

/**
 * Reads a foreign value as the result of a script, and cuts what a runner has left beyond the limit.
 * @returns undefined where it is not a result
 */
export function readScriptResult(value: unknown, limits: ScriptLimits): ScriptResult | undefined {
  const { end, exitCode, signalName, stdout, stderr, dropped, durationMs } = record(value)
  if (!ENDS.includes(end as ScriptEnd) || !(stdout instanceof Uint8Array) || !(stderr instanceof Uint8Array)) {
    return undefined
  }
  if (end === 'exited' && !Number.isInteger(exitCode)) return undefined
  const lost = record(dropped)
  // Errors are short and come last: what is written to them is cut only where it alone is too much.
  const keptErrors = Math.min(stderr.length, limits.maxOutputBytes)
  const keptOutput = Math.min(stdout.length, limits.maxOutputBytes - keptErrors)
  return {
    end: end as ScriptEnd,
    ...(end === 'exited' && { exitCode: exitCode as number }),
    ...(end === 'signalled' && typeof signalName === 'string' && SIGNAL.test(signalName) && { signalName }),
    stdout: stdout.subarray(0, keptOutput),
    stderr: stderr.subarray(0, keptErrors),
    dropped: {
      stdout: count(lost['stdout']) + stdout.length - keptOutput,
      stderr: count(lost['stderr']) + stderr.length - keptErrors,
    },
    durationMs: count(durationMs),
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}
