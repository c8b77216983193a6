import type { SearchTexts } from './fields.ts'
import type { Query } from './rank.ts'
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
 * Returns a function that returns the tier of a skill for a query of one word: its name comes before its description, and
 * that before its body.
 */
export function tiersFor({
  word,
  term,
}: Query['words'][number]): (texts: Omit<SearchTexts, 'body'>, isIndexed: boolean) => number {
  const reader = createWordReader()
  const sought = term ?? word
  const isSought = (each: Query['words'][number]): boolean => (each.term ?? each.word) === sought
  // Most texts need not be read: a word begins as its stem does, of which the last letter may be another.
  const stem = sought.length <= MIN_PART_CHARS ? sought : sought.slice(0, -1)

  const isPlainWord = PLAIN_WORD.test(sought)

  function has(text: string): boolean {
    const lower = text.toLowerCase()
    if (isPlainWord) {
      for (let at = lower.indexOf(stem); at !== -1; at = lower.indexOf(stem, at + 1)) {
        if (PLAIN_CHARACTER.test(lower.charAt(at - 1))) continue
        const [beginning = ''] = PLAIN_WORD_FROM.exec(lower.slice(at, at + MAX_LOOKED_AT)) ?? []
        if (beginning === sought || reader.words(beginning).some(isSought)) return true
      }
      if (!OTHER_LATIN.test(lower)) return false
    }
    return reader.words(lower).some(isSought)
  }

  return ({ name, description, tags }, isIndexed) => {
    if (has(name)) return TIERS.wordOfName
    if (word.length >= MIN_PART_CHARS && name.includes(word)) return TIERS.partOfName
    return isIndexed && (has(description) || has(tags)) ? TIERS.description : TIERS.other
  }
}

/** Letters that stand for others: with accents, joined, or wide. */
const OTHER_LATIN = /[\u00AA\u00BA\u00C0-\u036F\u1E00-\u1EFF\u2070-\u218F\u2460-\u24FF\uD835\uFB00-\uFB06\uFF00-\uFF5E]/
const PLAIN_WORD = /^[a-z0-9]+$/
const PLAIN_WORD_FROM = /^[a-z0-9]+/
const PLAIN_CHARACTER = /[a-z0-9]/

/** Longer than any word that is in the index, in UTF-16 code units. */
const MAX_LOOKED_AT = 64
