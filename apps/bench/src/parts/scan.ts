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
  const scans = await timeScans(load, root)
  const { scan, reload, read } = await load(root)
  const kept: { result?: unknown } = { result: await scan() }
  const before = await usedMemory()
  // Read once more, so that it is not released early.
  if (kept.result !== undefined) delete kept.result
  const heap = (before - (await usedMemory())) / FEW
  const result = await scan()
  const right = await shareRight(root, read(result as never))
  return { ...scans, ...(reload && { reload: await timeAgain(() => reload(result as never)) }), heap, right }
}

async function timeAgain(scan: () => unknown): Promise<number> {
  const times: number[] = []
  for (let spent = 0; spent < 1_000 || times.length < 6; spent += times.at(-1)!) times.push(await timed(scan))
  return steady(times)
}
