import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FoundSkill, openRepertoire, type SkillSource } from '../../../src/index.ts'
import { directorySource, type DirectorySourceOptions } from '../../../src/node/index.ts'
import { mapped } from '../../mapped-source.ts'

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

const folderSource = (options: Partial<DirectorySourceOptions> = {}): SkillSource =>
  directorySource({ root: join(base, 'root'), layer: 'project', ...options })

/** The same source, whose candidates pass through its own visitor. */
const wrapped = (source: SkillSource, change = (found: FoundSkill) => found): SkillSource => ({
  ...source,
  scan: () => mapped(source, change),
})

async function skillsOf(source: SkillSource) {
  const { catalog } = await openRepertoire({ sources: [source], catalog: { profile: 'lenient' } })
  return Promise.all(
    catalog.list().map(async ({ name, manifest, layer, source: id, location, path, folder }) => {
      const text = new TextDecoder().decode(await folder.readManifest())
      return { name, manifest, layer, id, location, path, folder: folder.location, alias: folder.alias, text }
    }),
  )
}

describe('the place of a skill', () => {
  it.each([
    ['itself', 'root'],
    ['by a link to it', 'link'],
  ])('[NFR-3] is the same in a source that wraps another, where the root is read %s', async (_, root) => {
    for (const path of ['a', 'b', 'b/c', 'b/d', 'e/f']) write(`root/${path}/SKILL.md`, path.at(-1))
    symlinkSync('root', join(base, 'link'))
    const source = folderSource({ root: join(base, root), depth: 2 })
    const skills = await skillsOf(source)
    expect(skills.map(({ path }) => path)).toEqual(
      ['a', 'b', 'b/c', 'b/d', 'e/f'].map((path) => join(base, root, path, 'SKILL.md')),
    )
    expect(await skillsOf(wrapped(source))).toEqual(skills)
  })

  it('[NFR-3] is the same for the root, for what a link led to, and for another spelling', async () => {
    write('root/SKILL.md', 'root')
    write('root/a/skill.md', 'a')
    write('else/deep/SKILL.md', 'deep')
    write('else/SKILL.md', 'linked')
    symlinkSync(join(base, 'else'), join(base, 'root/linked'))
    const source = folderSource({ depth: 2, followLinks: true })
    const skills = await skillsOf(source)
    expect(skills.map(({ name }) => name)).toEqual(['a', 'deep', 'linked', 'root'])
    expect(await skillsOf(wrapped(source))).toEqual(skills)
  })

  it('[NFR-3] is the one that a source which wraps another gives it', async () => {
    write('root/a/SKILL.md', 'a')
    const change = (found: FoundSkill): FoundSkill => ({
      ...found,
      path: `/else/${found.path}`,
      folder: { ...found.folder, location: 'memory:else' },
    })
    const { catalog } = await openRepertoire({ sources: [wrapped(folderSource(), change)] })
    expect(catalog.get('a')).toMatchObject({ location: 'memory:else', path: `/else/${join(base, 'root/a/SKILL.md')}` })
  })

  it('[NFR-3, DISC-1] is where it was found, by links too', async () => {
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
      expect((await folder.list()).files).toHaveLength(1)
    }
  })
})
