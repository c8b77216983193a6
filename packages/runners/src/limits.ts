import { readFileSync } from 'node:fs'
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
  return maxMemoryBytes === undefined ? [] : [`--data=${maxMemoryBytes}`, ...stackBound()]
}

const USUAL_STACK_BYTES = 8 * 1024 * 1024

/** The stack is counted apart. What this process may use is all that a script may ask for. */
function stackBound(): readonly string[] {
  let limits: string
  try {
    limits = readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return []
  }
  const [, soft] = /^Max stack size +(\d+|unlimited)/m.exec(limits) ?? []
  const bytes = soft === 'unlimited' ? USUAL_STACK_BYTES : soft
  return bytes === undefined ? [] : [`--stack=${bytes}:${bytes}`]
}
