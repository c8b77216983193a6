import { stemmer } from 'stemmer'
import { normalForm, unicodeExpression } from '@repertoire/skill-md/internal'

/** A word of a text, and its form in the index. */
export interface Word {
  /** In lower case, without accents. */
  readonly word: string
  /** Its stem. Empty: it says nothing, and is not in the index. */
  readonly term: string
}

/** Longer ones are hashes, keys and lines of code, which people do not search for. */
const MAX_WORD_CHARS = 40

const ASCII_WORD = /\b[a-z](?:\+\+|#(?![a-z0-9]))|[a-z0-9]+/g
/**
 * Text whose words are of ASCII alone, whatever signs are between them: dashes, quotation marks, arrows, boxes, emoji.
 * It is most of all text, and read four times as fast.
 */
const PLAIN =
  /^(?:[\0-\x7F\u00A0-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u2010-\u2027\u2030-\u205E\u2190-\u23FF\u2500-\u2775\u2794-\u2BFF]|[\uD83D\uD83E][\uDC00-\uDFFF])*$/
/** The marks of Latin, Greek and Cyrillic letters; those of other scripts are parts of their words. */
const ACCENTS = /[\u0300-\u036F]/g
/** Scripts that are written without spaces, or whose particles are written on: two characters at a time are a term. */
const PAIRED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30FC`
const ANY_WORD = unicodeExpression(
  String.raw`\b[a-z](?:\+\+|#(?![\p{L}\p{N}]))|[${PAIRED}]+|(?:(?![${PAIRED}])[\p{L}\p{N}\p{M}])+`,
  'gu',
)
const PAIRED_RUN = unicodeExpression(`^[${PAIRED}]`)
const ENGLISH = /^[a-z]+$/

/** Reads texts. One that reads many remembers the words that it has met. */
export function createWordReader() {
  const known = new Map<string, string>()

  function termOf(word: string): string {
    const found = known.get(word)
    if (found !== undefined) return found
    const isLeftOut = word.length > MAX_WORD_CHARS || STOP_WORDS.has(word)
    const term = isLeftOut ? '' : ENGLISH.test(word) ? stemmer(word) : word
    // A slice of a text keeps the whole text alive.
    known.set(word, term)
    return term
  }

  function read(text: string, each: (word: string, term: string) => void): void {
    const lower = text.toLowerCase()
    if (PLAIN.test(lower)) {
      for (const word of lower.match(ASCII_WORD) ?? []) each(word, termOf(word))
      return
    }
    const plain = normalForm(normalForm(lower, 'NFKD').replace(ACCENTS, ''), 'NFC')
    for (const run of plain.match(ANY_WORD()) ?? []) {
      if (!PAIRED_RUN().test(run)) each(run, termOf(run))
      else for (const pair of pairsOf(run)) each(pair, pair)
    }
  }

  return {
    /** Returns the term of each word that says something, in the order of the text. */
    terms: (text: string): readonly string[] => {
      const terms: string[] = []
      read(text, (_, term) => term !== '' && terms.push(term))
      return terms
    },
    /** Returns all words of a text. */
    words: (text: string): readonly Word[] => {
      const words: Word[] = []
      read(text, (word, term) => words.push({ word, term }))
      return words
    },
  }
}

/** Every two characters that follow one another; a single one as it is. */
function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]!}${character}`)
}

/**
 * Words that say nothing of what a skill is about: those that hold sentences together, and those of a request, such as
 * "please help me". Some two hundred, in lower case, an apostrophe taken as the end of a word.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are as at be because been before being between both but by came can cannot
  could d did do does doing don down during each else etc even every few for from further get gets getting give go goes
  going got had has have having he her here hers him his how i if in into is isn it its itself just kind let like ll lot
  m make makes making many may maybe me might mine more most much must my myself need needs no nor not now of off ok on
  once one only or other our ours out over own per please put quite rather re really s same seem she should so some
  something still such sure t take than thank thanks that the their theirs them then there these they thing things this
  those through to too try trying two under until up us use used uses using ve very via want wants was way we well were
  what whatever when where whether which while who whom whose why will with without would yet you your yours yourself
  help helps helping ask asks asking`.split(/\s+/),
)
