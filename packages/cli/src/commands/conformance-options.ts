import type { ProtocolName, Report, RunOptions } from '@repertoire/conformance'

/** How a report can be written. */
export const FORMATS = ['terminal', 'markdown', 'json', 'junit'] as const

export type Format = (typeof FORMATS)[number]

/** The vendors' protocols that variants speak. */
export const PROTOCOLS = [
  'openai',
  'openai-responses',
  'anthropic',
  'gemini',
] as const satisfies readonly ProtocolName[]

/** The options of `repertoire conformance`, as parsed. */
export interface ConformanceOptions {
  readonly adapter?: readonly string[] | undefined
  readonly driver?: readonly string[] | undefined
  readonly host?: readonly string[] | undefined
  readonly check?: readonly string[] | undefined
  readonly protocol?: readonly ProtocolName[] | undefined
  readonly list?: true | undefined
  readonly format?: Format | undefined
  readonly json?: true | undefined
  readonly output?: string | undefined
}

/** What a command line asks for: adapters or hosts, and the checks to run on them. */
export interface Suite {
  /** How many results there will be. */
  readonly count: number
  /** What would be run, as text or as JSON. */
  list(json: boolean): string
  run(onResult: NonNullable<RunOptions['onResult']>): Promise<Report>
}
