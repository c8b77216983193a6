import type { Diagnostic, SkillContent, SkillStore } from '@repertoire/core'
import type { StorageEngine } from '../src/index.ts'

/** What the suite needs of an engine's server. */
export interface EngineSubject {
  /** An engine in its own space. */
  readonly engine: (space: string) => StorageEngine
  /** Makes all files older than any that is swept. */
  readonly age: (space: string) => Promise<void>
  /** Replaces the bytes of a file; undefined: it is removed. */
  readonly damage: (space: string, hash: string, bytes: Buffer | undefined) => Promise<void>
  /** How many calls have gone to the server: all, or those for the space where a client repeats calls by itself. */
  readonly roundTrips: (space: string) => number
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Runs something at the moment between a sweep's look at the records and its removal of files. */
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
  const seen = { records: 0, files: 0 }
  const wrapped: StorageEngine = {
    ...engine,
    async read(key, known) {
      const reading = await engine.read(key, known)
      if (reading.text !== undefined) seen.records++
      return reading
    },
    async readFiles(hashes) {
      seen.files += hashes.length
      return engine.readFiles(hashes)
    },
    ...changes,
  }
  return { engine: wrapped, seen }
}
