import type { ScriptLimits } from '../ports/script-runner.ts'

const MIB = 1024 * 1024

/** What a script may use unless the host says otherwise. */
export const DEFAULT_SCRIPT_LIMITS: ScriptLimits = Object.freeze({
  timeoutMs: 60_000,
  maxOutputBytes: 1_000_000,
  maxProcesses: 64,
  maxFileBytes: 64 * MIB,
})

/** Returns checked limits with the defaults for what is left out. */
export function resolveScriptLimits(given: Partial<ScriptLimits> = {}): ScriptLimits {
  const { timeoutMs, maxOutputBytes, maxProcesses, maxFileBytes } = DEFAULT_SCRIPT_LIMITS
  return {
    timeoutMs: given.timeoutMs ?? timeoutMs,
    maxOutputBytes: given.maxOutputBytes ?? maxOutputBytes,
    maxProcesses: given.maxProcesses ?? maxProcesses,
    maxFileBytes: given.maxFileBytes ?? maxFileBytes,
    ...(given.maxMemoryBytes !== undefined && { maxMemoryBytes: given.maxMemoryBytes }),
  }
}
