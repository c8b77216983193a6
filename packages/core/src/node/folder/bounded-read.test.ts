// Only here a file can change between two steps of one reading.
import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readBounded } from './reading.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-read-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** What becomes of an opened file that holds `text`. */
async function opened<T>(text: string, read: (fd: number) => T | Promise<T>): Promise<T> {
  const path = join(folder, 'file')
  writeFileSync(path, text)
  const fd = openSync(path, 'r')
  try {
    return await read(fd)
  } finally {
    closeSync(fd)
  }
}

describe('a file that changes while it is read', () => {
  it('[ABUSE-23] is read up to the bound where it grew after it was looked at', async () => {
    const path = join(folder, 'file')
    await opened('x'.repeat(100), (fd) => {
      appendFileSync(path, 'y'.repeat(100))
      expect(readBounded(fd, 100, 200)).toHaveLength(200)
      expect(readBounded(fd, 0, 200)).toHaveLength(200)
      expect(readBounded(fd, 100, 199)).toBeUndefined()
      appendFileSync(path, new Uint8Array(4 * 1024 * 1024))
      expect(readBounded(fd, 100, 3 * 1024 * 1024)).toBeUndefined()
      expect(readBounded(fd, 100, 5 * 1024 * 1024)).toHaveLength(4 * 1024 * 1024 + 200)
    })
  })

  it('[ABUSE-23] is read to its end where it shrank', async () => {
    expect(await opened('abc', (fd) => readBounded(fd, 1000, 2000))).toHaveLength(3)
  })
})
