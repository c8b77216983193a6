import * as fc from 'fast-check'
import { hash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { createMemory as CreateMemory, recallOne as RecallOne } from '../../../src/manifest/fast/memory.ts'
import type { BytesHash } from '../../../src/manifest/fast/memory-table.ts'
import { readPlainYaml } from '../../../src/manifest/fast/plain-yaml.ts'
import { createManifestParser } from '../../../src/manifest/parser.ts'
import { runs } from '../../runs.ts'

const DOCUMENT = (description: string): string => `---\nname: pdf\ndescription: ${description}\n---\n`
const BIG = 'x'.repeat(30_000)

let programs = 0

/** The module as a program finds it that has scanned nothing yet: what the tests scan is remembered by the usual one. */
async function startProgram(hashBytes: BytesHash = (bytes) => hash('sha256', bytes, 'binary')) {
  const fresh = `../../../src/manifest/fast/memory.ts?program=${programs++}`
  const { createMemory, recallOne } = (await import(/* @vite-ignore */ fresh)) as {
    readonly createMemory: typeof CreateMemory
    readonly recallOne: typeof RecallOne
  }
  let hashed = 0
  const sha256: BytesHash = (bytes) => {
    hashed++
    return hashBytes(bytes)
  }
  const begin = () => {
    const memory = createMemory('default')
    const names: (string | undefined)[] = []
    let read = 0
    const parser = createManifestParser((text, line) => {
      read++
      return readPlainYaml(text, line)
    }, memory)
    return {
      async read(document: string) {
        const bytes = new TextEncoder().encode(document)
        const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
        const context = {
          path: '/a/pdf/SKILL.md',
          folderName: 'pdf',
          fileName: 'SKILL.md',
          profile: 'default',
        } as const
        names.push((await parser.metadata(file, context, sha256)).manifest?.description)
      },
      /** Returns how many of the documents were read, and not known. */
      end: () => ({ read, names, memory: memory.end() }),
    }
  }
  return {
    hashed: () => hashed,
    recallOne,
    begin,
    async scan(documents: readonly string[]) {
      const scan = begin()
      for (const document of documents) await scan.read(document)
      return scan.end()
    },
  }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('the first scan of a program', () => {
  it('[NFR-5] hashes nothing before it is over; what it read is hashed while the program waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const program = await startProgram()
    const first = await program.scan([DOCUMENT('Reads.'), DOCUMENT('Writes.')])
    expect([first.read, program.hashed()]).toEqual([2, 0])
    vi.advanceTimersByTime(1_000)
    expect(program.hashed()).toBe(2)
    const second = await program.scan([DOCUMENT('Reads.'), DOCUMENT('Writes.')])
    expect([second.read, program.hashed()]).toEqual([0, 4])
    expect(second.names).toEqual(first.names)
  })

  it('[NFR-1] is known to a second scan that comes before that', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const program = await startProgram()
    const first = await program.scan([DOCUMENT('Reads.'), DOCUMENT('Writes.')])
    const second = await program.scan([DOCUMENT('Reads.'), DOCUMENT('Draws.'), DOCUMENT('Writes.')])
    expect([first.read, second.read]).toEqual([2, 1])
    vi.advanceTimersByTime(1_000)
    expect(program.hashed()).toBe(5)
  })

  it('[NFR-1, ACT-2] is known to an activation that comes before that', async () => {
    const program = await startProgram()
    const { memory } = await program.scan([DOCUMENT('Reads.'), DOCUMENT('Writes.')])
    const key = hash('sha256', 'name: pdf\ndescription: Writes.\n', 'binary')
    const found = program.recallOne(key, { path: '/a/pdf/SKILL.md', folderName: 'pdf' }, 'default')
    expect(found?.manifest?.description).toBe('Writes.')
    expect([program.hashed(), memory === undefined]).toEqual([2, false])
  })

  it('[NFR-1] knows what stands in it twice, and so does the next one', async () => {
    const program = await startProgram()
    const first = await program.scan([DOCUMENT('Reads.'), DOCUMENT('Reads.'), DOCUMENT('Writes.')])
    const second = await program.scan([DOCUMENT('Writes.'), DOCUMENT('Reads.'), DOCUMENT('Reads.')])
    expect([first.read, second.read]).toEqual([2, 0])
  })

  it('[NFR-3] keeps no more than a megabyte of texts: behind it all is hashed, and at its end what was not', async () => {
    const program = await startProgram()
    const documents = Array.from({ length: 40 }, (_, index) => DOCUMENT(`Reads ${index}.\nextra: ${BIG}`))
    const first = await program.scan(documents)
    expect([first.read, program.hashed()]).toEqual([40, 40])
    const second = await program.scan(documents)
    expect([second.read, program.hashed()]).toEqual([0, 80])
  })

  it('[NFR-1] is known where another scan begins in its midst', async () => {
    const program = await startProgram()
    const first = program.begin()
    await first.read(DOCUMENT('Reads.'))
    await first.read(DOCUMENT('Writes.'))
    await program.scan([DOCUMENT('Reads.')])
    await first.read(DOCUMENT('Writes.'))
    const ended = first.end()
    const last = await program.scan([DOCUMENT('Reads.'), DOCUMENT('Writes.'), DOCUMENT('Writes.')])
    expect([ended.names.length, last.read]).toEqual([3, 0])
  })

  it('[NFR-1] is known where every frontmatter is as long as a hash', async () => {
    for (let length = 1; length < 12; length++) {
      const program = await startProgram()
      const documents = ['a', 'b', 'c'].map((letter) => DOCUMENT(letter.repeat(length)))
      const first = await program.scan(documents)
      const second = await program.scan(documents)
      expect([first.read, second.read]).toEqual([3, 0])
    }
  })

  it('[NFR-1] is read again where its hash cannot be had, and nothing is thrown', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const program = await startProgram(() => {
      throw new Error('no hashes')
    })
    const first = await program.scan([DOCUMENT('Reads.')])
    vi.advanceTimersByTime(1_000)
    expect(first.read).toBe(1)
  })

  it('[NFR-1] is known by the bytes of its files, whatever characters they hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 4 }),
        async (texts) => {
          const program = await startProgram()
          const documents = texts.map((text) => DOCUMENT(JSON.stringify(`${text}.`)))
          const first = await program.scan(documents)
          const again = await program.scan(documents)
          // What has no manifest is not remembered.
          expect(again.read).toBe(first.names.filter((name) => name === undefined).length)
          expect(again.names).toEqual(first.names)
        },
      ),
      { numRuns: Math.min(runs(100), 100) },
    )
  })
})
