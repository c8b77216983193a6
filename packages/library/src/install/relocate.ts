import type { LockedSkill } from '../lock/skills-lock.ts'
import type { OriginOptions } from '../origins/options.ts'
import type { Origin } from '../origins/origin.ts'
import { resolveOrigin } from '../origins/resolve.ts'
import { originText } from '../origins/text.ts'

/**
 * Finds the origin of an entry again. Where several skills of one origin are wanted, the entry has no `skillPath`.
 * @param revision what the lock has; absent: the newest is wanted
 */
export type Relocate = (entry: LockedSkill, revision?: string) => Promise<Origin>

/** The origins that this package knows. */
export function relocateWith(project: string, options: OriginOptions = {}): Relocate {
  return (entry, revision) =>
    resolveOrigin(originText(entry), { ...options, cwd: project, ...(revision !== undefined && { revision }) })
}
