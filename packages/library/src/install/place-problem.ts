/** A link or a copy for another client that is not what it should be. Nothing of somebody else is overwritten. */
export interface PlaceProblem {
  readonly skill: string
  /** Relative to the project: `.claude/skills`. */
  readonly folder: string
  readonly kind: 'link' | 'copy'
  /** As a sentence, with what to do. */
  readonly reason: string
}
