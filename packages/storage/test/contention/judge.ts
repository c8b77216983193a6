import { isSkillError, type SkillStore } from '@repertoire/core'
import type { WorkReport } from './work.ts'

const decoder = new TextDecoder()

/** What is wrong with what workers have left: what was acknowledged is there, once, and nothing else is. */
export async function faultsOf(store: SkillStore, reports: readonly WorkReport[]): Promise<readonly string[]> {
  const faults = reports.flatMap((report) => report.faults)
  const { folder } = await store.get('log')
  const found = new Map<string, number>()
  for (const line of decoder
    .decode(await folder.read('log.md'))
    .trimEnd()
    .split('\n')) {
    found.set(line, (found.get(line) ?? 0) + 1)
  }
  for (const { lines } of reports) {
    for (const line of lines.done)
      if (found.get(line) !== 1) faults.push(`${line} is there ${found.get(line) ?? 0} times.`)
    for (const line of lines.uncertain) if ((found.get(line) ?? 0) > 1) faults.push(`${line} is there twice.`)
    for (const line of [...lines.done, ...lines.uncertain]) found.delete(line)
  }
  found.delete('')
  for (const line of found.keys()) faults.push(`${line} was written by nobody.`)

  const files = await store.get('files')
  for (const [path, { done, uncertain }] of reports.flatMap((report) => Object.entries(report.files))) {
    const last = done.at(-1) ?? 0
    const text = await files.folder.read(path).catch((error: unknown) => {
      if (isSkillError(error) && error.code === 'RESOURCE_NOT_FOUND') return undefined
      throw error
    })
    const number = text === undefined ? 0 : Number(decoder.decode(text))
    if (number !== last && !uncertain.some((each) => each > last && each === number)) {
      faults.push(`${path} says ${number}, and ${last} was acknowledged.`)
    }
  }

  const { manifest } = await store.get('pair')
  const stamp = Number(/Stamp (\d+)/.exec(manifest.description)?.[1])
  const stamps = reports.flatMap((report) => [...report.stamps.done, ...report.stamps.uncertain])
  if (!stamps.includes(stamp)) faults.push(`The pair says ${stamp}, which nobody has written.`)

  const sum = (of: (report: WorkReport) => readonly number[]): number =>
    reports.reduce((total, report) => total + of(report).length, 0)
  const left = sum((report) => report.created.done) - sum((report) => report.deleted.done)
  const exists = (await names(store)).includes('turn') ? 1 : 0
  const least = left - sum((report) => report.deleted.uncertain)
  const most = left + sum((report) => report.created.uncertain)
  if (exists < least || exists > most)
    faults.push(`Of what was created and deleted, ${left} are left, and ${exists} is there.`)
  return faults
}

async function names(store: SkillStore): Promise<readonly string[]> {
  const found: string[] = []
  for await (const item of store.scan()) found.push('code' in item ? item.message : item.folderName)
  return found
}
