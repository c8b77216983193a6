import { isSkillError, type Diagnostic } from '@repertoire/core'
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
  /** Names that their origins do not have any more. */
  readonly gone: ReadonlySet<string>
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

/** Fetches skills of a lock, those of one origin together, and nothing else of it. */
export async function fetchLocked(
  wanted: readonly Wanted[],
  { relocate, exact, unchanged = new Set(), ...options }: FetchLockedOptions,
): Promise<FetchedLocked> {
  const contents = new Map<string, FetchedContent>()
  const gone = new Set<string>()
  const diagnostics: Diagnostic[] = []
  /** @throws {SkillError} what an origin refuses */
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
  for (const group of groups(wanted, exact)) {
    try {
      await take(group)
    } catch (error) {
      if (!isAboutOne(error)) throw error
      // One of them is not there any more, or is there twice. Which one, each alone says.
      for (const each of group) {
        if (group.length > 1) await take([each]).catch((failure: unknown) => noteMissing(failure, each.name, gone))
        else noteMissing(error, each.name, gone)
      }
    }
  }
  return { contents, gone, diagnostics }
}

/** The options of a fetch alone. */
export function fetchOptions({ skills, signal, onProgress }: FetchOptions): FetchOptions {
  return {
    skills,
    signal,
    onProgress,
  }
}

/** @throws {SkillError} it is another failure */
function noteMissing(error: unknown, name: string, gone: Set<string>): void {
  if (!isSkillError(error) || error.code !== 'SKILL_NOT_FOUND') throw error
  gone.add(name)
}

function isAboutOne(error: unknown): boolean {
  return isSkillError(error) && (error.code === 'SKILL_NOT_FOUND' || error.code === 'ORIGIN_REFUSED')
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
