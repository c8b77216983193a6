import process from 'node:process'
import { expect } from 'vitest'
import { packageOf } from './package-of.ts'

// What these packages' tests write is small, many files, and much of it synced: where it can, it lies in memory. Sandboxes
// see another `/dev`, so what the others write is on the disk.
const SMALL_WRITES = new Set(['core', 'library', 'storage'])

const { TEST_DISK, TEST_MEMORY } = process.env
const { testPath = '' } = expect.getState()
process.env['TMPDIR'] = SMALL_WRITES.has(packageOf(testPath)) ? TEST_MEMORY : TEST_DISK
