import { readdirSync, readFileSync } from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000

/**
 * The descriptors above `first` that a child would inherit: Node closes its own when it starts a program, but not those
 * that native code, or whoever started Node, left open. Only Linux tells.
 */
export function inheritedDescriptors(first: number): readonly number[] {
  let names: readonly string[]
  try {
    names = readdirSync('/proc/self/fdinfo')
  } catch {
    return []
  }
  return names.map(Number).filter((descriptor) => descriptor > first && isInherited(descriptor))
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch {
    // Closed since it was listed: the listing itself.
    return false
  }
}
