import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { base, below, mounts, posix, request, root, useTemporaryMounts } from './temporary-mounts.ts'

useTemporaryMounts()

// Swaps what stands at `path` for a link and back, as fast as it can, until told to stop.
const SWAPPER = `
const { renameSync } = require('node:fs')
const { workerData: { path, link, parked, stop } } = require('node:worker_threads')
const flag = new Int32Array(stop)
while (Atomics.load(flag, 0) === 0) {
  // What is worked on may make the folder anew in between.
  try {
    renameSync(path, parked)
    renameSync(link, path)
    renameSync(path, link)
    renameSync(parked, path)
  } catch {
    for (const [from, to] of [[path, link], [parked, path]]) try { renameSync(from, to) } catch {}
  }
  Atomics.add(flag, 1, 1)
}
`

describe('privateMounts in a place that is not what it should be', () => {
  it.each([
    ['private', 'private'],
    ['task', 'private/t'],
    ['skills', 'private/t/.skills'],
  ])('[ACT-5] follows no link in the place of the folder %s, for mounting or removing', async (_, path) => {
    const outside = join(base, 'outside')
    mkdirSync(join(outside, 'pdf'), { recursive: true })
    mkdirSync(join(outside, 't/.skills/pdf'), { recursive: true })
    mkdirSync(join(outside, '.skills/pdf'), { recursive: true })
    const before = below(outside)
    mkdirSync(join(root, path, '..'), { recursive: true })
    symlinkSync(outside, join(root, path), 'junction')
    await expect(mounts.mount(request('t'))).rejects.toMatchObject({ code: 'FOLDER_NOT_WRITABLE' })
    await mounts.unmount('t', 'pdf').catch(() => undefined)
    await mounts.unmount('t').catch(() => undefined)
    expect(below(outside)).toEqual(before)
  })

  it('[ACT-5] removes a link in the place of a copy, and not its target', async () => {
    const { location } = await mounts.mount(request('t'))
    const outside = join(base, 'outside')
    renameSync(location, outside)
    symlinkSync(outside, location, 'junction')
    symlinkSync(join(outside, 'SKILL.md'), join(location, '..', 'loose'), 'file')
    await mounts.unmount('t')
    expect(below(join(root, 'private'))).toEqual([])
    expect(below(outside)).not.toEqual([])
  })

  it.runIf(process.platform === 'linux')(
    '[ACT-5, ABUSE-26] writes and removes nothing elsewhere while a task swaps its folder for a link',
    async () => {
      const outside = join(base, 'outside')
      for (const path of ['.skills/pdf/keep', '.skills/.new-1/keep', '.skills-old-1/keep']) {
        mkdirSync(join(outside, path), { recursive: true })
      }
      const before = below(outside)
      await mounts.mount(request('t', 'other'))
      symlinkSync(outside, join(base, 'link'))
      const stop = new SharedArrayBuffer(8)
      const flag = new Int32Array(stop)
      const space = join(root, 'private/t')
      const workerData = { path: space, link: join(base, 'link'), parked: join(base, 'parked'), stop }
      const worker = new Worker(SWAPPER, { eval: true, workerData })
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      try {
        while (Atomics.load(flag, 1) === 0) await new Promise((resolve) => setImmediate(resolve))
        for (let round = 0; round < 150 || Atomics.load(flag, 1) < 2; round++) {
          await mounts.mount(request('t')).catch(() => undefined)
          await mounts.unmount('t', 'pdf').catch(() => undefined)
        }
      } finally {
        Atomics.store(flag, 0, 1)
        await ended
      }
      expect(below(outside)).toEqual(before)
    },
  )

  it.runIf(posix)('[ACT-5] refuses a folder that others can write to', async () => {
    mkdirSync(join(root, 'private'), { recursive: true })
    chmodSync(join(root, 'private'), 0o777)
    await expect(mounts.mount(request('t'))).rejects.toMatchObject({
      code: 'FOLDER_NOT_WRITABLE',
      message: expect.stringContaining('other users can write to it') as string,
    })
  })

  it.runIf(posix)('[ACT-5] removes folders that a task made unwritable', async () => {
    const { location } = await mounts.mount(request('t'))
    mkdirSync(join(location, 'own/inner'), { recursive: true })
    chmodSync(join(location, 'own/inner'), 0o000)
    chmodSync(join(location, 'own'), 0o000)
    await mounts.unmount('t')
    expect(below(join(root, 'private'))).toEqual([])
  })

  it('[ACT-5] names the file that is in the place of a folder', async () => {
    writeFileSync(root, '')
    await expect(mounts.mount(request('t'))).rejects.toMatchObject({ code: 'FOLDER_NOT_WRITABLE' })
  })
})
