import {
  type Diagnostic,
  type Layer,
  SkillError,
  described,
  nearestNames,
  quote,
  quoteName,
  showInvisible,
  showName,
} from '@repertoire/skill-md/internal'
import { diagnosticText } from '../text/message.ts'
import type { HidingRule } from './view.ts'

/** What became of a skill, for one viewer. */
export type SkillFate = 'shown' | 'shadowed' | 'hidden' | 'inactive' | 'refused' | 'cut' | 'broken'

/** Why a candidate has its fate. */
export interface FateReason {
  /** The rule that hides it, or what else decided. */
  readonly type:
    | HidingRule
    | 'shadowed'
    | 'inactive'
    /** The host's `admit` does not admit it. */
    | 'refused'
    /** It has no `allowed-tools`, and the host's `admit` gives it some. */
    | 'assumed'
    /** The list's budget had no room for the skill, for its description, or for its whole description. */
    | 'cut'
    /** Rules of its `allowed-tools` mean none of the host's tools. */
    | 'unmatched'
    /** Rules of its `allowed-tools` hand out all that a program can do. */
    | 'unbounded'
    /** Rules of its `allowed-tools` permit no call at all. */
    | 'no-effect'
    | 'diagnostic'
  /** For a person: a sentence without its end. */
  readonly text: string
}

/** A manifest that a name may refer to. */
export interface Candidate {
  readonly fate: SkillFate
  readonly path: string
  readonly source?: string
  readonly layer?: Layer
  readonly reasons: readonly FateReason[]
}

/** What became of every skill of one name. */
export interface Explanation {
  readonly name: string
  /** The fate of the first candidate; `unknown`: no candidate exists. */
  readonly verdict: SkillFate | 'unknown'
  /** The one nearest to being shown first. */
  readonly candidates: readonly Candidate[]
  /** With `unknown`: similar names in the catalog. */
  readonly nearest: readonly string[]
  /** With `unknown`: why whole folders or sources were not searched, such as a workspace that is not trusted. */
  readonly unseen: readonly Diagnostic[]
  /** The whole explanation for a person, in lines. */
  readonly text: string
}

/** Returns an explanation for a person, in lines. Invisible characters in text from skill files are made visible. */
export function explanationText({ name, verdict, candidates, nearest, unseen }: Omit<Explanation, 'text'>): string {
  const lines =
    verdict === 'unknown'
      ? [
          `There is no skill ${quote(name)}.${didYouMean(nearest)}`,
          ...(unseen.length === 0 ? [] : ['It may be in what could not be read:']),
          ...unseen.map((diagnostic) => `- ${diagnosticText(diagnostic)}`),
        ]
      : [`${quoteName(name)} is ${FATES[verdict]}.`, ...candidates.flatMap(candidateLines)]
  return lines.map(showInvisible).join('\n')
}

const FATES = {
  shown: 'shown',
  cut: 'left out of the list by its budget; it can still be activated by its name',
  hidden: 'hidden from this viewer',
  shadowed: 'shadowed by another skill of its name',
  inactive: 'not active',
  refused: 'not admitted by the host',
  broken: 'broken, so it was not loaded',
} as const satisfies Record<Candidate['fate'], string>

function candidateLines({ fate, path, source, layer, reasons }: Candidate): readonly string[] {
  const from = source === undefined ? '' : ` (layer ${layer}, source ${showName(source)})`
  return [`- ${showName(path)}${from}: ${FATES[fate]}`, ...reasons.map(({ text }) => `  - ${text}`)]
}

const RULES: Readonly<Record<HidingRule, string>> = {
  allowlist: 'the allowlist `skills` of the session does not name it',
  'scope.agents': 'its `scope.agents` does not name the agent',
  'scope.tenants': 'its `scope.tenants` does not name the tenant',
  'scope.environments': 'its `scope.environments` does not name the environment',
  'disable-model-invocation': 'its `disable-model-invocation` keeps it from every model',
}

export function hiddenBy(rule: HidingRule): FateReason {
  return { type: rule, text: RULES[rule] }
}

const CUTS = {
  dropped: 'the budget of the list has no room for it',
  withoutDescription: 'the budget of the list has room for its name alone',
  shortened: 'the budget of the list has no room for its whole description, which is shortened',
} as const

export function cutBy(cut: keyof typeof CUTS): FateReason {
  return { type: 'cut', text: CUTS[cut] }
}

/** What to do about a skill that is left out. A diagnostic has its own hint. */
const REMEDIES: ReadonlyMap<FateReason['type'], string> = new Map<FateReason['type'], string>([
  ['allowlist', 'Add it to the option `skills`.'],
  ['scope.agents', 'Open the session with an `agent` that it names.'],
  ['scope.tenants', 'Open the session with a `tenant` that it names.'],
  ['scope.environments', 'Open the session with an `environment` that it names.'],
  ['disable-model-invocation', 'A person can invoke it by `/` and its name.'],
  ['shadowed', 'Rename one of the two, or give this one the higher layer or `priority`.'],
  ['inactive', 'Set it to `active`.'],
  ['refused', "Change the skill, or what the host's `admit` admits."],
  ['cut', 'Raise `listing.budget.share`, or name the skill in `listing.budget.keep`.'],
])

/** Returns why a skill is left out of a list, and what to do about it, as sentences. */
export function leftOutReason(reasons: readonly FateReason[]): string {
  const why = sentence(reasons.map(({ text }) => text).join('; '))
  const remedies = reasons.map(({ type }) => REMEDIES.get(type) ?? [])
  return [why, ...new Set(remedies.flat())].join(' ')
}

function sentence(text: string): string {
  // A path stays as it is.
  const begun = text.replace(/^[a-z]+ /, (word) => word.charAt(0).toUpperCase() + word.slice(1))
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/**
 * Returns the error for a name that is not among `names`, with the most similar of them.
 * @throws {TypeError} the name is not a string
 */
export function skillNotFound(name: string, names: Iterable<string>, where = ''): SkillError {
  if (typeof name !== 'string') throw new TypeError(`The name of a skill is ${described(name)}. Give a string.`)
  const nearest = nearestNames(name, names)
  const message = `There is no skill ${quote(name)}${where}.${didYouMean(nearest)}`
  return new SkillError('SKILL_NOT_FOUND', message, { nearest })
}

/** Returns a question that suggests names, to append to a sentence; empty if there are none. */
function didYouMean(nearest: readonly string[]): string {
  return nearest.length === 0 ? '' : ` Did you mean ${nearest.map(quoteName).join(', ')}?`
}
