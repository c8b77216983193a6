import type { LogEvent } from './event.ts'
import type { Run, Step } from './run.ts'

/** What became of a skill in a run. */
export type Fate =
  | 'used'
  | 'no-longer-active'
  | 'never-chosen'
  | 'refused-by-consent'
  | 'not-admitted'
  | 'activation-failed'
  | 'broken'
  | 'shadowed'
  | 'hidden'
  | 'cut'
  | 'not-matched'
  | 'inactive'
  | 'left-out'
  | 'unknown'

/** How a skill stands in one step. */
export type StepFate = 'active' | 'whole' | 'shortened' | 'name' | 'left' | 'absent'

/** A skill in a run: what became of it, why, and what to do about it. */
export interface SkillStory {
  readonly name: string
  readonly fate: Fate
  /** The fate in words. */
  readonly label: string
  /** The number of the step since which it has this fate. */
  readonly since: number
  /** The places of the steps that tell it: the refusal, the deactivation. */
  readonly step: number
  /** The sentence of `explain` if the log has it; otherwise ours. */
  readonly sentence: string
  /** Whether the sentence comes from the log. */
  readonly quoted: boolean
  readonly remedy: { readonly say: string; readonly copy: string }
  /** Tokens in the list, in the last step that listed it. */
  readonly tokens: number
  /** One for each step. */
  readonly steps: readonly StepFate[]
}

interface Told {
  readonly name: string
  readonly steps: StepFate[]
  listed: number
  tokens: number
  left: { why: string; reason: string; step: number } | undefined
  activated: number | undefined
  ended: { event: LogEvent; step: number } | undefined
  denied: { code: string | undefined; reason: string | undefined; step: number } | undefined
  /** How it came to be in use; `'before'` for one that was active before anything here activated it. */
  by: 'activation' | 'execution' | 'fork' | 'before'
}

/** The skills of a run, with those that were not used first. */
export function skillsOf(run: Run): readonly SkillStory[] {
  const told = new Map<string, Told>()
  const of = (name: string, place: number): Told => {
    let skill = told.get(name)
    if (skill === undefined) {
      const steps = Array.from<StepFate>({ length: place }).fill('absent')
      skill = {
        name,
        steps,
        listed: 0,
        tokens: 0,
        left: undefined,
        activated: undefined,
        ended: undefined,
        denied: undefined,
        by: 'activation',
      }
      told.set(name, skill)
    }
    while (skill.steps.length <= place) skill.steps.push('absent')
    return skill
  }
  // Skills by the requests that ask about them: an answer may come from a process that knows no more than the request.
  const asked = new Map<string, string>()
  run.steps.forEach((step, place) => {
    readStep(step, place, { calls: run.calls, asked, of })
  })
  for (const skill of told.values()) while (skill.steps.length < run.steps.length) skill.steps.push('absent')
  return [...told.values()]
    .map((skill) => storyOf(skill, run))
    .toSorted((one, other) => ORDER.indexOf(one.fate) - ORDER.indexOf(other.fate) || compare(one.name, other.name))
}

type ToldOf = (name: string, place: number) => Told

/** What steps are read with. */
interface Reading {
  /** The run's. */
  readonly calls: Run['calls']
  readonly asked: Map<string, string>
  readonly of: ToldOf
}

function readStep(step: Step, place: number, { calls, asked, of }: Reading): void {
  for (const { name, as, tokens } of step.shown?.skills ?? []) {
    const skill = of(name, place)
    skill.steps[place] = as === 'shortened' || as === 'name' ? as : 'whole'
    skill.listed++
    skill.tokens = tokens
    skill.left = undefined
  }
  for (const { name, why, reason } of step.shown?.left ?? []) {
    const skill = of(name, place)
    // A skill that is listed may have a namesake that is not.
    if (skill.steps[place] !== 'absent') continue
    skill.steps[place] = 'left'
    if (skill.left?.why !== why) skill.left = { why, reason, step: place }
  }
  for (const name of step.active) {
    const skill = of(name, place)
    skill.steps[place] = 'active'
    // Its activation is in the log of another process, or of the run above.
    if (skill.activated === undefined) Object.assign(skill, { activated: place, by: 'before' })
  }
  const events = step.order.flatMap((at) => (at < 0 ? step.notes[~at]! : calls[at]!.events))
  for (const event of events) {
    readAnswer(event, place, asked, of)
    if (event.skill === undefined) continue
    const { name } = event.skill
    if (event.type === 'skill.activated') {
      const skill = of(name, place)
      skill.steps[place] = 'active'
      skill.activated ??= place
      skill.by = 'activation'
      skill.ended = undefined
      skill.denied = undefined
    } else if (event.type === 'skill.deactivated') of(name, place).ended = { event, step: place }
    else if (event.type === 'skill.denied')
      of(name, place).denied = { code: event.code, reason: event.reason, step: place }
    else if (event.type === 'execution.finished' || event.type === 'fork.started') {
      const skill = of(name, place)
      if (skill.activated === undefined)
        Object.assign(skill, { activated: place, by: event.type === 'fork.started' ? 'fork' : 'execution' })
    }
  }
}

/** A denied activation may have no event but the answer: some frameworks drop the call. */
function readAnswer({ consent, skill, type }: LogEvent, place: number, asked: Map<string, string>, of: ToldOf): void {
  if (consent === undefined) return
  if (skill !== undefined) asked.set(consent.request, skill.name)
  const name = asked.get(consent.request)
  if (type !== 'consent.answered' || consent.answer !== 'no' || consent.about === 'call' || name === undefined) return
  of(name, place).denied = { code: 'CONSENT_DENIED', reason: consent.reason, step: place }
}

const ORDER: readonly Fate[] = [
  'refused-by-consent',
  'not-admitted',
  'activation-failed',
  'broken',
  'shadowed',
  'hidden',
  'cut',
  'not-matched',
  'inactive',
  'left-out',
  'no-longer-active',
  'never-chosen',
  'unknown',
  'used',
]

/** Fates in words, as the page shows them. */
const FATE_LABELS: Readonly<Record<Fate, string>> = {
  used: 'Used',
  'no-longer-active': 'No longer active',
  'never-chosen': 'Never chosen',
  'refused-by-consent': 'Refused by consent',
  'not-admitted': 'Refused by admission',
  'activation-failed': 'Activation refused',
  broken: 'Broken',
  shadowed: 'Shadowed',
  hidden: 'Hidden by scope',
  cut: 'Cut by the budget',
  'not-matched': 'Not matched',
  inactive: 'Inactive',
  'left-out': 'Left out',
  unknown: 'Not recorded',
}

const LEFT_FATES: Readonly<Record<string, Fate>> = {
  broken: 'broken',
  shadowed: 'shadowed',
  hidden: 'hidden',
  cut: 'cut',
  'not-matched': 'not-matched',
  inactive: 'inactive',
  refused: 'not-admitted',
  'not-admitted': 'not-admitted',
}

function fateOf({ activated, ended, denied, left, listed }: Told): Fate {
  if (denied !== undefined && (activated === undefined || denied.step >= activated)) {
    const { code } = denied
    if (code === 'CONSENT_DENIED') return 'refused-by-consent'
    if (code === 'SKILL_NOT_ADMITTED') return 'not-admitted'
    if (code === 'SKILL_BROKEN') return 'broken'
    return 'activation-failed'
  }
  if (ended !== undefined && ended.event.endedBy !== 'task') return 'no-longer-active'
  if (activated !== undefined) return 'used'
  if (left !== undefined) return Object.hasOwn(LEFT_FATES, left.why) ? LEFT_FATES[left.why]! : 'left-out'
  return listed > 0 ? 'never-chosen' : 'unknown'
}

function storyOf(skill: Told, run: Run): SkillStory {
  const fate = fateOf(skill)
  const { name, steps, tokens, denied, ended, left, activated } = skill
  const place =
    (fate === 'used' ? activated : undefined) ??
    denied?.step ??
    ended?.step ??
    activated ??
    left?.step ??
    Math.max(
      0,
      steps.findIndex((each) => each !== 'absent'),
    )
  const reason = fate === 'no-longer-active' || fate === 'used' ? undefined : (denied?.reason ?? left?.reason)
  return {
    name,
    fate,
    label: FATE_LABELS[fate],
    since: run.steps[place]?.number ?? 1,
    step: place,
    sentence: reason === undefined || reason === '' ? sentenceOf(fate, skill, run) : reason,
    quoted: reason !== undefined && reason !== '',
    remedy: remedyOf(fate, name, ended?.event.endedBy),
    tokens,
    steps,
  }
}

const USES: Readonly<Record<Told['by'], (step: string) => string>> = {
  activation: (step) => `The skill was activated in step ${step}.`,
  fork: (step) => `It ran in a sub-agent in step ${step}.`,
  execution: (step) => `It was executed in step ${step}.`,
  before: (step) => `It was active when step ${step} began. Its activation is not in this run.`,
}

function sentenceOf(fate: Fate, { listed, ended, activated, by }: Told, run: Run): string {
  const numberOf = (place: number | undefined): string => String(run.steps[place ?? 0]?.number ?? 1)
  switch (fate) {
    case 'used':
      return USES[by](numberOf(activated))
    case 'no-longer-active':
      return ended?.event.endedBy === 'window'
        ? `The window had no room for it any more, so it was deactivated in step ${numberOf(ended.step)}.`
        : `The model deactivated it in step ${numberOf(ended?.step)}.`
    case 'never-chosen':
      return `It was listed in ${listed} of ${run.steps.length} steps, and the model never activated it.`
    case 'refused-by-consent':
      return 'Consent to its activation was not given.'
    case 'unknown':
      return run.hasShown
        ? 'The log names it without saying what became of it.'
        : 'This log does not record what was shown, so it is not known whether the skill was listed.'
    default:
      return 'The log does not say why.'
  }
}

function remedyOf(fate: Fate, name: string, endedBy: string | undefined): SkillStory['remedy'] {
  const explain = `repertoire explain ${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}`
  switch (fate) {
    case 'used':
      return { say: 'Nothing to do.', copy: '' }
    case 'no-longer-active':
      return endedBy === 'window'
        ? { say: 'Give the model a larger window, or keep fewer skills active.', copy: 'context: { window: 400_000 }' }
        : {
            say: 'Ask the model to activate it again, or activate it yourself.',
            copy: `await session.activate(${JSON.stringify(name)})`,
          }
    case 'never-chosen':
      return {
        say: 'Say in its description when to use it, or activate it yourself.',
        copy: `await session.activate(${JSON.stringify(name)})`,
      }
    case 'refused-by-consent':
      return {
        say: 'Answer the question with yes, or give the session a consent handler that does.',
        copy: 'consent: async (request) => …',
      }
    case 'not-admitted':
      return { say: 'Widen the option "admit", or let the skill ask for less.', copy: explain }
    case 'broken':
      return {
        say: 'Correct its SKILL.md.',
        copy: `repertoire validate ${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}`,
      }
    case 'shadowed':
      return { say: 'Rename one of the two skills, or change the order of layers.', copy: explain }
    case 'hidden':
      return { say: 'Add this agent, tenant or environment to its scope, or its name to the allowlist.', copy: explain }
    case 'cut':
      return {
        say: 'Give the list a larger budget and keep this skill, or hide skills that this agent does not need.',
        copy: 'listing: { budget: { share: 0.05, keep: [' + JSON.stringify(name) + '] } }',
      }
    default:
      return { say: 'Ask for the whole explanation.', copy: explain }
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
