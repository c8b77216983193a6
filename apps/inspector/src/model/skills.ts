import type { LogEvent } from './event.ts'
import type { Run, Step } from './run.ts'

/** The fates of a skill in a run, as the page shows them. Unused skills come first. */
export const FATES = {
  'refused-by-consent': { label: 'Refused by consent', glyph: '✗', tone: 'warn' },
  refused: { label: 'Refused by admission', glyph: '✗', tone: 'warn' },
  'activation-failed': { label: 'Activation refused', glyph: '✗', tone: 'warn' },
  broken: { label: 'Broken', glyph: '!', tone: 'bad' },
  shadowed: { label: 'Shadowed', glyph: '–', tone: 'quiet' },
  hidden: { label: 'Hidden', glyph: '–', tone: 'quiet' },
  cut: { label: 'Cut by the budget', glyph: '–', tone: 'quiet' },
  'not-matched': { label: 'Not matched', glyph: '–', tone: 'quiet' },
  inactive: { label: 'Inactive', glyph: '–', tone: 'quiet' },
  'no-longer-active': { label: 'No longer active', glyph: '○', tone: 'quiet' },
  'never-chosen': { label: 'Never chosen', glyph: '○', tone: 'quiet' },
  unknown: { label: 'Unknown', glyph: '·', tone: 'quiet' },
  used: { label: 'Used', glyph: '✓', tone: 'good' },
} as const
export type Fate = keyof typeof FATES

const ORDER: readonly string[] = Object.keys(FATES)

/** The reasons of a log for leaving a skill out that are also fates. */
const LEFT_OUT: readonly Fate[] = ['refused', 'broken', 'shadowed', 'hidden', 'cut', 'not-matched', 'inactive']

/** A skill in a run: what became of it, and why. */
export interface SkillStory {
  readonly name: string
  readonly fate: Fate
  /** The number of the step since which it has this fate. */
  readonly since: number
  /** The place of the step that tells it: the refusal, the deactivation. */
  readonly step: number
  /** The sentence of `explain` if the log has it, which says what to do; otherwise ours. */
  readonly sentence: string
  /** Whether the sentence comes from the log. */
  readonly quoted: boolean
  /** What to do, where the sentence does not say it: in words, and in code. */
  readonly remedy: { readonly say: string; readonly code: string } | undefined
  /** Tokens in the list, in the last step that listed it. */
  readonly tokens: number
}

interface Told {
  readonly name: string
  /** The place of the first step that names it. */
  readonly first: number
  /** How many steps listed it. */
  listed: number
  tokens: number
  left: { readonly why: string; readonly reason: string; readonly step: number } | undefined
  used: { readonly sentence: string; readonly step: number } | undefined
  ended: { readonly by: string | undefined; readonly step: number } | undefined
  denied: { readonly code: string | undefined; readonly reason: string | undefined; readonly step: number } | undefined
}

type ToldOf = (name: string, place: number) => Told

/** The skills of a run, with those that were not used first. */
export function skillsOf(run: Run): readonly SkillStory[] {
  const told = new Map<string, Told>()
  const of: ToldOf = (name, first) => {
    const known = told.get(name)
    if (known !== undefined) return known
    const none = { left: undefined, used: undefined, ended: undefined, denied: undefined }
    const skill: Told = { name, first, listed: 0, tokens: 0, ...none }
    told.set(name, skill)
    return skill
  }
  // Skills by the requests that ask about them: an answer may come from a process that knows no more than the request.
  const asked = new Map<string, string>()
  run.steps.forEach((step, place) => {
    const events = step.order.flatMap((at) => (at < 0 ? step.notes[~at]! : run.calls[at]!.events))
    for (const event of events) {
      readAnswer(event, place, asked, of)
      readEvent(event, step, place, of)
    }
    readShown(step, place, of)
  })
  return [...told.values()]
    .map((skill) => storyOf(skill, run))
    .toSorted((one, other) => ORDER.indexOf(one.fate) - ORDER.indexOf(other.fate) || (one.name < other.name ? -1 : 1))
}

function readShown({ shown, active, number }: Step, place: number, of: ToldOf): void {
  const listed = new Set<string>()
  for (const { name, tokens } of shown?.skills ?? []) {
    const skill = of(name, place)
    skill.listed++
    skill.tokens = tokens
    skill.left = undefined
    listed.add(name)
  }
  for (const { name, why, reason } of shown?.left ?? []) {
    // A skill that is listed may have a namesake that is not.
    if (listed.has(name)) continue
    const skill = of(name, place)
    if (skill.left?.why !== why) skill.left = { why, reason, step: place }
  }
  // Its activation is in the log of another process, or of the run above.
  for (const name of active) {
    const sentence = `It was active when step ${number} began. Its activation is not in this run.`
    of(name, place).used ??= { sentence, step: place }
  }
}

/** Events that tell what becomes of a skill. */
const TELLING = /^(?:skill\.\w+|execution\.finished|fork\.started)$/

function readEvent(
  { type, skill: named, code, reason, endedBy }: LogEvent,
  { number }: Step,
  place: number,
  of: ToldOf,
): void {
  if (named === undefined || !TELLING.test(type)) return
  const skill = of(named.name, place)
  const use = (what: string): void => void (skill.used ??= { sentence: `It ${what} in step ${number}.`, step: place })
  if (type === 'skill.activated') {
    use('was activated')
    skill.ended = undefined
    skill.denied = undefined
  } else if (type === 'execution.finished') use('was executed')
  else if (type === 'fork.started') use('ran in a sub-agent')
  else if (type === 'skill.deactivated') skill.ended = { by: endedBy, step: place }
  else if (type === 'skill.denied') skill.denied = { code, reason, step: place }
}

/** A denied activation may have no event but the answer: some frameworks drop the call. */
function readAnswer({ consent, skill, type }: LogEvent, place: number, asked: Map<string, string>, of: ToldOf): void {
  if (consent === undefined) return
  if (skill !== undefined) asked.set(consent.request, skill.name)
  const name = asked.get(consent.request)
  if (type !== 'consent.answered' || consent.answer !== 'no' || consent.about === 'call' || name === undefined) return
  of(name, place).denied = { code: 'CONSENT_DENIED', reason: consent.reason, step: place }
}

/** The codes of a refused activation that have their own fate. */
const DENIED: ReadonlyMap<string | undefined, Fate> = new Map([
  ['CONSENT_DENIED', 'refused-by-consent'],
  ['SKILL_NOT_ADMITTED', 'refused'],
  ['SKILL_BROKEN', 'broken'],
])

function fateOf({ used, ended, denied, left, listed }: Told): Fate {
  if (denied !== undefined && (used === undefined || denied.step >= used.step))
    return DENIED.get(denied.code) ?? 'activation-failed'
  if (ended !== undefined && ended.by !== 'task') return 'no-longer-active'
  if (used !== undefined) return 'used'
  if (left !== undefined) return LEFT_OUT.find((fate) => fate === left.why) ?? 'unknown'
  return listed > 0 ? 'never-chosen' : 'unknown'
}

function storyOf(skill: Told, run: Run): SkillStory {
  const fate = fateOf(skill)
  const { name, first, tokens, denied, ended, left, used } = skill
  const told = fate === 'used' ? used : (denied ?? ended ?? used ?? left)
  const step = told?.step ?? first
  const since = run.steps[step]?.number ?? 1
  const reason = fate === 'used' || fate === 'no-longer-active' ? '' : (denied?.reason ?? left?.reason ?? '')
  const quoted = reason !== ''
  const sentence = quoted ? reason : sentenceOf(fate, skill, run, since)
  return { name, fate, since, step, sentence, quoted, remedy: remedyOf(fate, skill), tokens }
}

function sentenceOf(fate: Fate, { listed, ended, used }: Told, run: Run, since: number): string {
  switch (fate) {
    case 'used':
      return used?.sentence ?? ''
    case 'no-longer-active':
      return ended?.by === 'window'
        ? `The window had no room for it any more, so it was deactivated in step ${since}.`
        : `The model deactivated it in step ${since}.`
    case 'never-chosen':
      return `It was listed in ${listed} of ${run.steps.length} steps, and the model never activated it.`
    case 'refused-by-consent':
      return 'Consent to its activation was not given.'
    default:
      return 'The log names it, and does not say what became of it.'
  }
}

function remedyOf(fate: Fate, { name, ended }: Told): SkillStory['remedy'] {
  const activate = `await session.activate(${JSON.stringify(name)})`
  switch (fate) {
    case 'refused-by-consent':
      return {
        say: 'Answer the question with yes, or give the session a consent handler that asks you.',
        code: 'consent: askInTerminal()',
      }
    case 'no-longer-active':
      return ended?.by === 'window'
        ? { say: 'Give the model a larger window, or keep fewer skills active.', code: 'context: { window: 400_000 }' }
        : { say: 'Ask the model to activate it again, or activate it yourself.', code: activate }
    case 'never-chosen':
      return { say: 'Say in its description when to use it, or activate it yourself.', code: activate }
    default:
      return undefined
  }
}
