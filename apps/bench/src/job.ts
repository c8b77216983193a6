import type { ListingStyle } from '@repertoire/core'
import type { AdapterId } from './adapters/index.ts'
import type { ContestantId } from './contestants/index.ts'
import type { ShownCall } from './measures/in-use.ts'
import type { RunnerId } from './measures/runner-runs.ts'
import type { EngineId } from './measures/saves.ts'
import type { SearchFigure } from './measures/searches.ts'

/** The job of a child process. Each process does one job, so its caches are as cold as a user's. */
export type Job =
  | { readonly kind: 'truth'; readonly root: string; readonly truth: string }
  | {
      readonly kind: 'scan'
      readonly contestant: ContestantId
      readonly root: string
      /** About how many milliseconds the repeated scans may take together. */
      readonly budget: number
    }
  | {
      readonly kind: 'inspect' | 'prompt'
      readonly contestant: ContestantId
      readonly root: string
      readonly truth: string
    }
  | { readonly kind: 'activations'; readonly folder: string }
  | { readonly kind: 'calls'; readonly call: ShownCall }
  | { readonly kind: 'steps'; readonly root: string; readonly style: ListingStyle }
  | { readonly kind: 'search'; readonly root: string; readonly figure: SearchFigure }
  | { readonly kind: 'agent'; readonly adapter: AdapterId; readonly root: string }
  | { readonly kind: 'runner'; readonly runner: RunnerId }
  | { readonly kind: 'saves'; readonly engine: EngineId }

/** Times in milliseconds, sizes in bytes. */
export interface Answers {
  /** How many skills the `yaml` package reads with a name and a description. */
  readonly truth: { readonly readable: number }
  readonly scan: ScanTimes
  readonly inspect: { readonly kept: number; readonly correctness: Correctness }
  readonly prompt: { readonly taken: number; readonly characters: number; readonly correctness: Correctness }
  readonly activations: Pair
  readonly calls: Pair
  readonly steps: Pair
  readonly search: Pair
  readonly agent: Pair
  readonly runner: Pair
  readonly saves: Pair
}

/** What one process measured of ours, and of what ours is compared with. */
export interface Pair {
  readonly own: number
  readonly base?: number
}

export interface ScanTimes {
  readonly first: number
  /** Each scan after the first. */
  readonly repeated: readonly number[]
  /** Reloads without a change, of a contestant that can reload. */
  readonly reloads: readonly number[]
  /** The most memory that the process had used by the end of its first scan. */
  readonly peakRss: number
}

/** What a contestant found, compared with what the `yaml` package reads. */
export interface Correctness {
  /** Skills that it returned. */
  readonly found: number
  /** Skills with the description that the `yaml` package reads. */
  readonly right: number
  /** Skills that the `yaml` package reads otherwise. */
  readonly wrong: number
  /** Skills that the `yaml` package reads and the contestant does not return. */
  readonly missed: number
  /** Skills that the contestant returns and the `yaml` package does not read. */
  readonly beyond: number
}
