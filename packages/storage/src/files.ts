import { createHash } from 'node:crypto'
import { SkillError } from '@repertoire/core'
import { LRUCache } from 'lru-cache'
import type { EngineCall } from './deadline.ts'
import type { StorageEngine } from './engine.ts'

/** The most that is sent or asked for at once. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024
const MAX_BATCH_ITEMS = 500

/** The SHA-256 of bytes, or of a text as UTF-8, in hex. */
export function hashOf(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex')
}

/** Divides items, in their order, so that none of the parts is large unless it is one item. */
export function batchesOf<T>(items: Iterable<T>, sizeOf: (item: T) => number): readonly (readonly T[])[] {
  const batches: T[][] = []
  let bytes = 0
  for (const item of items) {
    const size = sizeOf(item)
    const last = batches.at(-1)
    if (last === undefined || last.length >= MAX_BATCH_ITEMS || bytes + size > MAX_BATCH_BYTES) {
      batches.push([item])
      bytes = size
    } else {
      last.push(item)
      bytes += size
    }
  }
  return batches
}

/** Reads files, those of all tenants through one memory. Callers must not change the bytes that it returns. */
export interface FileReader {
  /** @returns the bytes by their hashes; what is missing or is not what its hash says is left out */
  readAll(files: Iterable<{ readonly hash: string; readonly size: number }>): Promise<ReadonlyMap<string, Uint8Array>>
  /** @throws {SkillError} RESOURCE_REFUSED */
  read(
    file: { readonly hash: string; readonly size: number; readonly path: string },
    location: string,
  ): Promise<Uint8Array>
}

/** @param call makes a call of the engine */
export function fileReader(engine: StorageEngine, cacheBytes: number, call: EngineCall): FileReader {
  const cache =
    cacheBytes === 0
      ? undefined
      : new LRUCache<string, Uint8Array>({ maxSize: cacheBytes, sizeCalculation: ({ length }) => length + 200 })
  const reader: FileReader = {
    async readAll(files) {
      const found = new Map<string, Uint8Array>()
      const missing = new Map<string, number>()
      for (const { hash, size } of files) {
        const bytes = cache?.get(hash)
        if (bytes === undefined) missing.set(hash, size)
        else found.set(hash, bytes)
      }
      for (const batch of batchesOf(missing, ([, size]) => size)) {
        const total = batch.reduce((sum, [, size]) => sum + size, 0)
        const read = await call(() => engine.readFiles(batch.map(([hash]) => hash)), total)
        for (const [hash, bytes] of read) {
          if (hashOf(bytes) !== hash) continue
          cache?.set(hash, bytes)
          found.set(hash, bytes)
        }
      }
      return found
    },
    async read(file, location) {
      const bytes = (await reader.readAll([file])).get(file.hash)
      if (bytes !== undefined) return bytes
      const message = `What is stored of "${file.path}" in ${location} is missing, or is not what was saved. Save the file again.`
      throw new SkillError('RESOURCE_REFUSED', message, { path: `${location}/${file.path}` })
    },
  }
  return reader
}
