import type { ProtocolName } from '@repertoire/conformance'

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
  readonly adapter?: readonly string[]
  readonly driver?: readonly string[]
  readonly check?: readonly string[]
  readonly protocol?: readonly ProtocolName[]
  readonly list?: true
  readonly format?: Format
  readonly json?: true
  readonly output?: string
}
