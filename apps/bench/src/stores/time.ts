import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRepertoire, renderSkill, type SkillSource } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { openSkillStores, type SkillStores } from '@repertoire/storage'
import { temporaryFolder } from '../folder.ts'
import type { Answers } from '../job.ts'
import { SERVERS, type EngineId, type StoreServer } from './bare.ts'
import { contentOf } from './content.ts'
import { inTurns, timed } from './runs.ts'
import { timeTenants } from './tenants.ts'

/** How much is run. */
export interface StoreExtent {
  readonly skills: number
  /** Saves that count, of each. */
  readonly saves: number
  /** First scans that count, of each. */
  readonly scans: number
  /** Tenants, each with fifty skills, of which a tenth is its own. */
  readonly tenants: number
}

const ACTIVATIONS = 100

/** Times a store on an engine beside the bare client, and its catalog beside one of folders. */
export async function timeStore(id: EngineId, extent: StoreExtent): Promise<Answers['stores']> {
  const server = await SERVERS[id]()
  if ('absent' in server) return server
  const folder = temporaryFolder()
  try {
    const open = (): Promise<SkillStores> =>
      openSkillStores({ engine: server.engine, layer: 'project', maxTenants: 100 })
    const stores = await open()
    const saves = await timeSaves(server, stores, extent)
    const { loads, scans } = await timeScans(server, open, join(folder.path, 'skills'), extent)
    const tenants = await timeTenants(server.engine, extent.tenants)
    return { saves, loads, ...scans, tenants }
  } finally {
    folder.remove()
    await server.close()
  }
}

/** Saves, ours and bare in turns. The skills are there before, and stay. */
async function timeSaves(server: StoreServer, stores: SkillStores, { skills, saves }: StoreExtent) {
  const store = stores.tenant('bench')
  const names = Array.from({ length: skills }, (_, number) => `skill-${number}`)
  await inTurns(names, async (name) => {
    await store.save(contentOf(name))
    await server.save(name, await renderSkill(contentOf(name)))
  })
  const times = { own: [] as number[], bare: [] as number[] }
  for (let round = 1; round <= saves; round++) {
    const name = names[round % names.length]!
    const content = contentOf(name, round)
    times.own.push(await timed(() => store.save(content)))
    times.bare.push(await timed(async () => server.save(name, await renderSkill(content))))
  }
  return times
}

async function timeScans(
  server: StoreServer,
  open: () => Promise<SkillStores>,
  root: string,
  { skills, scans }: StoreExtent,
) {
  for (let number = 0; number < skills; number++) {
    const name = `skill-${number}`
    mkdirSync(join(root, name), { recursive: true })
    writeFileSync(join(root, name, 'SKILL.md'), await renderSkill(contentOf(name)))
  }
  const loads = { own: [] as number[], bare: [] as number[] }
  const scan = { own: [] as number[], folder: [] as number[] }
  const activate = { own: [] as number[], folder: [] as number[] }
  for (let round = 0; round < scans; round++) {
    // Opened anew, so that nothing is in memory.
    const source = (await open()).tenant('bench')
    loads.own.push(await timed(() => source.listActive()))
    loads.bare.push(await timed(server.load))
    const first = (await open()).tenant('bench')
    const own = await timeCatalog(first, skills)
    const folder = await timeCatalog(directorySource({ root, layer: 'project' }), skills)
    scan.own.push(own.scan)
    scan.folder.push(folder.scan)
    activate.own.push(...own.activations)
    activate.folder.push(...folder.activations)
  }
  return { loads, scans: { scan, activate } }
}

async function timeCatalog(source: SkillSource, skills: number) {
  const start = performance.now()
  const repertoire = await openRepertoire({ sources: [source] })
  const scan = performance.now() - start
  const names = repertoire.catalog.list().map(({ name }) => name)
  if (names.length !== skills) throw new Error(`Error: ${names.length} of ${skills} skills were found.`)
  const activations: number[] = []
  for (const name of names.slice(0, ACTIVATIONS)) {
    const session = repertoire.openSession({ consent: () => true })
    session.beginStep([])
    const call = { id: 'call', tool: 'activate_skill', input: { name } }
    const started = performance.now()
    const outcome = await session.call(call, () => undefined)
    activations.push(performance.now() - started)
    if (!outcome.ok) throw new Error(`Error: "${name}" was not activated: ${outcome.text}`)
    await session.end()
  }
  await repertoire.close()
  return { scan, activations }
}
