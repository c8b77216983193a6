/** What a step shows to the model. Each list has at most 500 entries; `more` counts what is not in it. Tokens are estimates. */
export interface ShownSkills {
  /** The number of the step in this session, from 1. */
  readonly step: number
  /** The listed skills, in the order of the list. */
  readonly skills: readonly ShownSkill[]
  /** The skills of the catalog that are not in the list. */
  readonly left: readonly LeftSkill[]
  /** The names of the tools that the model is offered: the host's, then the session's. */
  readonly tools: readonly string[]
  /** The host's tools that the model is not offered, since no call of them would be allowed. Absent: none. */
  readonly withheld?: readonly WithheldTool[]
  readonly tokens: ShownTokens
  /** SHA-256 of the system prompt, hex. */
  readonly digest: string
  /** The system prompt, redacted and cut at 32,000 characters. Only with `inputs: 'redacted'`. */
  readonly text?: string
  /** How many entries each list lacks. Absent: none. */
  readonly more?: { readonly [List in 'skills' | 'left' | 'tools' | 'withheld']?: number }
}

/** A skill in the list. */
export interface ShownSkill {
  readonly name: string
  /** How much of its description the list has: all of it, its beginning, or none, so that there is only the name. */
  readonly as: 'whole' | 'shortened' | 'name'
  /** The tokens of its entry. */
  readonly tokens: number
}

/** A skill that is not in the list. */
export interface LeftSkill {
  readonly name: string
  /** What became of it, as `explain` says it. `not-matched`: it does not fit the task, in the listing style `matched`. */
  readonly why: 'cut' | 'hidden' | 'shadowed' | 'inactive' | 'refused' | 'broken' | 'not-matched'
  /** The sentence of `explain`, with what to do about it. */
  readonly reason: string
}

/** A tool of the host's that the model is not offered. */
export interface WithheldTool {
  readonly tool: string
  /** The active skill whose rules withhold it. Absent: the host's policy or the adapter does, as `reason` says. */
  readonly skill?: string
  readonly reason: string
}

/** The tokens of a model call by part. Together they are what is sent. */
export interface ShownTokens {
  /** The system prompt without the list and without instructions: the host's own, and the guidance. */
  readonly system: number
  /** The list of skills. */
  readonly list: number
  /** The instructions of active skills, wherever the model reads them. */
  readonly bodies: number
  /** The definitions of the tools, without those in the list. */
  readonly tools: number
  /** The conversation, without the instructions in it. Absent: the adapter did not say what it sends. */
  readonly messages?: number
}
