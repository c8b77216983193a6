import { normalForm, unicodeExpression } from '@repertoire/skill-md/internal'
import type { Query, TextIndex } from './text-index.ts'
import { createWordReader } from './words.ts'

/** How surely a skill is meant, whatever else its texts say: the higher ones come first. */
const TIERS = { sameName: 14, exactName: 13, nameInMessage: 3, wordOfName: 2, partOfName: 1 } as const

/** A shorter text is a part of too many names. */
const MIN_PART_CHARS = 3

/** More words of a name do not make it surer. */
const MAX_NAME_WORDS = 10

/** A name of one word is a word like any other if more skills than these, and than this share of all, have it. */
const MAX_COMMON = { skills: 20, share: 0.2 } as const

/**
 * Returns a function that finds the skills that come before all others, whatever these score, each with its tier: one
 * that is named, and for a query of one word all by where they have it.
 * @param names the name of each document
 */
export function createTierFinder(
  index: TextIndex,
  names: readonly string[],
): (query: Query) => ReadonlyMap<number, number> {
  const folded = names.map(foldedName)
  const byFirstWord = Map.groupBy(
    names.map((name, document) => ({ document, words: wholeWords(name) })),
    ({ words: [first] }) => first,
  )

  /**
   * A name that stands in a message as whole words, whatever stands between the words. The name of more words is surer.
   */
  function addNamed(message: string, tiers: Map<number, number>): void {
    const said = wholeWords(message)
    for (const [at, first] of said.entries()) {
      for (const start of new Set([first, first.replace(/s$/, '')])) {
        for (const { document, words } of byFirstWord.get(start) ?? []) {
          if (!words.every((word, offset) => isWord(said[at + offset], word))) continue
          if (words.length > 1 || !isCommon(words[0]!))
            tiers.set(document, TIERS.nameInMessage + Math.min(words.length, MAX_NAME_WORDS) - 1)
        }
      }
    }
  }

  function isCommon(word: string): boolean {
    const [term = ''] = createWordReader().terms(word)
    return term === '' || index.postings(term).length > Math.max(MAX_COMMON.skills, MAX_COMMON.share * index.size)
  }

  /** The only word of a query: a name that has it comes before all other texts. */
  function addByWord({ word, term }: Query['words'][number], tiers: Map<number, number>): void {
    for (const [document, name] of folded.entries()) {
      const terms = term === '' ? wholeWords(name) : createWordReader().terms(name)
      if (terms.includes(term || word)) tiers.set(document, TIERS.wordOfName)
      else if (word.length >= MIN_PART_CHARS && name.includes(word)) tiers.set(document, TIERS.partOfName)
    }
  }

  return ({ phrases, words, message }) => {
    const tiers = new Map<number, number>()
    if (phrases.length === 1 && words.length === 1) addByWord(words[0]!, tiers)
    if (message !== undefined) addNamed(message, tiers)
    const named = new Set(phrases.map(foldedName))
    for (const [document, name] of folded.entries()) {
      if (!named.has(name)) continue
      // Several may be one in this form: `pdf_forms` and `pdf-forms`.
      tiers.set(document, phrases.includes(names[document]!) ? TIERS.sameName : TIERS.exactName)
    }
    return tiers
  }
}

/** Returns a name as people write it and as skills are called: `Git Commit`, `git_commit` and `git-commit` are one. */
function foldedName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
}

function isWord(said: string | undefined, word: string): boolean {
  return said === word || (word.length >= MIN_PART_CHARS && said === `${word}s`)
}

function wholeWords(text: string): readonly string[] {
  return normalForm(text.toLowerCase(), 'NFKC').match(WHOLE_WORD()) ?? []
}

const WHOLE_WORD = unicodeExpression(String.raw`[\p{L}\p{N}\p{M}]+`, 'gu')
