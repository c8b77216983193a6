/** What a contestant read of one skill. */
export interface ReadSkill {
  /** The name of the skill's folder. */
  readonly folder: string
  readonly description: string
}

/** Something that finds the skills below a folder, imported, with nothing done yet. */
export interface Contestant {
  /** Imports what the first scan would otherwise import. Scans are timed without imports. */
  readonly warmUp?: () => Promise<unknown>
  /** Does everything up to a list of skills in memory, as its users would. The result is kept while memory is measured. */
  readonly scan: () => unknown
  /** Scans again, for a program that keeps running. Default: it cannot. */
  readonly reload?: (result: never) => Promise<unknown>
  /** Converts the result of a scan for the comparison. Not timed. */
  readonly read: (result: never) => Iterable<ReadSkill>
  /** Scans, and returns the text that shows a model the skills. Default: a line with name and description for each. */
  readonly firstPrompt?: () => Promise<string>
}

/** Prepares a contestant for a folder whose folders are skills. */
export type Prepare = (root: string) => Contestant | Promise<Contestant>
