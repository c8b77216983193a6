import { isSkillError, type Diagnostic, type SkillError, type SkillErrorCode } from '@repertoire/core'
import { lockedName } from '../lock/folder-name.ts'
import type { LockedSkill } from '../lock/skills-lock.ts'
import type { FetchOptions, Origin } from '../origins/origin.ts'
import { readContent, type FetchedContent } from './content.ts'
import type { OriginOptions } from '../origins/options.ts'
import { resolveOrigin } from '../origins/resolve.ts'
import { originText } from '../origins/text.ts'

/** A skill of a lock whose files are wanted. */
export interface Wanted {
  readonly name: string
  readonly entry: LockedSkill
}

/** What came of fetching skills of a lock. */
export interface FetchedLocked {
  readonly contents: ReadonlyMap<string, FetchedContent>
  /** What the origins of the others say, by name. SKILL_NOT_FOUND: the origin does not have it any more. */
  readonly failures: ReadonlyMap<string, SkillError>
  readonly diagnostics: readonly Diagnostic[]
}

/** How skills are fetched. */
export interface FetchLockedOptions extends Omit<FetchOptions, 'skills'> {
  readonly relocate: Relocate
  /** Whether the revision of the lock is wanted, and not the newest. */
  readonly exact: boolean
  /** Of these nothing needs to be fetched as long as their origin has not moved. */
  readonly unchanged?: ReadonlySet<string> | undefined
}

/** Fetches skills of a lock, those of one origin together, and nothing else. An origin that fails ends no other. */
export async function fetchLocked(
  wanted: readonly Wanted[],
  { relocate, exact, unchanged = new Set(), ...options }: FetchLockedOptions,
): Promise<FetchedLocked> {
  const contents = new Map<string, FetchedContent>()
  const failures = new Map<string, SkillError>()
  const diagnostics: Diagnostic[] = []
  const take = async (group: readonly Wanted[]): Promise<void> => {
    options.signal?.throwIfAborted()
    const { skillPath, ...entry } = group[0]!.entry
    // One alone is found by its path, several of one origin by their names.
    const located = group.length === 1 && skillPath !== undefined ? { ...entry, skillPath } : entry
    const origin = await relocate(located, exact ? entry.repertoire?.revision : undefined)
    const isCurrent = ({ name, entry: { repertoire } }: Wanted): boolean =>
      repertoire?.revision !== undefined && repertoire.revision === origin.resolved.revision && unchanged.has(name)
    const names = group.filter((each) => !isCurrent(each)).map(({ name }) => name)
    if (names.length === 0) return
    const fetched = await origin.fetch(fetchOptions({ ...options, skills: names }))
    diagnostics.push(...fetched.diagnostics)
    for (const skill of fetched.skills) {
      const name = lockedName(names, skill.name) ?? skill.name
      contents.set(name, await readContent(skill, fetched.origin))
    }
  }
  const tryAll = async (group: readonly Wanted[]): Promise<void> => {
    try {
      await take(group)
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!isSkillError(error)) throw error
      // Which of them it is, each alone says.
      if (group.length > 1 && !WHOLE.has(error.code)) for (const each of group) await tryAll([each])
      else for (const { name } of group) failures.set(name, error)
    }
  }
  for (const group of groups(wanted, exact)) await tryAll(group)
  return { contents, failures, diagnostics }
}

/** Errors of a whole origin. */
const WHOLE: ReadonlySet<SkillErrorCode> = new Set(['ORIGIN_UNREACHABLE', 'ORIGIN_INVALID', 'TIMED_OUT'])

/** The options of a fetch alone. */
export function fetchOptions({ skills, signal, onProgress }: FetchOptions): FetchOptions {
  return { skills, signal, onProgress }
}

function groups(wanted: readonly Wanted[], exact: boolean): readonly (readonly Wanted[])[] {
  const keyOf = ({ entry }: Wanted): string => {
    const { source, sourceType, sourceUrl, ref, repertoire } = entry
    return JSON.stringify([source, sourceType, sourceUrl, ref, exact ? repertoire?.revision : undefined])
  }
  return [...Map.groupBy(wanted, keyOf).values()]
}

/**
 * Finds the origin of an entry again. Where several skills of one origin are wanted, the entry has no `skillPath`.
 * @param revision what the lock has; absent: the newest is wanted
 */
export type Relocate = (entry: LockedSkill, revision?: string) => Promise<Origin>

/** The origins that this package knows. */
export function relocateWith(project: string, given: OriginOptions = {}): Relocate {
  const options = { ...given, cwd: project }
  return async (entry, revision) =>
    resolveOrigin(originText(entry), { ...options, ...(revision !== undefined && { revision }) })
}
