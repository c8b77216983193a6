import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { archive } from '../src/archive.ts'
import { collectOutput } from '../src/output.ts'
import { commandLine } from '../src/sandbox/remote-script.ts'

const word = fc
  .string({ unit: anyCharacter, maxLength: 20 })
  .filter((text) => text.isWellFormed() && !text.includes('\0'))

describe('whatever the words are', () => {
  it('[ABUSE-51] a shell reads a command line as exactly these', () => {
    const awkward = fc.oneof(word, fc.constantFrom("'", "''", '$(id)', '\\', '!', '#', '~', '-n', '\n', '*', ''))
    fc.assert(
      fc.property(fc.array(awkward, { minLength: 1, maxLength: 20 }), (words) => {
        const output = execFileSync('sh', ['-c', `printf '%s\\0' ${commandLine(words)}`], { encoding: 'utf8' })
        expect(output.split('\0').slice(0, -1)).toEqual(words)
      }),
      { numRuns: 40 },
    )
  })
})

describe('whatever the files are', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9 é漢._-]{1,40}$/u).filter((text) => !['.', '..'].includes(text))
  const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((parts) => `x/${parts.join('/')}/file`)

  it('[RUN-7] tar unpacks them as they were', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ path, bytes: fc.uint8Array({ maxLength: 2_000 }) }), {
          selector: (file) => file.path,
          minLength: 1,
          maxLength: 5,
        }),
        (files) => {
          const folder = mkdtempSync(join(tmpdir(), 'archive-'))
          try {
            const given = files.map((file, index) => ({ ...file, path: `${index}/${file.path}` }))
            execFileSync('tar', ['-x', '-f', '-', '-C', folder], { input: archive(given) })
            for (const file of given)
              expect(Buffer.from(file.bytes).equals(readFileSync(join(folder, file.path)))).toBe(true)
          } finally {
            rmSync(folder, { recursive: true })
          }
        },
      ),
      { numRuns: 20 },
    )
  })
})

describe('whatever is written', () => {
  it('[ABUSE-48] what is kept and what is dropped is all of it, within the limit, and ends between characters', () => {
    const written = fc.array(fc.record({ stream: fc.constantFrom('stdout' as const, 'stderr' as const), text: word }))
    fc.assert(
      fc.property(written, fc.nat(60), fc.integer({ min: 1, max: 5 }), (parts, maxBytes, size) => {
        const output = collectOutput(maxBytes)
        const total = { stdout: 0, stderr: 0 }
        for (const { stream, text } of parts) {
          const bytes = Buffer.from(text)
          total[stream] += bytes.byteLength
          for (let at = 0; at < bytes.byteLength; at += size) output.add(stream, bytes.subarray(at, at + size))
        }
        const { stdout, stderr, dropped } = output.finish()
        expect(stdout.byteLength + stderr.byteLength).toBeLessThanOrEqual(maxBytes)
        expect({ stdout: stdout.byteLength + dropped.stdout, stderr: stderr.byteLength + dropped.stderr }).toEqual(
          total,
        )
        for (const bytes of [stdout, stderr]) new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      }),
    )
  })
})
