import type { Layer, SkillError } from '@repertoire/core'
import type { BlobReader } from '../blobs/blob-reader.ts'
import type { EngineCall } from '../deadline.ts'
import type { StorageEngine } from '../engine.ts'
import { headOrError, type Head } from '../heads/head.ts'
import type { TenantHeads } from '../heads/tenant-heads.ts'
import { keyPart } from '../namespace.ts'

/** What the parts of a tenant's store work with. */
export interface TenantContext {
  /** The id of the store, and the beginning of every location. */
  readonly id: string
  readonly layer: Layer
  /** The part of the keys. */
  readonly tenant: string
  readonly engine: StorageEngine
  readonly blobs: BlobReader
  /** Those that are kept in memory, or new ones that begin with nothing. */
  readonly heads: () => TenantHeads
  /** Makes a call of the engine, within the time for it. */
  readonly call: EngineCall
  /** Runs the writes of a skill one after the other, in this process. */
  readonly inTurn: <T>(name: string, run: () => Promise<T>) => Promise<T>
  /** How long a write that others come before is tried again. */
  readonly timeoutMs: number
}

/** What is stored under a name: a skill, or what is not one. */
export interface StoredNow {
  readonly token: string
  readonly head: Head | SkillError
}

/** Reads what is stored under a name now. A name that is not one part of a key is nobody's. */
export async function storedNow({ engine, tenant, call }: TenantContext, name: string): Promise<StoredNow | undefined> {
  const part = keyPart(name)
  const head = part === undefined ? undefined : await call(() => engine.read(tenant, part))
  return head && { token: head.token, head: headOrError(name, head) }
}
