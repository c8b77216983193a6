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
import { type EngineCall, callInTime } from './deadline.ts'
import type { StorageEngine, SweepResult } from './engine.ts'
import { fileReader } from './files.ts'
import { tenantPart } from './namespace.ts'
import { tenantStore } from './store/skill-store.ts'
import { changeSkills, type TenantContext, type TenantMemory } from './store/tenant.ts'
import { randomUUID } from 'node:crypto'

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_TENANTS = 100
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024
const DEFAULT_WATCH_MS = 5_000
export const DEFAULT_SWEEP_MS = 24 * 60 * 60 * 1000

/** What large files add to the time of a call: a second for each megabyte. */
const BYTES_A_MS = 1_000

/** A sweep reads all records. */
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
   * How long one call of the engine may take, with all tries where the connection is lost, in milliseconds, and a
   * second more for each megabyte; and how long a write is tried again that others come before. Default 10,000.
   */
  readonly timeout?: number | undefined
  /** How often a watched tenant is looked at, in milliseconds. Default 5,000. */
  readonly watchInterval?: number | undefined
}

/** Options of `sweep`. */
export interface SweepOptions {
  /** The age from which data is removed, in milliseconds. Default a day, at least an hour. */
  readonly olderThan?: number | undefined
}

const engineMethods = ['open', 'read', 'replace', 'readFiles', 'sweep'] as const

/** An engine as an option. */
export const engineKind = withMethods('an engine, such as postgresEngine({ pool })', ...engineMethods)

export const STORES_OPTIONS: OptionTable<SkillStoresOptions> = {
  engine: required(engineKind),
  layer: withDefault('project', layerKind),
  maxTenants: withDefault(DEFAULT_TENANTS, number('tenants', { from: 1, isWhole: true })),
  cacheBytes: withDefault(DEFAULT_CACHE_BYTES, number('bytes', { from: 0, isWhole: true })),
  timeout: withDefault(DEFAULT_TIMEOUT_MS, number('milliseconds', { from: 1 })),
  watchInterval: withDefault(DEFAULT_WATCH_MS, number('milliseconds', { from: 10 })),
}

const SWEEP_OPTIONS: OptionTable<SweepOptions> = {
  olderThan: withDefault(DEFAULT_SWEEP_MS, number('milliseconds', { from: MIN_SWEEP_MS })),
}

/** The stores of all tenants on one engine. */
export interface SkillStores {
  /**
   * The store of a tenant. Nothing is asked for until it is used, and it can be kept, or asked for again, as one likes:
   * it is the tenant's list of skills that is let go of while others are used.
   * @param name any text of at most 128 bytes. No other tenant's skills can be reached by it
   * @throws {TypeError} it is empty, too long, or not Unicode
   */
  tenant(name: string): SkillStore
  /** Removes all skills of a tenant. The next sweep removes their files, unless another tenant has the same files. */
  removeTenant(name: string): Promise<void>
  /** Removes files that no skill has any longer. To be called now and then, from one machine; several do no harm. */
  sweep(options?: SweepOptions): Promise<SweepResult>
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
    watchInterval = DEFAULT_WATCH_MS,
  } = options
  const inTime = <T>(timeoutMs: number, run: () => Promise<T>): Promise<T> =>
    callInTime({ engine: engine.name, timeoutMs }, run)
  const call: EngineCall = (run, bytes = 0) => inTime(timeout + bytes / BYTES_A_MS, run)
  await call(() => engine.open())
  await probeEngine(engine, call)

  const files = fileReader(engine, cacheBytes, call)
  const memories = new LRUCache<string, TenantMemory>({ max: maxTenants })
  const contextOf = (name: string): TenantContext => {
    const tenant = tenantPart(name)
    return {
      id: `${engine.name}:${tenant}`,
      layer,
      key: `skills/${tenant}`,
      engine,
      files,
      call,
      timeoutMs: timeout,
      get memory() {
        const memory = memories.get(tenant) ?? { seen: undefined }
        memories.set(tenant, memory)
        return memory
      },
    }
  }
  return {
    tenant: (name) => tenantStore(contextOf(name), watchInterval),
    async removeTenant(name) {
      await changeSkills(contextOf(name), () => ({ skills: new Map(), files: [], result: undefined }))
    },
    async sweep(wanted = {}) {
      checkOptions('sweep', SWEEP_OPTIONS, wanted)
      const { olderThan = DEFAULT_SWEEP_MS } = wanted
      return inTime(SWEEP_TIMEOUT_MS, () => engine.sweep(olderThan))
    },
  }
}

const PROBE = 'probe'

/**
 * Tries whether an engine keeps what a store relies on: a write happens if its condition holds and otherwise not, and
 * what was written is read at once. Several machines may do so at the same time, with one record, which stays.
 * @throws {SkillError} STORAGE_UNSUITABLE, with what it does instead
 */
async function probeEngine(engine: StorageEngine, call: EngineCall): Promise<void> {
  const replace = (expected: string | undefined): Promise<string | undefined> =>
    call(() => engine.replace({ key: PROBE, expected, text: JSON.stringify(randomUUID()) }))
  const read = async (): Promise<string | undefined> => (await call(() => engine.read(PROBE))).token
  await replace(undefined)
  const first = await read()
  if (first === undefined) throw unsuitable(engine, 'reads nothing right after a write')
  if ((await replace(undefined)) !== undefined) {
    throw unsuitable(engine, 'accepts a write on the condition that nothing is there, although something is')
  }
  // Another machine may have come before: then there is nothing older to compare with.
  if ((await replace(first)) === undefined && (await read()) === first) {
    throw unsuitable(engine, 'refuses a write that is based on what is there')
  }
  if ((await read()) === first) throw unsuitable(engine, 'reads an older version right after a write')
  if ((await replace(first)) !== undefined) {
    throw unsuitable(engine, 'accepts a write that is based on an older version than the stored one')
  }
}

function unsuitable({ name }: StorageEngine, fault: string): SkillError {
  const message = `The storage "${name}" is not used: it ${fault}. With two machines it would lose skills without a word. Use a server that keeps conditional writes.`
  return new SkillError('STORAGE_UNSUITABLE', message)
}
