/** One prompt, and what should happen. */
export interface EvalCase {
  /** Unique in its file: `pdf/1`, `pdf/trigger-3`. */
  readonly id: string
  readonly prompt: string
  /** The skill that the case is about. Absent: the file names none. */
  readonly skill?: string
  /** Whether a model should activate `skill`. Absent: the file does not say. */
  readonly shouldTrigger?: boolean
  /** The skill that should be activated instead. */
  readonly owner?: string
  /** Files of the workspace in which the case runs. */
  readonly files: readonly EvalFile[]
  readonly assertions: readonly EvalAssertion[]
  /** Where the case is written. */
  readonly place: { readonly file: string; readonly line: number }
}

/** A file or a folder of a workspace. */
export interface EvalFile {
  /** Below the workspace, with `/`. */
  readonly path: string
  /** Where it is copied from, absolute. Absent: it has `content`, or does not exist. */
  readonly from?: string
  readonly content?: string
}

/** What is checked after a run. `judge` needs a person or a model; the others are checked by `checkAssertions`. */
export type EvalAssertion =
  | { readonly type: 'contains' | 'not-contains'; readonly value: string }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'judge'; readonly text: string }
