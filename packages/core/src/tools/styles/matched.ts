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
  separator: '\n\n',
  selective: true,
}

/**
 * The sections of active skills, then of the relevant ones, with `unlisted` skills that have none.
 * @param contents the instructions of relevant ones, by name, where their sections are to have them
 */
export function matchedText(
  active: readonly SkillSection[],
  relevant: readonly ListEntry[],
  unlisted: number,
  contents?: ReadonlyMap<string, string | undefined>,
): string {
  const note = unlisted === 0 ? '' : notListedNote(relevant.length, unlisted)
  const sections = skillSections({
    active,
    relevant: relevant.map((entry) => {
      const content = contents?.get(entry.name)
      return content === undefined ? entry : { ...entry, content }
    }),
  })
  return [note, sections].filter((part) => part !== '').join('\n\n')
}

/** Returns the section of each skill that is not active, as it stands in the text of the list. */
export function relevantSections(
  relevant: readonly ListEntry[],
  contents?: ReadonlyMap<string, string | undefined>,
): readonly { readonly name: string; readonly text: string }[] {
  return relevant.map((entry) => ({ name: entry.name, text: matchedText([], [entry], 0, contents) }))
}

/** The section of one relevant skill. */
export function matchedEntry(entry: ListEntry): string {
  return skillSections({ active: [], relevant: [entry] })
}
