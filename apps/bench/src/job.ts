import type { ListingStyle } from '@repertoire/core'
import type { AdapterId } from './adapters/index.ts'
import type { ContestantId } from './contestants/index.ts'
import type { CallKind } from './measures/calls.ts'
import type { Soaked } from './soak/sample.ts'
import type { EngineId } from './stores/bare.ts'
import type { SessionStoreId, SessionTimes } from './stores/sessions.ts'
import type { TenantTimes } from './stores/tenants.ts'
import type { StoreExtent } from './stores/time.ts'

/** The job of a child process. Each does one thing and ends, so that caches are as cold as for a user. */
export type Job =
  | {
      readonly kind: 'scan'
      readonly contestant: ContestantId
      readonly root: string
      /** Milliseconds for the repeated scans. */
      readonly budget: number
      /** Modules to import before. */
      readonly preload?: readonly string[]
    }
  | { readonly kind: 'inspect'; readonly contestant: ContestantId; readonly root: string; readonly truth: string }
  | { readonly kind: 'lateModules'; readonly contestant: ContestantId; readonly root: string }
  | { readonly kind: 'truth'; readonly root: string; readonly truth: string }
  | { readonly kind: 'sample'; readonly root: string; readonly count: number; readonly sample: string }
  | { readonly kind: 'activate'; readonly root: string; readonly sample: string }
  | { readonly kind: 'readFolders'; readonly sample: string; readonly way: 'sync' | 'promises' }
  | { readonly kind: 'steps'; readonly root: string; readonly style: ListingStyle }
  | { readonly kind: 'reload'; readonly root: string }
  | { readonly kind: 'calls'; readonly of: CallKind; readonly batches: number }
  | {
      readonly kind: 'prompt'
      readonly contestant: ContestantId
      readonly root: string
      readonly truth: string
      /** A line for each skill, also where the contestant makes a list itself. */
      readonly plain?: boolean
    }
  | { readonly kind: 'agentSteps'; readonly adapter: AdapterId; readonly root: string; readonly runs: number }
  | { readonly kind: 'agentScripts'; readonly adapter: AdapterId; readonly runs: number }
  | { readonly kind: 'runners'; readonly runs: number }
  | { readonly kind: 'search'; readonly engine: SearchEngine; readonly root: string }
  | ({ readonly kind: 'stores'; readonly engine: EngineId } & StoreExtent)
  | { readonly kind: 'sessions'; readonly store: SessionStoreId; readonly runs: number }
  | { readonly kind: 'library'; readonly root: string; readonly count: number }
  | { readonly kind: 'soak'; readonly seconds: number; readonly seed: number }

interface Times {
  /** One after the other in one process. */
  readonly times: readonly number[]
}

/** Times in milliseconds, sizes in bytes. */
export interface Answers {
  readonly scan: {
    readonly first: number
    /** Each scan after the first. */
    readonly repeated: readonly number[]
    /** The most memory the process had at the end of the first scan, and how much of it the scan brought. */
    readonly peakRss: number
    readonly scanRss: number
  }
  readonly inspect: { readonly heap: Weight; readonly correctness: Correctness }
  readonly lateModules: { readonly urls: readonly string[] }
  /** How many skills the `yaml` package reads with a name and a description. */
  readonly truth: { readonly folders: number; readonly readable: number }
  readonly sample: { readonly count: number }
  /** `readings`: of the same folders, read and hashed in turns with the activations. */
  readonly activate: Times & { readonly readings: readonly number[] }
  readonly readFolders: Times
  /** `characters`: what a model is shown in the first step. */
  readonly steps: Times & { readonly characters: number }
  readonly reload: Times
  readonly calls: Times
  readonly prompt: {
    readonly taken: number
    readonly characters: number
    readonly listsItself: boolean
    readonly correctness: Correctness
  }
  readonly agentSteps: Sides
  readonly agentScripts: Sides
  readonly runners: Readonly<Record<RunnerId, RunnerTimes>>
  readonly search: {
    readonly skills: number
    /** The first search, which makes the index. */
    readonly build: number
    /** What the index keeps. */
    readonly bytes: number
    /** A query of several words each, and of one each. */
    readonly phrases: readonly number[]
    readonly words: readonly number[]
  }
  readonly stores: StoreTimes | { readonly absent: string }
  readonly sessions: SessionTimes | { readonly absent: string }
  readonly library: Readonly<Record<LibraryWork, { readonly own: readonly number[]; readonly bare: readonly number[] }>>
  readonly soak: Soaked
}

/** What is timed of a store on files and of a lock. */
export type LibraryWork = 'save' | 'saveResource' | 'scan' | 'load' | 'verify' | 'changeLock'

/** Medians of a step's time, one for each run: without ours, and with it. */
interface Sides {
  readonly plain: readonly number[]
  readonly skilled: readonly number[]
}

/** What searches: ours, or a library for it. */
export type SearchEngine = 'repertoire' | 'minisearch'

export type RunnerId = 'virtual' | 'bubblewrap' | 'process'

/** A runner, and what it runs on with nothing of ours. The first of each is the first of its process. */
export type RunnerTimes =
  | { readonly own: readonly number[]; readonly bare: readonly number[] }
  | { readonly absent: string }

/** A store on an engine beside the bare client, and its catalog beside one of folders. */
interface StoreTimes {
  readonly saves: Beside<'bare'>
  readonly loads: Beside<'bare'>
  readonly scan: Beside<'folder'>
  readonly activate: Beside<'folder'>
  readonly tenants: TenantTimes
}

type Beside<T extends string> = Readonly<Record<'own' | T, readonly number[]>>

/** How much memory a scan leaves behind. */
export interface Weight {
  /** What goes away with its result. */
  readonly kept: number
  /** What stays besides: code and caches. */
  readonly besides: number
}

/** What a contestant found, compared with what the `yaml` package reads. */
export interface Correctness {
  /** Skills that it returned. */
  readonly found: number
  /** Skills with the description that the `yaml` package reads. */
  readonly right: number
  /** Skills that the `yaml` package reads otherwise. */
  readonly wrong: number
  /** Skills that the `yaml` package reads, and it does not return. */
  readonly missed: number
  /** Skills that it returns, and the `yaml` package does not read: repaired, or made up. */
  readonly beyond: number
}
