import type { LockedSkill } from '../lock/skills-lock.ts'
import type { OriginOptions } from '../origins/options.ts'
import type { Origin } from '../origins/origin.ts'
import { resolveOrigin } from '../origins/resolve.ts'

/** Finds the origin of an entry again. @param revision what the lock has; absent: the newest is wanted */
export type Relocate = (entry: LockedSkill, revision?: string) => Promise<Origin>

/** The origins that this package knows. */
export function relocateWith(project: string, options: OriginOptions = {}): Relocate {
  return (entry, revision) =>
    resolveOrigin(textOf(entry), {
      ...options,
      cwd: project,
      ...(entry.ref !== undefined && { ref: entry.ref }),
      ...(revision !== undefined && { revision }),
    })
}

/** What an entry says about where it is from, as a person would write it. */
export function textOf({ source, sourceType, sourceUrl }: LockedSkill): string {
  if (sourceType === 'local') return /^(?:\.{1,2}(?:[/\\]|$)|[/\\]|[a-z]:)/i.test(source) ? source : `./${source}`
  if (sourceType === 'npm' || sourceType === 'node_modules') return `npm:${source}`
  return sourceUrl ?? source
}
