import { rmSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRepertoire } from '../../../src/index.ts'
import { directorySource } from '../../../src/node/index.ts'
import { root, scan, useScannedRoot, write } from './scanned-root.ts'

useScannedRoot()

describe('a directory source with other spellings', () => {
  it('visits another spelling where there is no SKILL.md, under the name that it has', async () => {
    write('a/skill.md')
    write('b/Skill.md')
    write('c/SKILL.MD')
    write('d/sKiLl.Md')
    write('e/SKILL.txt')
    for (const depth of [1, 2]) {
      const { found, diagnostics } = await scan({ depth })
      expect(found.map(({ fileName }) => fileName)).toEqual(['skill.md', 'Skill.md', 'SKILL.MD', 'sKiLl.Md'])
      expect(diagnostics).toEqual([])
      expect(await found[0]!.folder.readManifest()).toHaveLength(16)
    }
  })

  // Where the file system ignores case there is only ever one of them.
  it.runIf(process.platform === 'linux')('[ABUSE-20] reads SKILL.md and reports a spelling beside it', async () => {
    write('a/SKILL.md', 'right')
    write('a/skill.md', 'wrong')
    write('a/SKILL.MD', 'wrong')
    // Alone, any but the usual spelling is only seen where the folder is listed.
    write('b/SKILL.md', 'right')
    write('b/SKILL.MD', 'wrong')
    for (const depth of [1, 2]) {
      const { found, diagnostics } = await scan({ depth })
      expect(found.map(({ path }) => path)).toEqual([join(root, 'a/SKILL.md'), join(root, 'b/SKILL.md')])
      const named = ['a/SKILL.MD', 'a/skill.md', ...(depth === 1 ? [] : ['b/SKILL.MD'])]
      expect(diagnostics).toMatchObject(
        named.map((path) => ({
          code: 'MANIFEST_SPELLINGS',
          severity: 'warning',
          path: join(root, path),
          message: expect.stringContaining('SKILL.md'),
        })),
      )
    }
  })

  it.runIf(process.platform === 'linux')('[ABUSE-20] reads the first of several other spellings', async () => {
    write('a/skill.md')
    write('a/Skill.md')
    const seen = await scan()
    expect(seen.paths).toEqual(['a/Skill.md'])
    expect(seen.diagnostics).toMatchObject([{ code: 'MANIFEST_SPELLINGS', path: join(root, 'a/skill.md') }])
  })
})

// Where the file system ignores case there is only ever one of them.
describe.runIf(process.platform === 'linux')('other spellings in the diagnostics of a catalog', () => {
  const skill = (path: string) => write(path, `---\nname: ${path.split('/').at(-2)}\ndescription: A skill.\n---\n`)

  async function open(depth = 1) {
    const sources = [directorySource({ root, layer: 'personal', depth })]
    const { catalog } = await openRepertoire({ sources, catalog: { profile: 'lenient' } })
    const reported = () => catalog.diagnostics.map(({ code, path }) => [code, relative(root, path)])
    return { catalog, reported }
  }

  it('[ABUSE-20] are found in each folder when the diagnostics are first read', async () => {
    for (const path of ['a/b', 'a/c', 'd/e', 'd/f']) skill(`${path}/SKILL.md`)
    const { reported } = await open(2)
    const others = ['a/c/skill.md', 'd/f/Skill.md', 'd/f/skill.md']
    for (const path of others) write(path)
    expect(reported()).toEqual(others.map((path) => ['MANIFEST_SPELLINGS', path]))
  })

  it('[ABUSE-15, ABUSE-20] are found where SKILL.md itself is refused', async () => {
    skill('a/SKILL.md')
    skill('b/skill.md')
    symlinkSync('skill.md', join(root, 'b/SKILL.md'))
    expect((await open()).reported()).toEqual([
      ['MANIFEST_LINKED', 'b/SKILL.md'],
      ['MANIFEST_SPELLINGS', 'b/skill.md'],
    ])
  })

  it('[ABUSE-20] are found in the first folder during the scan, so that a file system that ignores case is noticed', async () => {
    skill('a/SKILL.md')
    const other = write('a/skill.md')
    const { reported } = await open()
    rmSync(other)
    expect(reported()).toEqual([['MANIFEST_SPELLINGS', 'a/skill.md']])
  })

  it('are not reported where there is no SKILL.md', async () => {
    skill('a/SKILL.md')
    skill('b/skill.md')
    skill('c/Skill.md')
    const { catalog } = await open()
    expect(catalog.list().map(({ path }) => relative(root, path))).toEqual(['a/SKILL.md', 'b/skill.md', 'c/Skill.md'])
    expect(catalog.diagnostics.filter(({ code }) => code === 'MANIFEST_SPELLINGS')).toEqual([])
  })

  it('are left out where they or their folder are gone by then', async () => {
    for (const name of ['a', 'b', 'c']) skill(`${name}/SKILL.md`)
    for (const name of ['b', 'c']) write(`${name}/skill.md`)
    const { reported } = await open()
    rmSync(join(root, 'b'), { recursive: true })
    rmSync(join(root, 'c/SKILL.md'))
    expect(reported()).toEqual([])
  })

  it('[ABUSE-20] are found once', async () => {
    for (const name of ['a', 'b']) skill(`${name}/SKILL.md`)
    const other = write('b/skill.md')
    const { catalog } = await open()
    const { diagnostics } = catalog
    expect(diagnostics).toMatchObject([{ code: 'MANIFEST_SPELLINGS', path: other }])
    rmSync(other)
    expect(catalog.diagnostics).toBe(diagnostics)
  })
})
