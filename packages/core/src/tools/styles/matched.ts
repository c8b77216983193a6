import { notListedNote } from '../../disclosure/listing.ts'
import type { ListEntry } from '../../disclosure/listing.ts'
import { skillSections } from '../../disclosure/sections.ts'
import type { SkillSection } from '../../disclosure/sections.ts'
import type { Style } from './style.ts'

export const matchedStyle: Style = {
  place: 'after-guidance',
  text: (entries, unlisted) => matchedText([], entries, unlisted),
  selective: true,
}

/** The sections of active skills, then of the relevant ones, with `unlisted` skills that have none. */
export function matchedText(active: readonly SkillSection[], relevant: readonly ListEntry[], unlisted: number): string {
  const note = unlisted === 0 ? '' : notListedNote(relevant.length, unlisted)
  const sections = skillSections({ active, relevant: relevant.map(asSection) })
  return [note, sections].filter((part) => part !== '').join('\n\n')
}

// A name without a description had no room for one.
/** Returns the section of each skill that is not active, as it stands in the text of the list. */
export function relevantSections(
  relevant: readonly ListEntry[],
): readonly { readonly name: string; readonly text: string }[] {
  return relevant.map((entry) => ({
    name: entry.name,
    text: skillSections({ active: [], relevant: [asSection(entry)] }),
  }))
}

function asSection({ name, description, location }: ListEntry): SkillSection {
  return description === undefined ? { name } : { name, description, location }
}
