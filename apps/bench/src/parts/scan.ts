import { makeTree } from '../generator.ts'
import { jobsOf, type Load, type Loader, loadFloor, loadRepertoire, shareRight } from '../loaders.ts'
import type { Figures } from '../rows.ts'
import type { Jobs } from '../run.ts'
import { steady, timed, usedMemory } from '../timing.ts'

const FEW = 1_000
/** Peers are compared on few skills. Many show how ours grows. */
const MANY = 100_000

/** The first scan of a process after its imports, later scans and reloads, and what a result keeps. */
export const jobs: Jobs = {
  floor: (folder) => timeScans(loadFloor, makeTree(folder, FEW)),
  ...jobsOf(measure, FEW),
  'floor of 100,000': async (folder) => timeFirst(await loadFloor(makeTree(folder, MANY))),
  'repertoire of 100,000': async (folder) => timeFirst(await loadRepertoire(makeTree(folder, MANY))),
}

async function timeFirst({ prepare, scan }: Loader): Promise<Figures> {
  await prepare?.()
  return { first: await timed(scan) }
}

async function timeScans(load: Load, root: string): Promise<Figures> {
  const loader = await load(root)
  return { ...(await timeFirst(loader)), again: await timeAgain(loader.scan) }
}

async function measure(load: Load, root: string): Promise<Figures> {
  const { prepare, scan, reload, read } = await load(root)
  await prepare?.()
  const before = await usedMemory()
  let result: unknown
  const first = await timed(async () => {
    result = await scan()
  })
  const heap = ((await usedMemory()) - before) / FEW
  const right = await shareRight(root, read(result as never))
  const again = await timeAgain(scan)
  return { first, again, ...(reload && { reload: await timeAgain(() => reload(result as never)) }), heap, right }
}

async function timeAgain(scan: () => unknown): Promise<number> {
  const times: number[] = []
  for (let spent = 0; spent < 1_000 || times.length < 6; spent += times.at(-1)!) times.push(await timed(scan))
  return steady(times)
}
