import type { TriggerMode } from './triggers.ts'
import { shownValue } from '../../text/quote.ts'

/** What a person's messages do, and what holds for forks. */
export interface TurnSettings {
  readonly triggers: TriggerMode
  readonly invocations: boolean
  /** In characters. */
  readonly forkResultLimit: number
  /** In milliseconds. */
  readonly forkGrace: number
}

/** How a host sets it, see `TurnSettings`. */
export interface TurnSettingsOptions {
  /**
   * What a person's message does where it matches a skill's triggers: nothing, the skill is suggested to the model, or
   * it is activated where the consent handler approves. Default `suggest`.
   */
  readonly triggers?: TriggerMode
  /** Whether a person's message `/name args` activates the skill. Default true. */
  readonly invocations?: boolean
  /** Characters of a fork's result that the model is shown, 1 or more. Default 100,000. */
  readonly forkResultLimit?: number
  /** How long a fork that was told to stop is waited for, in milliseconds, 0 or more. Default 5,000. */
  readonly forkGrace?: number
}

const MODES: readonly TriggerMode[] = ['off', 'suggest', 'activate']
const MAX_RESULT_CHARS = 100_000
const GRACE_MS = 5_000

/** @throws {TypeError} an unknown mode, a limit below 1, a negative time */
export function resolveTurns(options: TurnSettingsOptions): TurnSettings {
  const { triggers = 'suggest', invocations = true, forkResultLimit = MAX_RESULT_CHARS, forkGrace = GRACE_MS } = options
  if (!MODES.includes(triggers)) {
    throw new TypeError(`There is no \`triggers\` ${shownValue(triggers)}. Give "off", "suggest" or "activate".`)
  }
  if (typeof invocations !== 'boolean') {
    throw new TypeError(`\`invocations\` is ${shownValue(invocations)}. Give true or false.`)
  }
  if (!isAtLeast(1, forkResultLimit)) {
    throw new TypeError(
      `forkResultLimit is ${shownValue(forkResultLimit)}. Give a number of characters, 1 or more; Infinity for no limit.`,
    )
  }
  if (!isAtLeast(0, forkGrace)) {
    throw new TypeError(`forkGrace is ${shownValue(forkGrace)}. Give milliseconds, 0 or more; Infinity for no limit.`)
  }
  return { triggers, invocations, forkResultLimit, forkGrace }
}

function isAtLeast(min: number, value: unknown): boolean {
  return typeof value === 'number' && value >= min
}
