import { rmSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Diagnostic, type FoundSkill, type SkillVisitor, openRepertoire } from '../../../src/index.ts'
import { type DirectorySourceOptions, directorySource } from '../../../src/node/index.ts'
import { offerFastVisit } from '../../../src/catalog/fast-visit.ts'
import { codes, root, scan, useScannedRoot, write } from './scanned-root.ts'
import type { Seen } from './scanned-root.ts'

useScannedRoot()

describe('spellings', () => {
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
describe.runIf(process.platform === 'linux')('spellings, for a visitor that takes them later', () => {
  async function scanLater(options: Partial<DirectorySourceOptions> = {}): Promise<Seen & { later: () => unknown[] }> {
    const found: FoundSkill[] = []
    const diagnostics: Diagnostic[] = []
    const searches: (() => readonly Diagnostic[])[] = []
    const visitor: SkillVisitor = {
      skill: () => expect.unreachable(),
      diagnostic: (diagnostic) => diagnostics.push(diagnostic),
    }
    offerFastVisit(visitor, { skill: (skill) => found.push(skill), later: (search) => searches.push(search) })
    await directorySource({ root, layer: 'personal', ...options }).scan(visitor)
    const later = (): unknown[] =>
      searches.flatMap((search) => search().map(({ code, path }) => [code, relative(root, path)]))
    return { found, paths: found.map(({ path }) => relative(root, path)), diagnostics, later }
  }

  it('[ABUSE-20] leaves it for later what lies beside SKILL.md, and says then what the scan would have said', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}/SKILL.md`)
    write('b/skill.md')
    write('b/SKILL.MD')
    const seen = await scanLater()
    expect(seen.paths).toEqual(['a/SKILL.md', 'b/SKILL.md', 'c/SKILL.md'])
    expect(seen.diagnostics).toEqual([])
    const spellings = ['b/SKILL.MD', 'b/skill.md'].map((path) => ['MANIFEST_SPELLINGS', path])
    expect(seen.later()).toEqual(spellings)
    expect((await scan()).diagnostics.map(({ code, path }) => [code, relative(root, path)])).toEqual(spellings)
  })

  it('[ABUSE-15, ABUSE-20] also where SKILL.md itself is refused', async () => {
    write('a/SKILL.md')
    write('b/skill.md')
    symlinkSync('skill.md', join(root, 'b/SKILL.md'))
    const seen = await scanLater()
    expect(codes(seen)).toEqual(['MANIFEST_LINKED'])
    expect(seen.later()).toEqual([['MANIFEST_SPELLINGS', 'b/skill.md']])
  })

  it('[ABUSE-20] looks at once in the first folder, so that a file system that ignores case is noticed', async () => {
    write('a/SKILL.md')
    write('a/skill.md')
    const seen = await scanLater()
    expect(codes(seen)).toEqual(['MANIFEST_SPELLINGS'])
    expect(seen.later()).toEqual([])
  })

  it('finds another spelling at once where there is no SKILL.md', async () => {
    write('a/SKILL.md')
    write('b/skill.md')
    write('c/Skill.md')
    const seen = await scanLater()
    expect(seen.found.map(({ fileName }) => fileName)).toEqual(['SKILL.md', 'skill.md', 'Skill.md'])
    expect(seen.later()).toEqual([])
  })

  it('says nothing of what is gone by then', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}/SKILL.md`)
    for (const name of ['b', 'c']) write(`${name}/skill.md`)
    const seen = await scanLater()
    rmSync(join(root, 'b'), { recursive: true })
    rmSync(join(root, 'c/SKILL.md'))
    expect(seen.later()).toEqual([])
  })

  it('[ABUSE-20] is among the diagnostics of a catalog, which are found once', async () => {
    for (const name of ['a', 'b']) write(`${name}/SKILL.md`, `---\nname: ${name}\ndescription: A skill.\n---\n`)
    const other = write('b/skill.md')
    const { catalog } = await openRepertoire({ sources: [directorySource({ root, layer: 'personal' })] })
    expect(catalog.list().map(({ name }) => name)).toEqual(['a', 'b'])
    const { diagnostics } = catalog
    expect(diagnostics).toMatchObject([{ code: 'MANIFEST_SPELLINGS', path: other }])
    rmSync(other)
    expect(catalog.diagnostics).toBe(diagnostics)
  })
})
