import { number, tableOf, withDefault } from '../options/kinds.ts'
import type { OptionKind } from '../options/table.ts'
import { MAX_TIMER_MS } from '../ports/limits.ts'
import type { ScriptLimits } from '../ports/script-runner.ts'

/** What a script may use unless the host says otherwise. */
export const DEFAULT_SCRIPT_LIMITS: ScriptLimits = Object.freeze({
  timeoutMs: 60_000,
  maxOutputBytes: 1_000_000,
  maxProcesses: 64,
  maxFileBytes: 64 * 1024 * 1024,
})

const limit = (what: string, to: number): OptionKind => number(what, { from: 1, to, isWhole: true })

/** What each script may use. */
export const scriptLimitsKind: OptionKind = tableOf<Partial<ScriptLimits>>({
  timeoutMs: withDefault(DEFAULT_SCRIPT_LIMITS.timeoutMs, limit('milliseconds', MAX_TIMER_MS)),
  maxOutputBytes: withDefault(DEFAULT_SCRIPT_LIMITS.maxOutputBytes, limit('bytes', 2 ** 30)),
  maxProcesses: withDefault(DEFAULT_SCRIPT_LIMITS.maxProcesses, limit('processes', 2 ** 22)),
  maxFileBytes: withDefault(DEFAULT_SCRIPT_LIMITS.maxFileBytes, limit('bytes', Number.MAX_SAFE_INTEGER)),
  maxMemoryBytes: limit('bytes', Number.MAX_SAFE_INTEGER),
})

/** Returns limits with the defaults for what is left out. */
export function resolveScriptLimits(given: Partial<ScriptLimits> = {}): ScriptLimits {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...DEFAULT_SCRIPT_LIMITS, ...Object.fromEntries(named) }
}
