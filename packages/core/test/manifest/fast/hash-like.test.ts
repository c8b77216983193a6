import { hash } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { createMemory } from '../../../src/manifest/fast/memory.ts'
import { createManifestParser } from '../../../src/manifest/parser.ts'

const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'binary')
const CONTEXT = { path: '/a/pdf/SKILL.md', folderName: 'pdf', fileName: 'SKILL.md', profile: 'default' } as const

/** A frontmatter whose hash is printable, but for a line's end at its end: found by trying two million of them. */
const FIELDS = 'name: pdf\ndescription: Reads PDF files, 2361026.\n'

const read = async (memory: ReturnType<typeof createMemory>, fields: string, hashes: boolean) => {
  const bytes = new TextEncoder().encode(`---\n${fields}---\n`)
  const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
  return createManifestParser(undefined, memory).metadata(file, CONTEXT, hashes ? sha256 : undefined)
}

it('[NFR-1] a frontmatter that is the hash of another one is not taken for it, nor the other one for it', async () => {
  const fields = FIELDS
  const ofHash = sha256(new TextEncoder().encode(fields))
  expect(ofHash).toMatch(/^\P{Cc}{31}\n$/u)
  for (const order of [
    [ofHash, fields],
    [fields, ofHash],
  ]) {
    const memory = createMemory('default')
    for (const each of [...order, ...order]) {
      // Memory sources have no hash, folders have.
      const { manifest } = await read(memory, each, each === fields)
      expect([each === fields, manifest?.name]).toEqual([each === fields, each === fields ? 'pdf' : undefined])
    }
    expect(memory.end()).toBeDefined()
  }
})

it.each([undefined, null, 0])(
  '[NFR-1] a scan ends where a timer of the host is %s, or there is none',
  async (timer) => {
    const end = async (work: () => unknown) => {
      const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(work as never)
      try {
        const memory = createMemory('lenient')
        await read(memory, `name: pdf\ndescription: Reads PDF files for ${String(timer)}.\n`, true)
        return memory.end()
      } finally {
        timers.mockRestore()
      }
    }
    await expect(end(() => timer)).resolves.toBeDefined()
    const without = end(() => {
      throw new Error('no timers')
    })
    await expect(without).resolves.toBeDefined()
  },
)
