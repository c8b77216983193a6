import { FIELDS, firstField } from './fields.ts'
import type { Query } from './rank.ts'
import { NO_POSTINGS, type TextIndex } from './text-index.ts'
import { normalForm, unicodeExpression } from '@repertoire/skill-md/internal'
import { createWordReader } from './words.ts'

/** How surely a skill is meant, whatever else its texts say: the higher ones come first. */
export const TIERS = {
  sameName: 15,
  exactName: 14,
  nameInMessage: 4,
  wordOfName: 3,
  partOfName: 2,
  description: 1,
} as const

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
 * texts hold its words.
 */
export function namesOfQuery({ phrases }: Query): ReadonlySet<string> {
  return new Set(phrases.map(foldedName))
}

/** A skill whose name stands in a message. */
export interface NamedSkill {
  /** Its number. */
  readonly document: number
  /** The words of its name. */
  readonly words: readonly string[]
}

/**
 * Returns a function that finds the names that stand in a message as whole words, whatever stands between the words.
 * @param names the name of each skill, as `foldedName` returns it
 */
export function createNameFinder(names: readonly string[]): (message: string) => readonly NamedSkill[] {
  const byFirstWord = Map.groupBy(
    names.map((name, document) => ({ document, words: wholeWords(name) })),
    ({ words: [first] }) => first,
  )
  return (message) => {
    const found = new Set<NamedSkill>()
    const said = wholeWords(message)
    for (const [at, first] of said.entries()) {
      for (const start of new Set([first, first.replace(/s$/, '')])) {
        for (const named of byFirstWord.get(start) ?? [])
          if (named.words.every((word, offset) => isWord(said[at + offset], word))) found.add(named)
      }
    }
    return [...found]
  }
}

/** Whether a word of a message is a word of a name, or its plural. */
function isWord(said: string | undefined, word: string): boolean {
  return said === word || (word.length >= MIN_PART_CHARS && said === `${word}s`)
}

function wholeWords(text: string): readonly string[] {
  return normalForm(text.toLowerCase(), 'NFKC').match(WHOLE_WORD()) ?? []
}

const WHOLE_WORD = unicodeExpression(String.raw`[\p{L}\p{N}\p{M}]+`, 'gu')

/** More words of a name do not make it surer. */
const MAX_NAME_WORDS = 10

/** A name of one word is a word like any other if more skills than these, and than this share of all, have it. */
const MAX_COMMON = { skills: 20, share: 0.2 } as const

/** Returns the tier of a name that stands in a message; undefined if it is a common word. The name of more words is surer. */
export function tierInMessage(index: TextIndex, { words }: NamedSkill, isShown: Uint8Array): number | undefined {
  if (words.length > 1) return TIERS.nameInMessage + Math.min(words.length, MAX_NAME_WORDS) - 1
  const [{ term } = { term: undefined }] = createWordReader().words(words[0]!)
  if (term === undefined) return undefined
  let having = 0
  for (const document of index.postings(term)?.documents ?? []) having += isShown[document]!
  const shown = isShown.reduce((sum, each) => sum + each, 0)
  return having <= Math.max(MAX_COMMON.skills, MAX_COMMON.share * shown) ? TIERS.nameInMessage : undefined
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
