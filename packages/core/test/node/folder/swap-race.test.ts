import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { isSkillError } from '../../../src/index.ts'
import { skillFolder } from '../../../src/node/index.ts'
import { measureFolder } from '../../../src/stores.ts'

const INSIDE = 'inside'
const SECRET = 'secret'
const HASHES = new Map([INSIDE, SECRET].map((text) => [createHash('sha256').update(text).digest('hex'), text]))
const READS = runs(1_000)

// Swaps what stands at `path` for a link and back, as fast as it can, until told to stop.
const SWAPPER = `
const { renameSync } = require('node:fs')
const { workerData: { path, link, parked, stop } } = require('node:worker_threads')
const flag = new Int32Array(stop)
while (Atomics.load(flag, 0) === 0) {
  renameSync(path, parked)
  renameSync(link, path)
  renameSync(path, link)
  renameSync(parked, path)
  Atomics.add(flag, 1, 1)
}
`

let base: string
let root: string
let skill: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-swap-'))
  root = join(base, 'root')
  skill = join(root, 'skill')
  mkdirSync(join(skill, 'refs/deep'), { recursive: true })
  writeFileSync(join(skill, 'SKILL.md'), INSIDE)
  writeFileSync(join(skill, 'refs/deep/note'), INSIDE)
  for (const path of ['skill/refs/deep', 'refs/deep', 'deep', '']) {
    mkdirSync(join(base, 'outside', path), { recursive: true })
    writeFileSync(join(base, 'outside', path, 'SKILL.md'), SECRET)
    writeFileSync(join(base, 'outside', path, 'note'), SECRET)
    writeFileSync(join(base, 'outside', path, 'other'), SECRET)
  }
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

/** Counts what reads give while `path` is swapped for a link to `target`. */
async function race(path: string, target: string): Promise<Map<string, number>> {
  const link = join(base, 'link')
  symlinkSync(target, link)
  const folder = skillFolder(skill)
  const stop = new SharedArrayBuffer(8)
  const flag = new Int32Array(stop)
  const worker = new Worker(SWAPPER, { eval: true, workerData: { path, link, parked: join(base, 'parked'), stop } })
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('exit', () => resolve())
    worker.once('error', reject)
  })
  const counts = new Map<string, number>()
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
  await new Promise((resolve) => worker.once('online', resolve))
  try {
    // Goes on until the two have met in every way, however they are scheduled.
    const met = (): boolean =>
      Atomics.load(flag, 1) >= 1000 && [`plain ${SECRET}`, INSIDE, 'RESOURCE_REFUSED'].every((what) => counts.has(what))
    for (let reads = 0; reads < READS || (reads < 50 * READS && !met()); reads++) {
      try {
        count(new TextDecoder().decode(await folder.read('refs/deep/note')))
      } catch (error) {
        if (!isSkillError(error)) throw error
        count(error.code)
      }
      try {
        for (const { path: listed } of (await folder.list()).files) count(`listed ${listed}`)
      } catch (error) {
        if (!isSkillError(error)) throw error
      }
      try {
        const bytes = await folder.readManifest()
        const { files } = await measureFolder(folder, await folder.list(), { path: 'SKILL.md', bytes })
        for (const [hashed, hash] of files) count(`hashed ${hashed} ${HASHES.get(hash)}`)
      } catch (error) {
        if (!isSkillError(error)) throw error
      }
      try {
        count(`plain ${readFileSync(join(skill, 'refs/deep/note'), 'utf8')}`)
      } catch {
        count('plain failure')
      }
    }
  } finally {
    Atomics.store(flag, 0, 1)
    await ended
  }
  return counts
}

describe.runIf(process.platform === 'linux')('folders swapped for links while they are read', () => {
  it.each([
    ['a folder on the way', () => [join(skill, 'refs'), join(base, 'outside')]],
    ['the file’s own folder', () => [join(skill, 'refs/deep'), join(base, 'outside')]],
    ['the file', () => [join(skill, 'refs/deep/note'), join(base, 'outside/note')]],
    ['the skill’s folder', () => [skill, join(base, 'outside')]],
    ['the folder above the skill', () => [root, join(base, 'outside')]],
  ] satisfies [string, () => [string, string]][])(
    '[RES-3, ABUSE-26] leak nothing: %s',
    async (_, paths) => {
      const [path, target] = paths()
      const counts = await race(path, target)
      // The swaps did expose the secret to a plain read, and did meet ours.
      expect(counts.get(`plain ${SECRET}`)).toBeGreaterThan(0)
      expect(counts.get(INSIDE)).toBeGreaterThan(0)
      expect(counts.get('RESOURCE_REFUSED')).toBeGreaterThan(0)
      expect(counts.get('listed refs/deep/note')).toBeGreaterThan(0)
      expect(counts.get(`hashed refs/deep/note ${INSIDE}`)).toBeGreaterThan(0)
      const ours = [...counts.keys()].filter((what) => !what.startsWith('plain '))
      expect(ours.filter((what) => what.endsWith(SECRET) || what.includes('other'))).toEqual([])
    },
    120_000,
  )
})
