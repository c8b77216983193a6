import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { isNotFound } from '../../src/audit/tool-result.ts'

describe('a result of a tool', () => {
  it('[OBS-5] says that there is no file where the operating system says so', async () => {
    const real: unknown = await readFile('/no/such/file').catch((error: unknown) => error)
    expect(isNotFound(real)).toBe(true)
    expect(isNotFound(new Error('Could not read it', { cause: real }))).toBe(true)
  })

  it.each([
    [{ code: 'ENOENT' }],
    [{ code: 'ENOTDIR' }],
    [{ error: { code: 'ENOENT' } }],
    [{ error: 'ENOENT: no such file or directory' }],
    [new Error('ENOENT: no such file or directory')],
    ['Error: ENOENT: no such file or directory, open x'],
  ])('[OBS-5] says so: %j', (result) => {
    expect(isNotFound(result)).toBe(true)
  })

  it.each([
    ['A file that is not found gives the code ENOENT.'],
    ['ENOENTS are creatures.'],
    [{ code: 'EACCES' }],
    [{ content: 'ENOENT' }],
    [{ error: null }],
    [undefined],
    [null],
    [404],
  ])('[OBS-5] does not say so: %j', (result) => {
    expect(isNotFound(result)).toBe(false)
  })
})
