import type { RE2JS } from 're2js'
import { stemmer } from 'stemmer'
import { loadPatternChecker, type Manifest, unicodeExpression, normalForm } from '@repertoire/skill-md/internal'

/** What a session does where a person's message matches a skill's triggers. */
export type TriggerMode = 'off' | 'suggest' | 'activate'

/** Characters at a message's beginning that are matched, as they are and as compared: some become eighteen. */
const MAX_MESSAGE_CHARS = 20_000

/**
 * Returns the skills whose triggers a message matches, those with the most matching triggers first, in the order given
 * where they have equally many. Keywords and verbs match whole words in any case, verbs by their English stems;
 * patterns are RE2 expressions, case-sensitive, anywhere in the message. Which triggers are too many or too large is
 * decided as it is where the manifest is read, which reports it.
 */
export async function triggeredSkills<S extends { readonly manifest: Pick<Manifest, 'triggers'> }>(
  message: string,
  skills: readonly S[],
): Promise<readonly S[]> {
  const beginning = message.slice(0, MAX_MESSAGE_CHARS)
  const text = searchable(folded(beginning))
  const stems = searchable(stemsOf(text.text))
  const hits = new Map<S, number>()
  for (const skill of skills) {
    const { triggers } = skill.manifest
    const { keywords, verbs, patterns } = known.get(triggers) ?? (await compileTriggers(triggers))
    if (keywords.length + verbs.length + patterns.length === 0) continue
    const count =
      keywords.filter((keyword) => holds(text, keyword)).length +
      verbs.filter((verb) => holds(stems, verb)).length +
      patterns.filter((pattern) => pattern.test(beginning)).length
    if (count > 0) hits.set(skill, count)
  }
  return [...hits].toSorted(([, a], [, b]) => b - a).map(([skill]) => skill)
}

/** Triggers, ready to be compared. */
interface CompiledTriggers {
  readonly keywords: readonly string[]
  readonly verbs: readonly string[]
  readonly patterns: readonly RE2JS[]
}

const known = new WeakMap<Manifest['triggers'], CompiledTriggers>()

async function compileTriggers(triggers: Manifest['triggers']): Promise<CompiledTriggers> {
  const compiled = {
    keywords: triggers.keywords.map(folded).filter((keyword) => keyword !== ''),
    verbs: triggers.verbs.map((verb) => stemsOf(folded(verb))).filter((verb) => verb !== ''),
    patterns: triggers.patterns.length === 0 ? [] : await compilePatterns(triggers.patterns),
  }
  known.set(triggers, compiled)
  return compiled
}

/** Patterns that the manifest's reader would refuse match nothing. */
async function compilePatterns(patterns: readonly string[]): Promise<readonly RE2JS[]> {
  const check = await loadPatternChecker()
  return check(patterns).flatMap((checked) => ('engine' in checked ? [checked.engine] : []))
}

/** A text that is searched for words. */
interface SearchedText {
  readonly text: string
  readonly words: ReadonlySet<string>
}

function searchable(whole: string): SearchedText {
  const text = whole.slice(0, MAX_MESSAGE_CHARS)
  return { text, words: new Set(text.match(WORD())) }
}

/** `planned` and `planning` have the stem of `plan`; words of other letters stay as they are. */
function stemsOf(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{M}\p{N}_])[a-z]+(?![\p{L}\p{M}\p{N}_])/gu, (word) => stemmer(word))
}

function folded(text: string): string {
  const lower = normalForm(normalForm(text, 'NFKC').toUpperCase().toLowerCase(), 'NFKC')
  // The end of a word has its own small sigma.
  return lower.replaceAll('ς', 'σ').replaceAll(/\s+/g, ' ').trim()
}

// Scripts without spaces between words: a word may end anywhere in them.
const UNSPACED = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}'
const LETTER = `(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_]`
const WORD = unicodeExpression(`(?:${LETTER})+`, 'gu')
const IS_WORD = unicodeExpression(`^(?:${LETTER})+$`)
const ENDS_IN_LETTER = unicodeExpression(`${LETTER}$`)
const BEGINS_WITH_LETTER = unicodeExpression(`^${LETTER}`)

function holds({ text, words }: SearchedText, phrase: string): boolean {
  if (IS_WORD().test(phrase)) return words.has(phrase)
  const begins = BEGINS_WITH_LETTER().test(phrase)
  const ends = ENDS_IN_LETTER().test(phrase)
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const after = at + phrase.length
    // Two code units hold any character.
    const isInside =
      (begins && ENDS_IN_LETTER().test(text.slice(Math.max(0, at - 2), at))) ||
      (ends && BEGINS_WITH_LETTER().test(text.slice(after, after + 2)))
    if (!isInside) return true
  }
  return false
}
