import type { Manifest, Profile } from '../types.ts'
import type { Told } from './diagnostics.ts'

/** What the reading of a frontmatter gave. */
interface Outcome {
  readonly manifest: Manifest
  readonly told: readonly Told[]
}

/** What the outcome depends on beside the frontmatter's text and the profile. */
interface Place {
  readonly path: string
  readonly folderName?: string
}

/**
 * What was read of the frontmatters of one scan. Most skills are the same in the next one, and what a text that is the
 * same gives in the same place is the same: then it is not read again.
 */
export interface Memory {
  /** Held for as long as what this scan read is to be known to later ones. */
  readonly held: object
  /**
   * What a frontmatter gave in this place, in this scan or one before it.
   * @param key the SHA-256 of its bytes, or its text: two that differ never have the same
   */
  recall(key: string, place: Place): Outcome | undefined
  keep(key: string, place: Place, manifest: Manifest, told: readonly Told[]): void
}

interface Remembered extends Outcome {
  readonly folderName: string | undefined
}

interface Table {
  readonly profile: Profile
  /** A manifest alone: nothing was said, and it has its folder's name. */
  readonly outcomes: Map<string, Manifest | Remembered>
}

const MOST_SCANS = 4

/** The last scans of the program that someone still holds, latest first. */
let recent: readonly WeakRef<Table>[] = []

/** The memory of a new scan. It knows what the last scans with its profile read. */
export function createMemory(profile: Profile): Memory {
  const known = recent.flatMap((reference) => reference.deref() ?? [])
  const own: Table = { profile, outcomes: new Map() }
  const tables = [own, ...known].slice(0, MOST_SCANS)
  recent = tables.map((table) => new WeakRef(table))
  const usable = tables.filter((table) => table.profile === profile)
  return {
    held: own,
    recall(key, place) {
      for (const table of usable) {
        const outcome = table.outcomes.get(key)
        const fitting = outcome && fit(outcome, place)
        if (fitting === undefined) continue
        if (table !== own) own.outcomes.set(key, outcome!)
        return fitting
      }
      return undefined
    },
    keep(key, { folderName }, manifest, told) {
      const bare = told.length === 0 && manifest.name === folderName
      own.outcomes.set(key, bare ? manifest : { manifest, told, folderName })
    },
  }
}

/** The outcome, if it is that of this place too. */
function fit(outcome: Manifest | Remembered, { path, folderName }: Place): Outcome | undefined {
  if (!('told' in outcome)) return outcome.name === folderName ? { manifest: outcome, told: NONE } : undefined
  const [first] = outcome.told
  return outcome.folderName === folderName && (first === undefined || first.path === path) ? outcome : undefined
}

const NONE: readonly Told[] = []
