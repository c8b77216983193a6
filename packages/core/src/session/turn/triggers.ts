import type { RE2JS } from 're2js'
import { loadPatternChecker } from '../../manifest/index.ts'
import type { Manifest } from '../../ports/manifest.ts'
import type { Skill } from '../../ports/skill.ts'
import { unicodeExpression } from '../../text/unicode-expression.ts'
import { verbForms } from '../../text/verb-forms.ts'

/** What a session does where a person's message matches a skill's triggers. */
export type TriggerMode = 'off' | 'suggest' | 'activate'

/** Characters at the beginning of a message that are looked at. */
const MAX_MESSAGE_CHARS = 20_000

/**
 * The skills whose triggers a message matches, those that most of their triggers speak for first, else in the order
 * given. Keywords and verbs are whole words in whatever case, a verb in its regular English forms too; patterns are RE2
 * expressions, in the case that they are written in, anywhere in the message. Which of them are too many or too large is
 * judged as it is where the manifest is read, which says so.
 */
export async function triggeredSkills(message: string, skills: readonly Skill[]): Promise<readonly Skill[]> {
  const beginning = message.slice(0, MAX_MESSAGE_CHARS)
  const text = readText(beginning)
  const hits = new Map<Skill, number>()
  for (const skill of skills) {
    const { keywords, verbs, patterns } = await compiled(skill.manifest.triggers)
    const count =
      keywords.filter((keyword) => holds(text, keyword)).length +
      verbs.filter((forms) => forms.some((form) => holds(text, form))).length +
      patterns.filter((pattern) => pattern.test(beginning)).length
    if (count > 0) hits.set(skill, count)
  }
  return [...hits].toSorted(([, a], [, b]) => b - a).map(([skill]) => skill)
}

/** Triggers, ready to be compared. */
interface CompiledTriggers {
  readonly keywords: readonly string[]
  /** The forms of each. */
  readonly verbs: readonly (readonly string[])[]
  readonly patterns: readonly RE2JS[]
}

const known = new WeakMap<Manifest['triggers'], CompiledTriggers>()

async function compiled(triggers: Manifest['triggers']): Promise<CompiledTriggers> {
  const before = known.get(triggers)
  if (before !== undefined) return before
  const made = {
    keywords: triggers.keywords.map(folded).filter((keyword) => keyword !== ''),
    verbs: triggers.verbs.map(folded).flatMap((verb) => (verb === '' ? [] : [verbForms(verb)])),
    patterns: triggers.patterns.length === 0 ? [] : await compilePatterns(triggers.patterns),
  }
  known.set(triggers, made)
  return made
}

/** What the manifest's reader let pass, passes here; one of another origin that it would not matches nothing. */
async function compilePatterns(patterns: readonly string[]): Promise<readonly RE2JS[]> {
  const check = await loadPatternChecker()
  return check(patterns).flatMap((checked) => ('engine' in checked ? [checked.engine] : []))
}

/** A text as words are looked for in it. */
interface ReadText {
  readonly text: string
  readonly words: ReadonlySet<string>
}

function readText(message: string): ReadText {
  const text = folded(message)
  return { text, words: new Set(text.match(WORD())) }
}

/** Texts that differ in case, in the form of their characters or in white space alone become the same. */
function folded(text: string): string {
  const lower = text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
  // The end of a word has a small sigma of its own.
  return lower.replaceAll('ς', 'σ').replaceAll(/\s+/g, ' ').trim()
}

// Scripts that put no space between words: any place in them may be the end of one.
const UNSPACED = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}'
const LETTER = `(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_]`
const WORD = unicodeExpression(`(?:${LETTER})+`, 'gu')
const IS_WORD = unicodeExpression(`^(?:${LETTER})+$`)
const ENDS_IN_LETTER = unicodeExpression(`${LETTER}$`)
const BEGINS_WITH_LETTER = unicodeExpression(`^${LETTER}`)

/** Whether a text holds a phrase as whole words. */
function holds({ text, words }: ReadText, phrase: string): boolean {
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
