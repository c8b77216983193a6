import { notListedNote } from '../../disclosure/listing.ts'
import type { ListEntry } from '../../disclosure/listing.ts'
import { skillSections } from '../../disclosure/sections.ts'
import type { SkillSection } from '../../disclosure/sections.ts'
import type { Style } from './style.ts'

export const matchedStyle: Style = {
  place: 'after-guidance',
  details: ['enumeration', 'locations'],
  text: (entries, unlisted) => matchedText([], entries, unlisted),
  entry: matchedEntry,
  selective: true,
}

/** The sections of active skills, then of the relevant ones, with `unlisted` skills that have none. */
export function matchedText(active: readonly SkillSection[], relevant: readonly ListEntry[], unlisted: number): string {
  const note = unlisted === 0 ? '' : notListedNote(relevant.length, unlisted)
  const sections = skillSections({ active, relevant })
  return [note, sections].filter((part) => part !== '').join('\n\n')
}

/** The section of one relevant skill. */
export function matchedEntry(entry: ListEntry): string {
  return skillSections({ active: [], relevant: [entry] })
}
