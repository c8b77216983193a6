import type { Agents } from './measures/agents.ts'
import type { Discovery } from './measures/discovery.ts'
import type { FirstPrompt } from './measures/first-prompt.ts'
import type { ImportCost } from './measures/imports.ts'
import type { LibraryRow } from './measures/library.ts'
import type { LateImports } from './measures/late.ts'
import type { RunnerRow } from './measures/runners.ts'
import type { SearchCost } from './measures/search.ts'
import type { SessionRow, StoreRow } from './measures/stores.ts'
import type { Use } from './measures/use.ts'
import type { Soaked } from './soak/sample.ts'
import type { Summary } from './statistics.ts'

/** A target, and the measured value. */
export interface Aim {
  readonly title: string
  readonly limit: string
  readonly measured: string
  /** Undefined: it could not be measured, which counts as missed. */
  readonly met: boolean | undefined
}

/** Where it was measured. Absolute times mean something on this machine alone. */
export interface Machine {
  readonly node: string
  readonly platform: string
  readonly processor: string
  readonly cores: number
  /** Running processes, over the last minute, before and after. */
  readonly load: readonly [before: number, after: number]
  readonly cache: 'warm'
}

/** What a run measured: the parts that it was asked for. Times in milliseconds, sizes in bytes. */
export interface Measured {
  readonly discoveries: readonly Discovery[]
  readonly late?: LateImports
  readonly prompt?: FirstPrompt
  readonly use?: Use
  readonly search?: SearchCost
  readonly agents?: Agents
  readonly runners?: readonly RunnerRow[]
  readonly stores?: readonly StoreRow[]
  readonly sessions?: readonly SessionRow[]
  readonly library?: readonly LibraryRow[]
  readonly imports?: { readonly bare: Summary; readonly entries: readonly ImportCost[] }
  readonly soak?: Soaked
}

/** Everything that a run found, as it is written as JSON. */
export interface Results extends Measured {
  readonly version: 1
  readonly date: string
  readonly machine: Machine
  /** What of this project was measured: the built packages or the sources. */
  readonly measured: 'dist' | 'source'
  readonly seed: number
  readonly aims: readonly Aim[]
}
