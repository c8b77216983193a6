import type { Diagnostic, SkillContent, SkillStore } from '@repertoire/core'
import type { StorageEngine } from '../src/index.ts'

/** What the suite needs of an engine's server. */
export interface EngineSubject {
  /** An engine in a space of its own. */
  readonly engine: (space: string) => StorageEngine
  /** Makes all blobs older than any that is swept. */
  readonly age: (space: string) => Promise<void>
  /** Replaces the bytes of a blob; undefined: it is removed. */
  readonly damage: (space: string, hash: string, bytes: Buffer | undefined) => Promise<void>
  /** How many calls have gone to the server. */
  readonly roundTrips: () => number
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Runs something at the moment between a sweep's look at the heads and its removal of blobs. */
  readonly duringSweep: (
    space: string,
    sweep: (engine: StorageEngine) => Promise<unknown>,
    run: () => Promise<void>,
  ) => Promise<void>
}

export function skill(name: string, content = 'Do it.\n'): SkillContent {
  return { manifest: { name, description: `What ${name} is for.` }, definition: { type: 'instruction', content } }
}

/** The skills that a scan finds, and what it reports. */
export async function scanned(store: SkillStore) {
  const names: string[] = []
  const diagnostics: Diagnostic[] = []
  for await (const item of store.scan()) {
    if ('code' in item) diagnostics.push(item)
    else names.push(item.folderName)
  }
  return { names, diagnostics }
}

/** An engine whose calls are counted, and can be changed. */
export function observed(engine: StorageEngine, changes: Partial<StorageEngine> = {}) {
  const seen = { heads: 0, wholes: 0, blobs: 0 }
  const wrapped: StorageEngine = {
    ...engine,
    async changes(tenant, cursor) {
      const answer = await engine.changes(tenant, cursor)
      seen.heads += answer.heads.size
      if (answer.isWhole) seen.wholes++
      return answer
    },
    async readBlobs(hashes) {
      seen.blobs += hashes.length
      return engine.readBlobs(hashes)
    },
    ...changes,
  }
  return { engine: wrapped, seen }
}
