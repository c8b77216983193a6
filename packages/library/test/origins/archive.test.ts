import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { array, assert, asyncProperty, constantFrom, nat, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveOrigin } from '@repertoire/library'
import type { FetchedSkills, OriginOptions } from '@repertoire/library'
import { readArchive } from '../../src/origins/archive/read.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { paxOf, tarOf, tgzOf, unicodePathOf, zipOf } from './archive-bytes.ts'
import type { TarPart, ZipPart } from './archive-bytes.ts'
import { skillText } from './skill-text.ts'

const MIB = 1024 * 1024
const skill = { path: 'pdf/SKILL.md', body: skillText('pdf') }

async function fetchFrom(bytes: Uint8Array, options: OriginOptions = {}): Promise<FetchedSkills> {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'x.zip'), bytes)
  const origin = await resolveOrigin('./x.zip', { cwd, ...options })
  return origin.fetch()
}

/** Whether an entry is refused beside a good skill, in a tar archive and in a zip. */
async function expectRefused(tar: readonly TarPart[], zip: readonly ZipPart[], reason: RegExp): Promise<void> {
  for (const bytes of [
    ...(tar.length > 0 ? [tgzOf([skill, ...tar])] : []),
    ...(zip.length > 0 ? [zipOf([skill, ...zip])] : []),
  ]) {
    const error = await fetchFrom(bytes).then(
      () => 'nothing was refused',
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 'ORIGIN_REFUSED', message: expect.stringMatching(reason) as string })
  }
}

describe('an archive as an origin', () => {
  it('[LIB-5] gives its skills byte for byte, whatever program has packed it', async () => {
    const script = { path: 'pdf/scripts/run.sh', body: '#!/bin/sh\n', mode: 0o755 }
    const folder = { path: 'pdf/', type: '5', mode: 0o755 }
    const dotted = [
      { path: './', type: '5' },
      ...[folder, skill, script].map((part) => ({ ...part, path: `./${part.path}` })),
    ]
    const global = {
      path: 'pax_global_header',
      type: 'g',
      body: '52 comment=0123456789012345678901234567890123456789\n',
    }
    const zipped = [{ path: 'pdf/', mode: 0o40755 }, skill, { ...script, mode: 0o100755 }]
    const mac = { path: '__MACOSX/pdf/._SKILL.md', body: 'x' }
    for (const bytes of [
      tgzOf([folder, skill, script]),
      tarOf(dotted),
      tgzOf([global, skill, script]),
      tgzOf([paxOf({ path: 'pdf/SKILL.md' }), { ...skill, path: 'x' }, script]),
      zipOf(zipped),
      zipOf(zipped.map((part) => ({ ...part, descriptor: !part.path.endsWith('/') }))),
      zipOf([...zipped.map((part) => ({ ...part, method: 0 })), mac, { path: 'pdf/.DS_Store', body: 'x' }]),
      zipOf([...zipped, { path: 'pdf/__MACOSX/._SKILL.md', body: 'x' }]),
    ]) {
      const { skills, origin } = await fetchFrom(bytes)
      expect(origin).toMatchObject({
        source: './x.zip',
        sourceType: 'archive',
        revision: expect.stringMatching(/^sha256:/) as string,
      })
      expect(skills.map(({ name, path }) => [name, path])).toEqual([['pdf', 'pdf/SKILL.md']])
      const files = [...skills[0]!.files].map(([path, file]) => [
        path,
        Buffer.from(file.bytes).toString(),
        file.executable,
      ])
      expect(files).toEqual([
        ['SKILL.md', skill.body, undefined],
        ['scripts/run.sh', script.body, true],
      ])
    }
  })

  it('[LIB-5] finds the skills behind the folder that everything is in', async () => {
    const bytes = tgzOf([
      { path: 'repo-1/README.md' },
      { path: 'repo-1/skills/a/SKILL.md', body: skillText('a') },
      { path: 'repo-1/template/SKILL.md', body: skillText('template') },
    ])
    expect((await fetchFrom(bytes)).skills.map(({ path }) => path)).toEqual(['repo-1/skills/a/SKILL.md'])
    const whole = tgzOf([{ path: 'repo-1/SKILL.md', body: skillText('a') }, { path: 'repo-1/x/SKILL.md' }])
    expect((await fetchFrom(whole)).skills.map(({ name, files }) => [name, files.size])).toEqual([['a', 2]])
  })

  it('[LIB-5] refuses other bytes than those that are wanted', async () => {
    const { origin } = await fetchFrom(tgzOf([skill]))
    const options = { revision: origin.revision! }
    expect((await fetchFrom(tgzOf([skill]), options)).skills).toHaveLength(1)
    await expect(fetchFrom(tgzOf([skill, { path: 'x' }]), options)).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
  })

  it('[ABUSE-64] refuses everything for one path that leads out, or that not every system can have', async () => {
    const names = [
      '../x',
      'pdf/../../x',
      '/etc/x',
      'pdf\\x',
      'C:x',
      'c:/x',
      'pdf/\u0001x',
      'pdf/a\u202Eb',
      'pdf//x',
      'pdf/x.',
      'pdf/nul.txt',
      'pdf/a:b',
      `${'d/'.repeat(20)}x`,
    ]
    for (const path of names) await expectRefused([{ path }], [{ path }], /./)
    await expectRefused([paxOf({ path: '../x' }), { path: 'x' }], [], /contains ".."/)
  })

  it('[ABUSE-64] refuses everything for one device, pipe or unknown entry, and for a link in a skill', async () => {
    for (const type of ['1', '2'])
      await expectRefused([{ path: 'pdf/l', type, linkpath: '/etc/hostname' }], [], /is a link/)
    const types = { 3: 'CharacterDevice', 4: 'BlockDevice', 6: 'FIFO', S: 'type' }
    for (const [type, said] of Object.entries(types))
      await expectRefused([{ path: 'pdf/d', type }], [], new RegExp(said))
    await expectRefused([], [{ path: 'pdf/l', body: '/etc/hostname', mode: 0o120777 }], /is a link/)
    await expectRefused([], [{ path: 'pdf/d', mode: 0o020666 }], /neither a file nor a folder/)
  })

  it('[ABUSE-64] writes no link: it refuses the skill that it is in, and nothing below it is taken', async () => {
    const other = { path: 'csv/SKILL.md', body: skillText('csv') }
    for (const bytes of [
      tgzOf([
        skill,
        other,
        { path: 'csv/l', type: '2', linkpath: '/etc/hostname' },
        { path: 'pdf/CLAUDE.md', type: '2', linkpath: 'SKILL.md' },
        { path: 'CLAUDE.md', type: '2', linkpath: 'x' },
      ]),
      zipOf([
        skill,
        other,
        { path: 'csv/l', body: '/etc/hostname', mode: 0o120777 },
        { path: 'pdf/CLAUDE.md', body: 'SKILL.md', mode: 0o120777 },
        { path: 'CLAUDE.md', body: 'x', mode: 0o120777 },
      ]),
    ]) {
      const cwd = temporaryFolder()
      writeFileSync(join(cwd, 'x.zip'), bytes)
      const origin = await resolveOrigin('./x.zip', { cwd })
      const { skills } = await origin.fetch({ skills: ['pdf'] })
      expect(skills.map(({ files }) => [...files.keys()])).toEqual([['CLAUDE.md', 'SKILL.md']])
      expect(skills[0]!.files.get('CLAUDE.md')).toEqual(skills[0]!.files.get('SKILL.md'))
      await expect(origin.fetch()).rejects.toMatchObject({ code: 'ORIGIN_REFUSED', path: 'csv/l' })
    }
    const below = { path: 'x/SKILL.md', body: skillText('x') }
    await expectRefused(
      [{ path: 'x', type: '2', linkpath: '/etc' }, below],
      [{ path: 'x', body: '/etc', mode: 0o120777 }, below],
      /file and a folder/,
    )
    const manifest = { path: 'x/SKILL.md', type: '2', linkpath: '../pdf/SKILL.md' }
    await expectRefused([manifest], [{ path: manifest.path, body: '../pdf/SKILL.md', mode: 0o120777 }], /is a link/)
    await expectRefused([{ path: '../x', type: '2', linkpath: '/etc' }], [], /contains ".."/)
  })

  it('[ABUSE-67] refuses what is there twice, or is one where case or normal form does not count', async () => {
    for (const path of ['pdf/SKILL.md', 'pdf/Skill.md', 'PDF/x', 'pdf/SKILL.md/x']) {
      await expectRefused([{ path }], [{ path }], /twice|are one/)
    }
    const pair = [{ path: 'pdf/\u00e9' }, { path: 'pdf/e\u0301' }]
    await expectRefused(pair, pair, /are one/)
  })

  it('[ABUSE-66] keeps of modes whether a file is executable, and nothing else', async () => {
    const tar = tgzOf([skill, { path: 'pdf/run', mode: 0o4755 }, { path: 'pdf/sticky', mode: 0o1644 }])
    const zip = zipOf([skill, { path: 'pdf/run', mode: 0o104755 }, { path: 'pdf/sticky', mode: 0o101644 }])
    for (const bytes of [tar, zip]) {
      const { skills } = await fetchFrom(bytes)
      const [manifest, run, sticky] = [...skills[0]!.files.values()]
      expect(Object.keys(run!)).toEqual(['bytes', 'executable'])
      expect([manifest, run, sticky].map((file) => file?.executable)).toEqual([undefined, true, undefined])
    }
  })

  it('[ABUSE-65] refuses what unpacks to much more than it is', async () => {
    const zeros = Buffer.alloc(12 * MIB)
    const bomb = { path: 'pdf/zeros', body: zeros }
    await expectRefused([bomb], [bomb], /unpacks to more than/)
    await expectRefused([], [{ path: 'pdf/x', body: 'x'.repeat(1000), size: 10 }], /too many bytes/)
    const small = tgzOf([skill, { path: 'pdf/x', body: 'x'.repeat(100_000) }])
    await expect(fetchFrom(small, { maxBytes: 50_000 })).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
  })

  it('[ABUSE-65] refuses sizes and checksums that are not so, and what is encrypted or packed otherwise', async () => {
    await expectRefused([{ path: 'pdf/x', body: 'abc', size: 5000 }], [{ path: 'pdf/x', body: 'abc', size: 5 }], /./)
    await expectRefused([{ path: 'pdf/f/', type: '5', body: 'x' }], [{ path: 'pdf/f/', body: 'x' }], /./)
    await expectRefused([], [{ path: 'pdf/x', body: 'abc', crc: 1 }], /checksum/)
    await expectRefused([], [{ path: 'pdf/x', body: 'abc', flags: 1 }], /encrypted/)
    await expectRefused([], [{ path: 'pdf/x', body: 'abc', method: 12 }], /method/)
    await expectRefused(
      [],
      [
        { path: 'pdf/x', body: 'abc' },
        { path: 'pdf/x', body: 'abc', sameAs: 1 },
      ],
      /./,
    )
  })

  it('[ABUSE-65] never opens an archive in an archive', async () => {
    const inner = zipOf([{ path: '../x' }])
    const { skills } = await fetchFrom(tgzOf([skill, { path: 'pdf/inner.zip', body: inner }]))
    expect(Buffer.from(skills[0]!.files.get('inner.zip')!.bytes)).toEqual(inner)
  })

  it('[ABUSE-65] refuses what ends too early, and what is no archive', async () => {
    const tar = tarOf([skill])
    for (const bytes of [
      gzipSync(tar).subarray(0, -9),
      gzipSync(gzipSync(tar)),
      tar.subarray(0, 600),
      zipOf([skill]).subarray(0, -1),
      Buffer.from('BZh91AY'),
      Buffer.from('not an archive'),
      Buffer.alloc(0),
    ]) {
      await expect(fetchFrom(bytes)).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
    }
  })

  it('[ABUSE-64] refuses in zip what is a folder or a link to Windows', async () => {
    for (const dos of [0x10, 0x400]) await expectRefused([], [{ path: 'pdf/x', dos }], /neither a file nor a folder/)
    expect((await fetchFrom(zipOf([skill, { path: 'pdf/x', dos: 0x20 }]))).skills[0]!.files.size).toBe(2)
  })

  it('[LIB-5] takes names in a zip as UTF-8 where they are, also where the archive does not say so', async () => {
    const old = { flags: 0, path: Buffer.from('pdf/\x81.md', 'latin1') }
    for (const [part, name] of [
      [{ flags: 0, path: Buffer.from('pdf/\u00FC.md') }, '\u00FC.md'],
      // Of old: one byte for each character, and the name in its own field.
      [old, '\u00FC.md'],
      [{ ...old, extra: unicodePathOf('pdf/\u0416.md', old.path) }, '\u0416.md'],
    ] as const) {
      expect([...(await fetchFrom(zipOf([skill, part]))).skills[0]!.files.keys()]).toContain(name)
    }
  })

  it('[ABUSE-71] refuses a name that is a path', async () => {
    const bytes = zipOf([{ path: 'pdf/SKILL.md', body: skillText('../../x') }])
    await expect(fetchFrom(bytes)).rejects.toMatchObject({ code: 'MANIFEST_INVALID', path: 'pdf/SKILL.md' })
  })

  it('[ABUSE-64] whatever byte is changed, it is refused, or every path stays inside and no size is exceeded', async () => {
    const archives = [tarOf([skill, { path: 'pdf/x', body: 'abc' }]), zipOf([skill, { path: 'pdf/x', body: 'abc' }])]
    await assert(
      asyncProperty(
        constantFrom(...archives),
        array(tuple(nat({ max: 2000 }), nat({ max: 255 })), { minLength: 1, maxLength: 3 }),
        async (archive, changes) => {
          const bytes = Buffer.from(archive)
          for (const [index, value] of changes) bytes[index % bytes.length] = value
          try {
            const tree = await readArchive('x', bytes, MIB)
            for (const [path, content] of await tree.read(tree.entries)) {
              expect(`/${path}/`).not.toMatch(/\/\.\.?\/|\/\/|\\|\0/)
              expect(content.length).toBeLessThanOrEqual(MIB)
            }
          } catch (error) {
            expect(error).toMatchObject({ code: 'ORIGIN_REFUSED' })
          }
        },
      ),
    )
  })
})
