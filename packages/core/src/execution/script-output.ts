import type { ScriptEnd, ScriptResult } from '../ports/script-runner.ts'

/** What a script did, as a value for programs: whole, where the limits allow it, and unchanged. */
export interface ScriptOutput {
  readonly skill: string
  /** Relative to the skill's folder. Absent: the skill itself is the script. */
  readonly path?: string
  readonly interpreter: string
  readonly end: ScriptEnd
  /** With `exited`. */
  readonly exitCode?: number
  /** With `signalled`. */
  readonly signalName?: string
  /** As UTF-8; what is not is U+FFFD. */
  readonly stdout: string
  readonly stderr: string
  /** Whether a part of either was dropped at the limit. */
  readonly truncated: boolean
  readonly durationMs: number
}

/** Returns the result of a runner as a value for programs. */
export function toScriptOutput({
  skill,
  path,
  interpreter,
  result,
}: Pick<ScriptOutput, 'skill' | 'path' | 'interpreter'> & { readonly result: ScriptResult }): ScriptOutput {
  const { end, exitCode, signalName, stdout, stderr, dropped, durationMs } = result
  return {
    skill,
    ...(path !== undefined && { path }),
    interpreter,
    end,
    ...(exitCode !== undefined && { exitCode }),
    ...(signalName !== undefined && { signalName }),
    stdout: decode(stdout, dropped.stdout),
    stderr: decode(stderr, dropped.stderr),
    truncated: dropped.stdout > 0 || dropped.stderr > 0,
    durationMs,
  }
}

/** At the place where a stream was cut there may be a part of a character, which is left out. */
function decode(bytes: Uint8Array, dropped: number): string {
  return new TextDecoder().decode(bytes, { stream: dropped > 0 })
}
