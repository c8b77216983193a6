/** Under what a log is judged again. */
export interface WhatIfSettings {
  readonly mode: 'restrict' | 'preapprove' | 'advisory'
  /** Rules, one per line. Undefined: the policy allows every tool. */
  readonly allow: readonly string[] | undefined
  readonly deny: readonly string[]
  readonly ask: readonly string[]
  readonly protect: readonly string[]
  /** Skills that are judged as if they were not active. */
  readonly without: readonly string[]
}

/** The settings that change nothing of what skills ask for. */
export const NO_CHANGES: WhatIfSettings = {
  mode: 'restrict',
  allow: undefined,
  deny: [],
  ask: [],
  protect: [],
  without: [],
}

/** Why a call cannot be judged again whose input the audit did not record. */
export const NO_INPUT = 'The log does not hold its input.'

/** What the gate says of one call of the log. */
export interface Rejudged {
  /** The place of the call in the run. */
  readonly call: number
  /** The place of its step. */
  readonly step: number
  /** The call in one line. */
  readonly text: string
  readonly recorded: 'allowed' | 'refused' | 'against the rules'
  /** `unjudged`: it cannot be judged again; `reason` says why. */
  readonly verdict: 'allowed' | 'refused' | 'asked' | 'against the rules' | 'unjudged'
  readonly changed: boolean
  readonly reason: string
  /** The rule or the list that decided. */
  readonly by: string
}
