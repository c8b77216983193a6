import type { TokenBudget } from './budget.ts'
import type { FitMemory } from './fit-memory.ts'
import type { ListForm, ListingDetail } from './list-form.ts'
import type { ListedSkill, ListEntry } from './listing.ts'

/** Options of `fitList`. */
export interface FitOptions {
  /** The skills to list, in the order in which they are shown. */
  readonly skills: readonly ListedSkill[]
  /**
   * Returns the skills by rank, as indexes of `skills`: the last is cut first. Called if some have to be cut. Default: the
   * order in which they are shown.
   */
  readonly rank?: () => Uint32Array
  readonly budget: TokenBudget | undefined
  /** What the list can do without, the first to go first. Default: nothing. */
  readonly details?: readonly ListingDetail[]
  /**
   * True: no skill is listed by its name alone, since there is a better way to find one. Default false.
   */
  readonly describedOnly?: boolean
  /** Cuts a description to a limit that applies whatever the budget. Default: no limit. */
  readonly bound?: (description: string) => string
  /** Returns the whole description of a skill. Default: as lists have it. */
  readonly describe?: (manifest: ListedSkill['manifest']) => string
  /** Returns the text to count: all that a model is shown for these entries and a number of unlisted skills. */
  readonly text: (entries: readonly ListEntry[], unlisted: number, form: ListForm) => string
  /** Returns what one entry adds to it, for a first guess of how many fit. */
  readonly entryText: (entry: ListEntry, form: ListForm) => string
  /** What stands between entries. Default: a line break. */
  readonly separator?: string
  /** Whether some description is certainly cut, see `isCertainlyCut`. Default: that is found out. */
  readonly isCut?: () => boolean
  /** What was measured for another list with the same options, except for the rank. Default: nothing. */
  readonly memory?: FitMemory
}
