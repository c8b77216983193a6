import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FoundSkill, type SkillVisitor, openRepertoire } from '../../../src/index.ts'
import { type DirectorySourceOptions, directorySource } from '../../../src/node/index.ts'
import { offerFastVisit } from '../../../src/catalog/fast-visit.ts'
import type { SkillLocator } from '../../../src/catalog/fast-visit.ts'

let base: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-locator-'))
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

function write(path: string, name = 'x'): void {
  mkdirSync(dirname(join(base, path)), { recursive: true })
  writeFileSync(join(base, path), `---\nname: ${name}\ndescription: ${path}\n---\n`)
}

async function scan(options: Partial<DirectorySourceOptions> = {}) {
  const all: { readonly found: FoundSkill; readonly locator: SkillLocator | undefined }[] = []
  const visitor: SkillVisitor = { skill: () => expect.unreachable(), diagnostic: () => {} }
  offerFastVisit(visitor, { skill: (found, locator) => void all.push({ found, locator }) })
  await directorySource({ root: join(base, 'root'), layer: 'project', ...options }).scan(visitor)
  return all
}

describe('the locator of a folder', () => {
  it.each([
    ['itself', 'root'],
    ['by a link to it', 'link'],
  ])('[NFR-3] gives what each candidate has, where the root is read %s', async (_, root) => {
    for (const path of ['a', 'b', 'b/c', 'b/d', 'e/f']) write(`root/${path}/SKILL.md`)
    symlinkSync('root', join(base, 'link'))
    const all = await scan({ root: join(base, root), depth: 2 })
    expect(all.map(({ found }) => found.path)).toEqual(
      ['a', 'b', 'b/c', 'b/d', 'e/f'].map((path) => join(base, root, path, 'SKILL.md')),
    )
    for (const { found, locator } of all) {
      const { folder, folderName, path } = found
      expect([locator?.location(folderName), locator?.path(folderName)]).toEqual([folder.location, path])
      expect(locator?.folder(folderName)).toEqual(folder)
    }
    expect(new Set(all.map(({ locator }) => locator)).size).toBe(3)
  })

  it('[NFR-3] is not there for the root, for what a link led to, and for another spelling', async () => {
    write('root/SKILL.md')
    write('root/a/skill.md')
    write('else/deep/SKILL.md')
    write('else/SKILL.md')
    symlinkSync(join(base, 'else'), join(base, 'root/linked'))
    const all = await scan({ depth: 2, followLinks: true })
    expect(all.map(({ found }) => found.folderName)).toEqual(['root', 'a', 'linked', 'deep'])
    expect(all.map(({ locator }) => locator)).toEqual([undefined, undefined, undefined, undefined])
  })

  it('[NFR-3, DISC-1] leaves a skill the place that it is found in, by links too', async () => {
    write('root/a/SKILL.md', 'a')
    write('else/b/SKILL.md', 'b')
    symlinkSync(join(base, 'else/b'), join(base, 'root/b'))
    symlinkSync('root', join(base, 'link'))
    const source = directorySource({ root: join(base, 'link'), layer: 'project', followLinks: true })
    const { catalog } = await openRepertoire({ sources: [source] })
    const places = catalog
      .list()
      .map(({ location, path, folder }) => ({ location, path, folder: folder.location, alias: folder.alias }))
    const [a, b] = [join(base, 'link/a'), join(base, 'else/b')]
    expect(places).toEqual([
      { location: a, path: join(a, 'SKILL.md'), folder: a, alias: join(base, 'root/a') },
      { location: b, path: join(base, 'link/b/SKILL.md'), folder: b, alias: join(base, 'link/b') },
    ])
    for (const { folder, name } of catalog.list()) {
      expect(new TextDecoder().decode(await folder.readManifest())).toContain(`name: ${name}\n`)
      expect((await folder.survey?.())?.listing.files).toHaveLength(1)
    }
  })

  it('[NFR-3] says later what lies beside a manifest in another spelling, in each folder', async () => {
    for (const path of ['a/b', 'a/c', 'd/e', 'd/f']) write(`root/${path}/SKILL.md`, path.at(-1))
    const source = directorySource({ root: join(base, 'root'), layer: 'project', depth: 2 })
    const { catalog } = await openRepertoire({ sources: [source] })
    const others = ['a/c/skill.md', 'd/f/Skill.md', 'd/f/skill.md']
    for (const path of others) write(`root/${path}`)
    expect(catalog.diagnostics.map(({ code, path }) => [code, path])).toEqual(
      others.map((path) => ['MANIFEST_SPELLINGS', join(base, 'root', path)]),
    )
  })
})
