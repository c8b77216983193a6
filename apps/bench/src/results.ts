import type { Discovery } from './measures/discovery.ts'
import type { ImportCost } from './measures/imports.ts'
import type { LateImports } from './measures/late.ts'
import type { Use } from './measures/use.ts'
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

/** Everything that a run found, as it is written as JSON. Times in milliseconds, sizes in bytes. */
export interface Results {
  readonly version: 1
  readonly date: string
  readonly machine: Machine
  /** What of this project was measured: the built packages or the sources. */
  readonly measured: 'dist' | 'source'
  readonly seed: number
  readonly discoveries: readonly Discovery[]
  readonly late?: LateImports
  readonly use?: Use
  readonly imports?: { readonly bare: Summary; readonly entries: readonly ImportCost[] }
  readonly aims: readonly Aim[]
}
