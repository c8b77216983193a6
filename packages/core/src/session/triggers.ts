import type { RE2JS } from 're2js'
import type { Manifest, Skill } from '../types.ts'
import { inflectVerb } from './inflect-verb.ts'

/** What a session does where a person's message matches a skill's triggers. */
export type TriggerMode = 'off' | 'suggest' | 'activate'

/** Characters at the beginning of a message that are looked at. */
const LONGEST_MESSAGE = 20_000

/** Patterns of a skill that are tried at the most: each takes its time, linear as that is, and skills are untrusted. */
const MOST_PATTERNS = 20

/**
 * Steps of a skill's compiled patterns altogether: what a character of a message costs grows with them, and a pattern of
 * thirty characters can have thousands. One that is usual has a hundred; those beyond the bound match nothing.
 */
const MOST_STEPS = 2_000
const MOST_STEPS_OF_ONE = 500

/**
 * The skills whose triggers a message matches, those that most of their triggers speak for first, else in the order
 * given. Keywords and verbs are whole words in whatever case, a verb in its regular English forms too; patterns are RE2
 * expressions, in the case that they are written in, anywhere in the message; of a skill with very large ones some count
 * for nothing.
 */
export async function triggeredSkills(message: string, skills: readonly Skill[]): Promise<readonly Skill[]> {
  const beginning = message.slice(0, LONGEST_MESSAGE)
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
    verbs: triggers.verbs.map(folded).flatMap((verb) => (verb === '' ? [] : [inflectVerb(verb)])),
    patterns: triggers.patterns.length === 0 ? [] : await compilePatterns(triggers.patterns),
  }
  known.set(triggers, made)
  return made
}

/** That they can be compiled was seen when the manifest was read; one of another origin that cannot matches nothing. */
async function compilePatterns(patterns: readonly string[]): Promise<readonly RE2JS[]> {
  const { RE2JS, RE2JSException } = await import('re2js')
  let left = MOST_STEPS
  return patterns.slice(0, MOST_PATTERNS).flatMap((pattern) => {
    try {
      const made = RE2JS.compile(pattern)
      const steps = made.programSize()
      if (steps > Math.min(left, MOST_STEPS_OF_ONE)) return []
      left -= steps
      return [made]
    } catch (error) {
      if (error instanceof RE2JSException) return []
      throw error
    }
  })
}

/** A text as words are looked for in it. */
interface ReadText {
  readonly text: string
  readonly words: ReadonlySet<string>
}

function readText(message: string): ReadText {
  const text = folded(message)
  return { text, words: new Set(text.match(WORD)) }
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
const WORD = new RegExp(`(?:${LETTER})+`, 'gu')
const IS_WORD = new RegExp(`^(?:${LETTER})+$`, 'u')
const ENDS_IN_LETTER = new RegExp(`${LETTER}$`, 'u')
const BEGINS_WITH_LETTER = new RegExp(`^${LETTER}`, 'u')

/** Whether a text holds a phrase as whole words. */
function holds({ text, words }: ReadText, phrase: string): boolean {
  if (IS_WORD.test(phrase)) return words.has(phrase)
  const begins = BEGINS_WITH_LETTER.test(phrase)
  const ends = ENDS_IN_LETTER.test(phrase)
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const after = at + phrase.length
    // Two code units hold any character.
    const isInside =
      (begins && ENDS_IN_LETTER.test(text.slice(Math.max(0, at - 2), at))) ||
      (ends && BEGINS_WITH_LETTER.test(text.slice(after, after + 2)))
    if (!isInside) return true
  }
  return false
}
