import type { ScriptLimits } from '@repertoire/core'

/**
 * The options of prlimit for the memory that a process may write to. Not its addresses: interpreters reserve many times
 * what they use. The stack is counted apart. Buffers of sockets and pipes have no limit, so the number of descriptors
 * is limited instead.
 */
export function memoryBounds({ maxMemoryBytes }: Pick<ScriptLimits, 'maxMemoryBytes'>): readonly string[] {
  if (maxMemoryBytes === undefined) return []
  return [`--data=${maxMemoryBytes}`, '--msgqueue=0', `--stack=${8 * 1024 * 1024}`, '--nofile=256']
}
