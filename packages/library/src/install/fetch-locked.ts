import { isSkillError } from '@repertoire/core'
import type { Diagnostic } from '@repertoire/core'
import type { LockedSkill } from '../lock/skills-lock.ts'
import type { FetchOptions } from '../origins/origin.ts'
import { fetchOptions } from './add.ts'
import { readContent } from './content.ts'
import type { FetchedContent } from './content.ts'
import type { Relocate } from './relocate.ts'

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
  /** Names whose origin is at the very revision that the lock has. Nothing was fetched of them. */
  readonly current: ReadonlySet<string>
  readonly diagnostics: readonly Diagnostic[]
}

/** How skills are fetched. */
export interface FetchLockedOptions extends Omit<FetchOptions, 'skills'> {
  readonly relocate: Relocate
  /** Whether the revision of the lock is wanted, and not the newest. */
  readonly exact: boolean
  /** Of these nothing needs to be fetched as long as their origin has not moved. */
  readonly unchanged?: ReadonlySet<string>
}

/** Fetches skills of a lock, those of one origin together, and nothing else of it. */
export async function fetchLocked(
  wanted: readonly Wanted[],
  { relocate, exact, unchanged = new Set(), ...options }: FetchLockedOptions,
): Promise<FetchedLocked> {
  const contents = new Map<string, FetchedContent>()
  const [gone, current] = [new Set<string>(), new Set<string>()]
  const diagnostics: Diagnostic[] = []
  for (const group of groups(wanted, exact)) {
    options.signal?.throwIfAborted()
    const { entry } = group[0]!
    const origin = await relocate(entry, exact ? entry.repertoire?.revision : undefined)
    const { revision } = origin.resolved
    const due = group.filter((each) => {
      const isCurrent =
        revision !== undefined && each.entry.repertoire?.revision === revision && unchanged.has(each.name)
      if (isCurrent) current.add(each.name)
      return !isCurrent
    })
    const take = async (names: readonly string[]): Promise<void> => {
      const fetched = await origin.fetch(fetchOptions({ ...options, skills: names }))
      diagnostics.push(...fetched.diagnostics)
      for (const skill of fetched.skills) contents.set(skill.name, await readContent(skill, fetched.origin))
    }
    try {
      if (due.length > 0) await take(due.map(({ name }) => name))
    } catch (error) {
      if (!isMissing(error)) throw error
      // One of them is not there any more. Which one, each fetch alone says.
      for (const { name } of due) await take([name]).catch((each: unknown) => ignoreMissing(each, name, gone))
    }
  }
  return { contents, gone, current, diagnostics }
}

function ignoreMissing(error: unknown, name: string, gone: Set<string>): void {
  if (!isMissing(error)) throw error
  gone.add(name)
}

function isMissing(error: unknown): boolean {
  return isSkillError(error) && error.code === 'SKILL_NOT_FOUND'
}

function groups(wanted: readonly Wanted[], exact: boolean): readonly (readonly Wanted[])[] {
  const keyOf = ({ entry }: Wanted): string => {
    const { source, sourceType, sourceUrl, ref, repertoire } = entry
    return JSON.stringify([source, sourceType, sourceUrl, ref, exact ? repertoire?.revision : undefined])
  }
  return [...Map.groupBy(wanted, keyOf).values()]
}
