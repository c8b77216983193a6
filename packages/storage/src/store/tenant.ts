import type { Layer } from '@repertoire/core'
import type { BlobReader } from '../blobs.ts'
import type { EngineCall } from '../deadline.ts'
import type { StorageEngine } from '../engine.ts'
import type { SeenHeads, StoredNow } from '../heads/seen-heads.ts'
import type { TenantHeads } from '../heads/tenant-heads.ts'

/** What the parts of a tenant's store work with. */
export interface TenantContext {
  /** The id of the store, and the beginning of every location. */
  readonly id: string
  readonly layer: Layer
  /** The part of the keys. */
  readonly tenant: string
  readonly engine: StorageEngine
  readonly blobs: BlobReader
  /** Asks for what has changed since the heads that are kept in memory, and returns all. */
  readonly heads: () => Promise<TenantHeads>
  /** Reads what is stored under a name now. Names that are asked for at once are one call, where the engine has one. */
  readonly read: (name: string) => Promise<StoredNow | undefined>
  /** What this process has read or written last, which others may have replaced since. */
  readonly seen: SeenHeads
  /** Makes a call of the engine, within the time for it. */
  readonly call: EngineCall
  /** Runs the writes of a skill one after the other, in this process. */
  readonly inTurn: <T>(name: string, run: () => Promise<T>) => Promise<T>
  /** How long a write that others come before is tried again. */
  readonly timeoutMs: number
}
