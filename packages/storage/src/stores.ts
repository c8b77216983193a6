import { type Layer, SkillError, type SkillStore } from '@repertoire/core'
import {
  type OptionTable,
  checkOptions,
  layerKind,
  number,
  required,
  withDefault,
  withMethods,
} from '@repertoire/core/options'
import { LRUCache } from 'lru-cache'
import { blobReader } from './blobs.ts'
import { type EngineCall, callInTime } from './deadline.ts'
import type { HeadWrite, StorageEngine, StoredHead, SweepResult } from './engine.ts'
import { headReader } from './heads/head-reader.ts'
import { seenHeads } from './heads/seen-heads.ts'
import { type TenantHeads, tenantHeads } from './heads/tenant-heads.ts'
import { tenantPart } from './namespace.ts'
import { tenantStore } from './store/skill-store.ts'
import { randomUUID } from 'node:crypto'

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_TENANTS = 100
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024
const DEFAULT_SWEEP_MS = 24 * 60 * 60 * 1000

/** What large files add to the time of a call: a second for each megabyte. */
const BYTES_A_MS = 1_000

/** A sweep reads all heads of all tenants. */
const SWEEP_TIMEOUT_MS = 30 * 60 * 1000

/** The shortest age of what is swept: longer than any write takes. */
const MIN_SWEEP_MS = 60 * 60 * 1000

/** Options of `openSkillStores`. */
export interface SkillStoresOptions {
  readonly engine: StorageEngine
  /** How far all tenants' skills are trusted. The host chooses it. Default `project`. */
  readonly layer?: Layer | undefined
  /** How many tenants' lists of skills are kept in memory: the ones that were asked for last. Default 100. */
  readonly maxTenants?: number | undefined
  /** How many bytes of files are kept in memory, for all tenants together. Default 64 MiB; 0: none. */
  readonly cacheBytes?: number | undefined
  /**
   * How long one call of the engine may take, with all tries where the connection is lost, in milliseconds, and a second
   * more for each megabyte that it moves; and how long a write is tried again that others come before. Default 10,000.
   */
  readonly timeout?: number | undefined
}

/** Options of `sweep`. */
export interface SweepOptions {
  /** The age from which data is removed, in milliseconds. Default a day, at least an hour. */
  readonly olderThan?: number | undefined
}

const engineMethods = ['open', 'read', 'changes', 'write', 'readBlobs', 'removeTenant', 'sweep', 'close'] as const

export const STORES_OPTIONS: OptionTable<SkillStoresOptions> = {
  engine: required(withMethods('an engine, such as postgresEngine({ pool })', ...engineMethods)),
  layer: withDefault('project', layerKind),
  maxTenants: withDefault(DEFAULT_TENANTS, number('tenants', { from: 1, isWhole: true })),
  cacheBytes: withDefault(DEFAULT_CACHE_BYTES, number('bytes', { from: 0, isWhole: true })),
  timeout: withDefault(DEFAULT_TIMEOUT_MS, number('milliseconds', { from: 1 })),
}

const SWEEP_OPTIONS: OptionTable<SweepOptions> = {
  olderThan: withDefault(DEFAULT_SWEEP_MS, number('milliseconds', { from: MIN_SWEEP_MS })),
}

/** The stores of all tenants on one engine. */
export interface SkillStores {
  /**
   * The store of a tenant. Nothing is asked for until it is used, and it can be kept, or asked for again, as one likes: it
   * is the tenant's list of skills that is let go of while others are used.
   * @param name any text of at most 128 bytes. No other tenant's skills can be reached by it
   * @throws {TypeError} it is empty, too long, or not Unicode
   */
  tenant(name: string): SkillStore
  /** Removes all skills of a tenant. The next sweep removes their files, unless another tenant has the same files. */
  removeTenant(name: string): Promise<void>
  /** Removes files that no skill has any longer. To be called now and then, from one machine; several do no harm. */
  sweep(options?: SweepOptions): Promise<SweepResult>
  /** Ends what was opened for the stores. The client is the host's, and stays open. */
  close(): Promise<void>
}

/**
 * Opens an engine for skills, after it was tried: one that accepts stale writes is not used.
 * @throws {SkillError} STORAGE_UNSUITABLE; STORAGE_UNAVAILABLE, TIMED_OUT: it does not answer
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export async function openSkillStores(options: SkillStoresOptions): Promise<SkillStores> {
  checkOptions('openSkillStores', STORES_OPTIONS, options, 'openSkillStores({ engine })')
  const {
    engine,
    layer = 'project',
    maxTenants = DEFAULT_TENANTS,
    cacheBytes = DEFAULT_CACHE_BYTES,
    timeout = DEFAULT_TIMEOUT_MS,
  } = options
  const inTime = <T>(timeoutMs: number, run: () => Promise<T>): Promise<T> =>
    callInTime({ engine: engine.name, timeoutMs }, run)
  const call: EngineCall = (run, bytes = 0) => inTime(timeout + bytes / BYTES_A_MS, run)
  try {
    await call(() => engine.open())
    await probeEngine(engine, call)
  } catch (error) {
    await engine.close()
    throw error
  }

  const blobs = blobReader(engine, cacheBytes, call)
  const lists = new LRUCache<string, () => Promise<TenantHeads>>({ max: maxTenants })
  const headsOf = (tenant: string): Promise<TenantHeads> => {
    const refresh = lists.get(tenant) ?? tenantHeads(engine, tenant, call)
    lists.set(tenant, refresh)
    return refresh()
  }
  const seenOf = seenHeads()
  const inTurn = turns()
  return {
    tenant(name) {
      const tenant = tenantPart(name)
      const seen = seenOf(tenant)
      return tenantStore({
        id: `${engine.name}:${tenant}`,
        layer,
        tenant,
        engine,
        blobs,
        call,
        timeoutMs: timeout,
        seen,
        read: headReader(engine, tenant, call, seen),
        heads: () => headsOf(tenant),
        inTurn: (skill, run) => inTurn(`${tenant}/${skill}`, run),
      })
    },
    async removeTenant(name) {
      const tenant = tenantPart(name)
      await call(() => engine.removeTenant(tenant))
    },
    async sweep(wanted = {}) {
      checkOptions('sweep', SWEEP_OPTIONS, wanted)
      const { olderThan = DEFAULT_SWEEP_MS } = wanted
      return inTime(SWEEP_TIMEOUT_MS, () => engine.sweep(olderThan))
    },
    close: () => engine.close(),
  }
}

/** Runs what has the same key one after the other. */
function turns(): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, run) => {
    const next = (last.get(key) ?? Promise.resolve()).then(run, run)
    last.set(key, next)
    try {
      return await next
    } finally {
      if (last.get(key) === next) last.delete(key)
    }
  }
}

/** No name of a tenant becomes such a part: after `_` there are two hexadecimal digits. */
const PROBE_TENANT = '_probe'

/**
 * Tries whether an engine keeps what a store relies on: a write on the condition that nothing is there, or that a known
 * version is, happens if it is so and otherwise not; and what was written is read at once.
 * @param call makes a call of the engine
 * @throws {SkillError} STORAGE_UNSUITABLE, with what it does instead
 */
async function probeEngine(engine: StorageEngine, call: EngineCall): Promise<void> {
  const tenant = `${PROBE_TENANT}-${randomUUID()}`
  const isWritten = async (expected: string | undefined, text: string | null): Promise<boolean> => {
    const head: HeadWrite = { tenant, skill: 'probe', expected, version: randomUUID(), text, blobs: [] }
    return (await call(() => engine.write(head))) !== undefined
  }
  const find = (): Promise<StoredHead | undefined> => call(() => engine.read(tenant, 'probe'))
  const read = async (text: string): Promise<string> => {
    const head = await find()
    if (head?.text === text) return head.token
    const found = head === undefined ? 'nothing' : 'an older version'
    throw unsuitable(engine, `reads ${found} right after a write, or lost the write to another`)
  }
  try {
    if (!(await isWritten(undefined, '1'))) throw unsuitable(engine, 'refuses the first write of a new key')
    const first = await read('1')
    if (await isWritten(undefined, '2')) {
      throw unsuitable(engine, 'accepts a write on the condition that nothing is there, although something is')
    }
    if (!(await isWritten(first, '3'))) throw unsuitable(engine, 'refuses a write that is based on what is there')
    const third = await read('3')
    if (await isWritten(first, '4')) {
      throw unsuitable(engine, 'accepts a write that is based on an older version than the stored one')
    }
    await read('3')
    if (!(await isWritten(third, null)) || (await find()) !== undefined) {
      throw unsuitable(engine, 'does not remove what is there')
    }
  } finally {
    await call(() => engine.removeTenant(tenant))
  }
}

function unsuitable({ name }: StorageEngine, fault: string): SkillError {
  const message = `The storage "${name}" is not used: it ${fault}. With two machines it would lose skills without a word. Use a server that keeps conditional writes.`
  return new SkillError('STORAGE_UNSUITABLE', message)
}
