import type { Answers } from '../job.ts'
import { openTree } from './skills.ts'

const RELOADS = 12

/** Forces the reload of an unchanged tree, as a watcher does: a scan, and the comparison of the two catalogs. */
export async function timeReloads(root: string): Promise<Answers['reload']> {
  const repertoire = await openTree(root)
  const times: number[] = []
  for (let reload = 0; reload < RELOADS; reload++) {
    const start = performance.now()
    await repertoire.reload({ force: true })
    times.push(performance.now() - start)
  }
  return { times }
}
