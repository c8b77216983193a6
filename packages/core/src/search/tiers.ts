import { firstField } from './counts.ts'
import { FIELDS } from './fields.ts'
import type { Query } from './rank.ts'
import type { Postings } from './index-parts.ts'
import type { TextIndex } from './text-index.ts'
import { createWordReader } from './words.ts'

/** How surely a skill is meant, whatever else its texts say: the higher ones come first. */
export const TIERS = { sameName: 5, exactName: 4, wordOfName: 3, partOfName: 2, description: 1, other: 0 } as const

/** A shorter text is a part of too many names. */
const MIN_PART_CHARS = 3

/** Returns a name as people write it and as skills are called: `Git Commit`, `git_commit` and `git-commit` are one. */
export function foldedName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
}

/**
 * Returns the names that a query may be: a phrase that is a name finds the skill of that name first, however often other
 * texts hold its words. A name amidst other words is not taken for one.
 */
export function namesOfQuery({ phrases }: Query): ReadonlySet<string> {
  return new Set(phrases.map(foldedName))
}

/** Returns the one word that a query consists of; undefined where it has none, or more. */
export function onlyWord({ words, phrases }: Query): Query['words'][number] | undefined {
  return phrases.length === 1 && words.length === 1 ? words[0] : undefined
}

/**
 * Returns the tiers of the skills that have the only word of a query, each by its number: its name comes before its
 * description, and that before its body, which gives none.
 * @param names the name of each skill, as `foldedName` returns it
 */
export function tiersOfWord(
  index: TextIndex,
  { word, term }: Query['words'][number],
  names: readonly string[],
): ReadonlyMap<number, number> {
  const tiers = new Map<number, number>()
  const { documents, counts } = (term === undefined ? undefined : index.postings(term)) ?? NO_POSTINGS
  for (let at = 0; at < documents.length; at++) {
    const field = FIELDS[firstField(counts[at]!)]!.field
    if (field !== 'body') tiers.set(documents[at]!, field === 'name' ? TIERS.wordOfName : TIERS.description)
  }
  // A part of a word is not in the index, nor is a word that says nothing.
  const reader = createWordReader()
  for (let document = 0; document < names.length; document++) {
    const name = names[document]!
    if (tiers.get(document) === TIERS.wordOfName || !name.includes(word)) continue
    if (term === undefined && reader.words(name).some((each) => each.word === word)) {
      tiers.set(document, TIERS.wordOfName)
    } else if (word.length >= MIN_PART_CHARS) tiers.set(document, TIERS.partOfName)
  }
  return tiers
}

const NO_POSTINGS: Postings = { documents: new Uint16Array(), counts: new Uint16Array() }
