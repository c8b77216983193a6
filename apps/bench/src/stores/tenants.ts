import { openRepertoire } from '@repertoire/core'
import { openSkillStores, type StorageEngine } from '@repertoire/storage'
import { used } from '../measures/heap.ts'
import { contentOf } from './content.ts'
import { inTurns } from './runs.ts'

/** Tenants that are opened one after the other, each let go of before the next. */
export interface TenantTimes {
  readonly times: readonly number[]
  /** What the process holds more, in bytes: behind the first half, and behind all. */
  readonly kept: { readonly half: number; readonly all: number }
  /** Bytes of files that were opened, and those that were asked of the engine for them: the others have the same hash. */
  readonly opened: number
  readonly asked: number
}

const SKILLS = 50
/** Every tenth skill is the tenant's own. */
const OWN = 10

/** Opens each tenant's skills when it is asked for, as in a server. Every tenth is its own, and the others all have. */
export async function timeTenants(engine: StorageEngine, count: number): Promise<TenantTimes> {
  const names = Array.from({ length: count }, (_, number) => `tenant-${number}`)
  const filling = await openSkillStores({ engine, layer: 'project' })
  await inTurns(names, async (tenant) => {
    for (let number = 0; number < SKILLS; number++) {
      const isOwn = number % OWN === 0
      const content = contentOf(`skill-${number}`, isOwn ? Number(tenant.split('-')[1]) + 1 : 0)
      await filling.tenant(tenant).save(content)
    }
  })
  let asked = 0
  let opened = 0
  const counting: StorageEngine = {
    ...engine,
    async readBlobs(hashes) {
      const found = await engine.readBlobs(hashes)
      for (const { length } of found.values()) asked += length
      return found
    },
  }
  const stores = await openSkillStores({ engine: counting, layer: 'project' })
  const before = await used()
  const times: number[] = []
  let half = 0
  for (const [number, tenant] of names.entries()) {
    const start = performance.now()
    const repertoire = await openRepertoire({ sources: [stores.tenant(tenant)] })
    times.push(performance.now() - start)
    const skills = repertoire.catalog.list()
    if (skills.length !== SKILLS) throw new Error('Error: skills of a tenant are missing.')
    for (const { folder } of number === 0 ? skills : []) opened += (await folder.readManifest()).length * count
    await repertoire.close()
    if (number === Math.floor(count / 2) - 1) half = (await used()) - before
  }
  const all = (await used()) - before
  // Used once more, so that what they keep is not freed early.
  await stores.close()
  return { times, kept: { half, all }, opened, asked }
}
