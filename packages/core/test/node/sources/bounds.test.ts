import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { openRepertoire } from '../../../src/index.ts'
import { directorySource } from '../../../src/node/index.ts'
import { base, codes, root, scan, useScannedRoot, write } from './scanned-root.ts'

useScannedRoot()

describe('the limits of a scan', () => {
  it('[DISC-10, ABUSE-17] end a scan at the given depth in a tree of hundreds of levels, and name the place', async () => {
    const deep = Array.from({ length: process.env['CI'] === undefined ? 200 : 1000 }, () => 'd').join('/')
    mkdirSync(join(root, deep), { recursive: true })
    write('d/d/SKILL.md')
    const seen = await scan({ depth: 64 })
    expect(seen.paths).toEqual(['d/d/SKILL.md'])
    // Below a skill the depth is the skill's own business.
    expect(seen.diagnostics).toEqual([])
    rmSync(join(root, 'd/d/SKILL.md'))
    expect((await scan({ depth: 64 })).diagnostics).toMatchObject([
      { code: 'SCAN_DEPTH_REACHED', severity: 'warning', path: join(root, ...Array<string>(64).fill('d')) },
    ])
  }, 60_000)

  it('[DISC-10] report folders that are too deep once, and not at the default depth', async () => {
    for (const name of ['a', 'b', 'c']) write(`group/${name}/deep/SKILL.md`)
    write('skill/SKILL.md')
    write('skill/scripts/run.sh')
    expect((await scan()).diagnostics).toEqual([])
    expect((await scan({ depth: 2 })).diagnostics).toMatchObject([
      { code: 'SCAN_DEPTH_REACHED', path: join(root, 'group/a'), message: expect.stringContaining('and 2 more') },
    ])
    expect((await scan({ depth: 3 })).diagnostics).toEqual([])
  })

  it('[DISC-10, ABUSE-17] limit the folders of a scan to the same ones every time, and report it', async () => {
    // Making them takes longer than all else here: as many as that in CI alone.
    const count = process.env['CI'] === undefined ? 1500 : 5000
    for (let index = 0; index < count; index++) {
      const folder = join(root, String(index).padStart(4, '0'))
      mkdirSync(folder)
      writeFileSync(join(folder, 'SKILL.md'), '')
    }
    expect(await scan()).toMatchObject({ found: { length: count }, diagnostics: [] })
    expect(await scan({ maxFolders: count })).toMatchObject({ found: { length: count }, diagnostics: [] })
    const [once, again] = [await scan({ maxFolders: 1000 }), await scan({ maxFolders: 1000 })]
    expect(once.paths).toHaveLength(1000)
    expect(once.paths).toEqual(again.paths)
    expect(once.diagnostics).toMatchObject([
      {
        code: 'SCAN_FOLDERS_REACHED',
        severity: 'warning',
        path: join(root, '1000'),
        message: expect.stringContaining(`and ${count - 1001} more`),
      },
    ])
  }, 60_000)

  it('[DISC-10, ABUSE-17] count links as folders', async () => {
    for (let index = 0; index < 50; index++) symlinkSync(base, join(root, `link-${index}`))
    const { diagnostics } = await scan({ maxFolders: 10 })
    expect(diagnostics.map(({ code }) => code)).toEqual([
      ...Array(10).fill('SKILL_FOLDER_LINKED'),
      'SCAN_FOLDERS_REACHED',
    ])
  })

  it('[DISC-10] count folders and links in the order of their names', async () => {
    write('a/SKILL.md')
    symlinkSync(base, join(root, 'b'))
    write('c/SKILL.md')
    const seen = await scan({ maxFolders: 2 })
    expect(seen.paths).toEqual(['a/SKILL.md'])
    expect(seen.diagnostics).toMatchObject([
      { code: 'SKILL_FOLDER_LINKED', path: join(root, 'b') },
      { code: 'SCAN_FOLDERS_REACHED', path: join(root, 'c') },
    ])
  })

  it('[DISC-6, ABUSE-16] search everything behind one link before the next link', async () => {
    for (const path of ['x/deep', 'y']) {
      mkdirSync(join(base, 'elsewhere', path), { recursive: true })
      writeFileSync(join(base, 'elsewhere', path, 'SKILL.md'), '')
    }
    symlinkSync(join(base, 'elsewhere/x'), join(root, 'a'))
    symlinkSync(join(base, 'elsewhere/y'), join(root, 'b'))
    write('c/SKILL.md')
    const { paths, found } = await scan({ depth: 2, followLinks: true })
    expect(paths).toEqual(['c/SKILL.md', 'a/deep/SKILL.md', 'b/SKILL.md'])
    expect(found.map(({ folder }) => folder.location)).toEqual([
      join(root, 'c'),
      join(base, 'elsewhere/x/deep'),
      join(base, 'elsewhere/y'),
    ])
  })

  it('[DISC-10, ABUSE-29] show the beginning of a manifest of a terabyte, without memory for the rest', async () => {
    truncateSync(write('a/SKILL.md', '---\nname: a\n---\n'), 2 ** 40)
    const { found, diagnostics } = await scan()
    expect(found[0]!.size).toBe(2 ** 40)
    expect(new TextDecoder().decode(found[0]!.head.subarray(0, 16))).toBe('---\nname: a\n---\n')
    expect(found[0]!.head.length).toBeLessThanOrEqual(4096)
    expect(diagnostics).toEqual([])
    await expect(found[0]!.folder.readManifest()).rejects.toMatchObject({ code: 'RESOURCE_TOO_LARGE' })
    const { catalog } = await openRepertoire({ sources: [directorySource({ root, layer: 'project' })] })
    expect(catalog.diagnostics).toMatchObject([{ code: 'MANIFEST_TOO_LARGE', severity: 'error' }])
  })

  it('[CAT-1] keep the bytes of one manifest apart from those of the next', async () => {
    write('a/SKILL.md', 'first')
    write('b/SKILL.md', 'second')
    const { found } = await scan()
    expect(found.map(({ head }) => new TextDecoder().decode(head))).toEqual(['first', 'second'])
  })

  it('[DISC-10] reach a folder’s neighbours even if it holds more than the limit', async () => {
    for (let index = 0; index < 50; index++) write(`aaa/${index}/SKILL.md`)
    write('zzz/SKILL.md')
    expect((await scan({ depth: 2, maxFolders: 10 })).paths).toContain('zzz/SKILL.md')
  })

  it('[DISC-3, ABUSE-21] load 49 of 50 skills when one is broken', async () => {
    for (let index = 0; index < 49; index++) write(`skill-${index}/SKILL.md`)
    mkdirSync(join(root, 'broken/SKILL.md'), { recursive: true })
    const { found, diagnostics } = await scan()
    expect(found).toHaveLength(49)
    expect(diagnostics).toHaveLength(1)
  })

  it.runIf(process.platform === 'linux')('[DISC-3] reports a folder whose name is not UTF-8', async () => {
    mkdirSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff])]))
    write('good/SKILL.md')
    const seen = await scan()
    expect(seen.paths).toEqual(['good/SKILL.md'])
    expect(codes(seen)).toEqual(['FOLDER_UNREADABLE'])
  })
})
