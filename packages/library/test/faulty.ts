import { writingSystem } from '../src/durable/system.ts'
import type { WritingSystem } from '../src/durable/system.ts'

/** Writes as they are, without waiting for the disk: nobody cuts the power here. The calls are counted all the same. */
export const quick: WritingSystem = { ...writingSystem, sync: () => {}, syncFolder: () => {} }

/** What happens at one call of the file system. `killed`: it, and everything behind it, does not happen. */
export type Fault = 'killed' | 'killed in the middle' | 'ENOSPC' | 'EIO'

/** A file system that has a fault at its n-th call, counted from 1. */
export function faulty(at: number, fault: Fault): { readonly system: WritingSystem; readonly calls: () => number } {
  let calls = 0
  let isDead = false
  const entries = Object.entries(quick).map(([name, call]) => {
    const faultyCall = (...args: readonly unknown[]): unknown => {
      if (isDead) throw new Error('The process was killed.')
      if (++calls === at) {
        const isKilled = fault.startsWith('killed')
        if (isKilled) isDead = true
        const [descriptor, bytes] = args
        if (name === 'write' && (fault === 'killed in the middle' || fault === 'ENOSPC')) {
          const part = bytes as Uint8Array
          writingSystem.write(descriptor as number, part.subarray(0, Math.ceil(part.length / 2)))
        } else if (fault === 'killed in the middle') {
          ;(call as (...args: readonly unknown[]) => unknown)(...args)
        }
        throw isKilled ? new Error('The process was killed.') : Object.assign(new Error(fault), { code: fault })
      }
      return (call as (...args: readonly unknown[]) => unknown)(...args)
    }
    return [name, faultyCall]
  })
  return { system: Object.fromEntries(entries) as WritingSystem, calls: () => calls }
}

/** Every fault. */
export const FAULTS: readonly Fault[] = ['killed', 'killed in the middle', 'ENOSPC', 'EIO']
