import { describe, expect, it } from 'vitest'
import { readArchive } from '../../src/origins/archive/read.ts'
import { paxOf, tarOf, unicodePathOf, zipOf } from './archive-bytes.ts'
import type { TarPart, ZipPart } from './archive-bytes.ts'
import { skillText } from './skill-text.ts'

const MIB = 1024 * 1024
const skill = { path: 'pdf/SKILL.md', body: skillText('pdf') }
const other = { path: 'pdf/x', body: 'other' }

async function pathsOf(bytes: Uint8Array): Promise<readonly string[]> {
  return (await readArchive('x', bytes, MIB)).entries.map(({ path }) => path)
}

async function expectRefused(bytes: Uint8Array, reason: RegExp): Promise<void> {
  const refused = { code: 'ORIGIN_REFUSED', message: expect.stringMatching(reason) as string }
  await expect(pathsOf(bytes)).rejects.toMatchObject(refused)
}

/** Bytes with some replaced, at a place behind the nth time that a mark occurs. */
function patched(bytes: Buffer, mark: string, nth: number, offset: number, values: readonly number[]): Buffer {
  let at = -1
  for (let index = 0; index < nth; index++) at = bytes.indexOf(mark, at + 1, 'latin1')
  const copy = Buffer.from(bytes)
  copy.set(values, at + offset)
  return copy
}

function rawRecords(body: string, type = 'x'): TarPart {
  return { path: 'PaxHeader/x', type, body }
}

describe('an archive that two programs would read differently', () => {
  it('[ABUSE-64, ABUSE-65] in tar: headers of PAX that are malformed, for all entries, or in conflict', async () => {
    const plain = { path: 'pdf/y', body: 'y' }
    const longName = { path: '././@LongLink', type: 'L', body: 'pdf/long\0' }
    for (const [header, reason] of [
      [[rawRecords('9999 path=pdf/x\n')], /malformed/],
      [[rawRecords('0123456789')], /malformed/],
      [[rawRecords('11 path=a/b\n11 path=a/c\n')], /malformed, or says something twice/],
      [[rawRecords('14 path=pdf/a\0\n')], /malformed|NUL/],
      [[paxOf({ path: 'pdf/a\0b' })], /path in it holds a NUL/],
      [[{ ...paxOf({ path: 'evil/SKILL.md' }), type: 'g' }], /gives all entries the same path/],
      [[{ ...paxOf({ size: '1' }), type: 'g' }], /gives all entries the same size/],
      [[paxOf({ 'GNU.sparse.major': '1', 'GNU.sparse.name': 'pdf/real' })], /sparse/],
      [[paxOf({ path: 'pdf/a' }), paxOf({ path: 'pdf/b' })], /several headers that may name it/],
      [[longName, paxOf({ path: 'pdf/b' })], /several headers that may name it/],
    ] as const) {
      await expectRefused(tarOf([skill, ...header, plain]), reason)
    }
    expect(await pathsOf(tarOf([skill, paxOf({ path: 'pdf/z', mtime: '1.5' }), plain]))).toEqual([skill.path, 'pdf/z'])
    expect(await pathsOf(tarOf([skill, longName, plain, paxOf({ path: 'pdf/z' }), plain]))).toHaveLength(3)
  })

  it('[ABUSE-65] in zip: what stands at the entry, or behind it, is not what stands in the list', async () => {
    const plain = zipOf([skill, other])
    const late = zipOf([skill, { ...other, descriptor: true }])
    for (const bytes of [plain, late]) expect(await pathsOf(bytes)).toEqual([skill.path, other.path])
    for (const offset of [14, 18, 22]) {
      await expectRefused(patched(plain, 'PK\x03\x04', 2, offset, [1]), /another entry at its place/)
      await expectRefused(patched(late, 'PK\x03\x04', 2, offset, [1]), /another entry at its place/)
    }
    for (const offset of [4, 8, 12]) {
      await expectRefused(patched(late, 'PK\x07\x08', 1, offset, [1]), /overlap|no entry/)
    }
  })

  it('[ABUSE-65] in zip: a list with more entries than it says, or bytes behind it or behind what is packed', async () => {
    const plain = zipOf([skill, other])
    await expectRefused(patched(plain, 'PK\x05\x06', 1, 8, [1, 0, 1]), /no entry/)
    const end = plain.indexOf('PK\x05\x06', 0, 'latin1')
    const gap = Buffer.concat([plain.subarray(0, end), Buffer.from('gap!'), plain.subarray(end)])
    await expectRefused(gap, /no entry/)
    await expectRefused(Buffer.concat([plain, plain.subarray(end)]), /no entry/)
    await expectRefused(zipOf([skill, { ...other, behind: 'more' }]), /is damaged/)
  })

  it('[ABUSE-64, ABUSE-65] in zip: an entry with two names, or that is a folder or a link to Windows', async () => {
    const twoNames: readonly ZipPart[] = [
      { ...other, extra: unicodePathOf('pdf/z', other.path) },
      { ...other, extra: unicodePathOf('../x', other.path) },
      { ...other, localExtra: unicodePathOf('pdf/y', other.path) },
      { ...other, extra: Buffer.concat([unicodePathOf('pdf/a', 'a'), unicodePathOf('pdf/b', 'b')]) },
      { ...other, localExtra: Buffer.from('7570ffff', 'hex') },
    ]
    for (const part of twoNames) await expectRefused(zipOf([skill, part]), /two names|relative path/)
    for (const dos of [0x10, 0x400])
      await expectRefused(zipOf([skill, { ...other, dos }]), /neither a file nor a folder/)
    expect(await pathsOf(zipOf([skill, { ...other, dos: 0x20 }]))).toHaveLength(2)
  })

  it('[LIB-5] takes names as UTF-8 where they are, also where the archive does not say so', async () => {
    const name = Buffer.from('pdf/\u00FC.md')
    const unsaid = { ...other, flags: 0, path: name }
    expect(await pathsOf(zipOf([skill, unsaid]))).toContain('pdf/\u00FC.md')
    // Of old: one byte for each character, and the name in a field of its own.
    const old = { ...other, flags: 0, path: Buffer.from('pdf/\x81.md', 'latin1') }
    expect(await pathsOf(zipOf([skill, old]))).toContain('pdf/\u00FC.md')
    const named = { ...old, extra: unicodePathOf('pdf/\u0416.md', old.path) }
    expect(await pathsOf(zipOf([skill, named]))).toContain('pdf/\u0416.md')
  })
})
