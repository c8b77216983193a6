import { cutKeeping, type WindowMessage } from './message.ts'
import type { WindowSettings } from './settings.ts'

export interface WindowSituation {
  /** In tokens. */
  readonly used: number
  readonly limits: Omit<WindowSettings, 'summarize' | 'countTokens' | 'summaryTimeout' | 'summaryTokens'>
  readonly messages: readonly WindowMessage[]
  /** Messages before this position are in the summary; 0: there is none. */
  readonly covered: number
  /** Returns the tokens that a summary up to a position would save at most; 0 or less: none. */
  readonly gain: (upTo: number) => number
  /** The skills whose sections are still shown and that can lose them, most relevant first. */
  readonly sections: readonly EvictableSection[]
}

/** The section of a skill that is not active. */
interface EvictableSection {
  readonly name: string
  /** `relevant`: something said that it fits the task. */
  readonly fit: 'relevant' | 'inactive'
}

/** One step towards a window that holds. */
export type WindowStep =
  | { readonly type: 'summarize'; readonly upTo: number }
  | { readonly type: 'evict'; readonly names: readonly string[] }

/** A further summary replaces at least this share of the window: each costs a model call and the cache. */
const MIN_GAIN = 0.05

/**
 * Returns the next step; undefined where nothing more can be done, or nothing has to be. To be called again with what
 * is measured after each step. Pure; every step makes `sections` shorter or moves `covered`, so this ends.
 */
export function nextStep(situation: WindowSituation): WindowStep | undefined {
  return summaryStep(situation) ?? evictionStep(situation) ?? reductionStep(situation)
}

/** The oldest messages become a summary. */
function summaryStep({ used, limits, messages, covered, gain }: WindowSituation): WindowStep | undefined {
  const { size, summarizeAbove, reduceAbove, keepMessages } = limits
  if (used <= summarizeAbove * size) return undefined
  const upTo = cutKeeping(messages, keepMessages)
  if (upTo <= covered) return undefined
  const gained = gain(upTo)
  if (gained <= 0) return undefined
  // A summary of these alone, however short, would not be enough: fewer stay, and there is one summary and not two.
  if (used - gained > reduceAbove * size) return undefined
  // The last messages alone may be too much: then each step would pay for a summary that helps little.
  const helps = gained >= MIN_GAIN * size && used - gained <= summarizeAbove * size
  return covered > 0 && !helps ? undefined : { type: 'summarize', upTo }
}

/** Skills that do not fit the task lose their sections. */
function evictionStep({ used, limits, sections }: WindowSituation): WindowStep | undefined {
  const names = sections.flatMap(({ name, fit }) => (fit === 'inactive' ? [name] : []))
  return used > limits.evictAbove * limits.size && names.length > 0 ? { type: 'evict', names } : undefined
}

/** Fewer messages stay, then fewer of the skills that fit. */
function reductionStep({ used, limits, messages, covered, gain, sections }: WindowSituation): WindowStep | undefined {
  const { size, reduceAbove, keepFewestMessages, keepSkills } = limits
  if (used <= reduceAbove * size) return undefined
  const isWorth = (gained: number): boolean => {
    if (gained <= 0) return false
    if (covered === 0) return true
    // What cannot be summarised, such as the instructions of an active skill, may alone be too much: then every step
    // would pay for a summary of one message more.
    const left = used - gained
    return gained >= MIN_GAIN * size || left <= reduceAbove * size || (used > size && left <= size)
  }
  const upTo = cutKeeping(messages, keepFewestMessages)
  if (upTo > covered && isWorth(gain(upTo))) return { type: 'summarize', upTo }
  const names = sections.slice(keepSkills).map(({ name }) => name)
  return names.length > 0 ? { type: 'evict', names } : undefined
}
