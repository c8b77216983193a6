import { MAX_TIMER_MS } from '../ports/limits.ts'
import type { ScriptLimits } from '../ports/script-runner.ts'
import { quote } from '../text/quote.ts'

const MIB = 1024 * 1024

/** What a script may use unless the host says otherwise. */
export const DEFAULT_SCRIPT_LIMITS: ScriptLimits = Object.freeze({
  timeoutMs: 60_000,
  maxOutputBytes: 1_000_000,
  maxProcesses: 64,
  maxFileBytes: 64 * MIB,
})

/** The largest value of each limit: what a timer and a buffer can hold. */
const MAX_LIMITS: Required<ScriptLimits> = {
  timeoutMs: MAX_TIMER_MS,
  maxOutputBytes: 1024 * MIB,
  maxProcesses: 2 ** 22,
  maxFileBytes: Number.MAX_SAFE_INTEGER,
  maxMemoryBytes: Number.MAX_SAFE_INTEGER,
}

/**
 * Returns limits with the defaults for what is left out.
 * @throws {TypeError} a limit that is not a whole number of 1 or more, or too large, or not known
 */
export function resolveScriptLimits(given: Partial<ScriptLimits> = {}): ScriptLimits {
  for (const [name, value] of Object.entries(given) as [keyof ScriptLimits, unknown][]) {
    const max: number | undefined = Object.hasOwn(MAX_LIMITS, name) ? MAX_LIMITS[name] : undefined
    if (max === undefined) {
      throw new TypeError(`There is no limit \`${name}\` of scripts. Give ${Object.keys(MAX_LIMITS).join(', ')}.`)
    }
    if (value === undefined) continue
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > max) {
      throw new TypeError(
        `The limit \`${name}\` of scripts is ${quote(JSON.stringify(value) ?? typeof value)}. Give a whole number from 1 to ${max}.`,
      )
    }
  }
  const { timeoutMs, maxOutputBytes, maxProcesses, maxFileBytes } = DEFAULT_SCRIPT_LIMITS
  return {
    timeoutMs: given.timeoutMs ?? timeoutMs,
    maxOutputBytes: given.maxOutputBytes ?? maxOutputBytes,
    maxProcesses: given.maxProcesses ?? maxProcesses,
    maxFileBytes: given.maxFileBytes ?? maxFileBytes,
    ...(given.maxMemoryBytes !== undefined && { maxMemoryBytes: given.maxMemoryBytes }),
  }
}
