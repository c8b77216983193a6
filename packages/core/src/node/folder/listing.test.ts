// Only here a file can change between two steps of one reading.
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileHasher } from './listing.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-hasher-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

it('[ABUSE-23] takes no hash of a file that grows or shrinks while it is read', () => {
  const path = join(folder, 'log')
  writeFileSync(path, 'before')
  const fd = openSync(path, 'r')
  try {
    const stats = fstatSync(fd)
    const { see, hashes } = createFileHasher()
    appendFileSync(path, 'after')
    see('grown', { fd, stats })
    truncateSync(path, 2)
    see('shrunk', { fd, stats })
    writeFileSync(path, 'before')
    see('same', { fd, stats })
    expect([...hashes]).toEqual([['same', createHash('sha256').update('before').digest('hex')]])
  } finally {
    closeSync(fd)
  }
})
