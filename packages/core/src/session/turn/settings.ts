import type { TriggerMode } from './triggers.ts'

/** What a person's messages do. */
export interface TurnSettings {
  readonly triggers: TriggerMode
}

/** How a host sets it, see `TurnSettings`. */
export interface TurnSettingsOptions {
  /**
   * What a person's message does where it matches a skill's triggers: nothing, the skill is suggested to the model, or
   * it is activated where the consent handler approves. Default `suggest`.
   */
  readonly triggers?: TriggerMode
}

/** Fills in the defaults. */
export function resolveTurns({ triggers = 'suggest' }: TurnSettingsOptions): TurnSettings {
  return { triggers }
}
