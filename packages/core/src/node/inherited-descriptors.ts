import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000

/** What a child process gets in place of the descriptors of this process. */
export interface ReplacedDescriptors {
  /** For `stdio` of the child, after the descriptor `last`. */
  readonly stdio: readonly (3 | 'ignore')[]
  /** Closes what was opened for it. Call this after the child has started. */
  close(): void
}

/**
 * Puts `/dev/null` in the place of each descriptor above `last` that a child process would inherit. Node closes its own
 * when it starts a program, but not those that native code, or whoever started Node, left open. Only Linux lists them:
 * elsewhere nothing is replaced.
 */
export function replaceInherited(last: number): ReplacedDescriptors {
  const inherited = inheritedDescriptors(last)
  if (inherited.length === 0) return { stdio: [], close: () => undefined }
  const nothing = openSync('/dev/null', 'r+')
  const replaced = new Set(inherited)
  return {
    // Node and execa take any descriptor; execa's type has those up to 9.
    stdio: Array.from({ length: Math.max(...inherited) - last }, (_, index) =>
      replaced.has(last + 1 + index) ? (nothing as 3) : 'ignore',
    ),
    close: () => closeSync(nothing),
  }
}

function inheritedDescriptors(last: number): readonly number[] {
  let names: readonly string[]
  try {
    names = readdirSync('/proc/self/fdinfo')
  } catch {
    return []
  }
  return names.map(Number).filter((descriptor) => descriptor > last && isInherited(descriptor))
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
