import type { ScriptLimits } from '@repertoire/core'

/** What the port says that limits are by default. */
export const DEFAULT_LIMITS: ScriptLimits = {
  timeoutMs: 60_000,
  maxOutputBytes: 1_000_000,
  maxProcesses: 64,
  maxFileBytes: 64 * 1024 * 1024,
}

/**
 * The options of prlimit for the memory that a process may write to. Not its addresses: interpreters reserve many times
 * what they use.
 */
export function memoryBounds({ maxMemoryBytes }: Pick<ScriptLimits, 'maxMemoryBytes'>): readonly string[] {
  return maxMemoryBytes === undefined ? [] : [`--data=${maxMemoryBytes}`]
}
