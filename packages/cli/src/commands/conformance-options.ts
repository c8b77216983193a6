/** How a report can be written. */
export const FORMATS = ['terminal', 'markdown', 'json', 'junit'] as const

export type Format = (typeof FORMATS)[number]

/** The options of `repertoire conformance`, as parsed. */
export interface ConformanceOptions {
  readonly adapter?: readonly string[]
  readonly driver?: readonly string[]
  readonly check?: readonly string[]
  readonly format?: Format
  readonly json?: true
  readonly output?: string
}
