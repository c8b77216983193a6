import { readFileSync } from 'node:fs'
import type { ScriptLimits } from '@repertoire/core'

/** What the port says that limits are by default. */
export const DEFAULT_LIMITS: ScriptLimits = {
  timeout: 60_000,
  maxOutputBytes: 1_000_000,
  maxProcesses: 64,
  maxFileBytes: 64 * 1024 * 1024,
}

/**
 * The options of prlimit for the memory that a process may write to. Not its addresses: interpreters reserve many times
 * what they use. Buffers of sockets and pipes have no limit, so the number of descriptors is limited instead.
 */
export function memoryBounds({ maxMemoryBytes }: Pick<ScriptLimits, 'maxMemoryBytes'>): readonly string[] {
  if (maxMemoryBytes === undefined) return []
  return [`--data=${maxMemoryBytes}`, '--msgqueue=0', ...stackBound(), ...descriptorBound()]
}

const USUAL_STACK_BYTES = 8 * 1024 * 1024
const MAX_DESCRIPTORS = 256

/** The stack is counted apart. What this process may use is all that a script may ask for. */
function stackBound(): readonly string[] {
  const soft = ownLimit('Max stack size')?.soft
  const bytes = soft === 'unlimited' ? USUAL_STACK_BYTES : soft
  return bytes === undefined ? [] : [`--stack=${bytes}:${bytes}`]
}

/** A lower limit of this process cannot be raised, and stays. */
function descriptorBound(): readonly string[] {
  const hard = ownLimit('Max open files')?.hard
  return [
    `--nofile=${hard === undefined || hard === 'unlimited' ? MAX_DESCRIPTORS : Math.min(Number(hard), MAX_DESCRIPTORS)}`,
  ]
}

function ownLimit(name: string): { readonly soft?: string; readonly hard?: string } | undefined {
  let limits: string
  try {
    limits = readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return undefined
  }
  return new RegExp(`^${name} +(?<soft>\\d+|unlimited) +(?<hard>\\d+|unlimited)`, 'm').exec(limits)?.groups
}
