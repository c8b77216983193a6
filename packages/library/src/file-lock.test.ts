// Tests an internal module: no public function takes a lock often enough to meet another program's removal of its file.
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { isSkillError } from '@repertoire/core'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { withFileLock } from './file-lock.ts'

const CREATES_AND_REMOVES = `
  const { closeSync, openSync, unlinkSync } = require('node:fs')
  const { parentPort, workerData } = require('node:worker_threads')
  parentPort.postMessage('started')
  for (;;) {
    closeSync(openSync(workerData, 'w'))
    try { unlinkSync(workerData) } catch {}
  }`

it('takes a lock whose file another program removes again and again', async () => {
  const path = join(temporaryFolder(), 'lock')
  const other = new Worker(CREATES_AND_REMOVES, { eval: true, workerData: path })
  await new Promise((resolve) => other.once('message', resolve))
  let taken = 0
  try {
    for (let index = 0; index < 400; index++) {
      await withFileLock(path, { timeout: 0 }, () => taken++).catch((error: unknown) => {
        if (!isSkillError(error) || error.code !== 'TIMED_OUT') throw error
      })
    }
  } finally {
    await other.terminate()
  }
  expect(taken).toBeGreaterThan(0)
})
