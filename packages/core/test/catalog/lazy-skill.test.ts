import { describe, expect, it } from 'vitest'
import { buildCatalog } from '../../src/catalog/catalog.ts'
import { memorySource } from '../../src/catalog/memory-source.ts'
import { compareCatalogs } from '../../src/catalog/compare.ts'
import type { FoundSkill, SkillLocator, SkillSource, SkillVisitor } from '../../src/ports/source.ts'

const text = (name: string, more = ''): string => `---\nname: ${name}\ndescription: The skill ${name}.\n${more}---\n`

const SKILLS = {
  b: { 'SKILL.md': text('b', 'version: 1\n') },
  a: { 'SKILL.md': text('a') },
  c: { 'SKILL.md': '---\n' },
}
const plain = memorySource({ id: 'm', layer: 'project', skills: SKILLS })

/** The same source, with a shelf. */
function shelved(handOn: (visitor: SkillVisitor, found: FoundSkill, shelf: SkillLocator) => void): SkillSource {
  return {
    ...plain,
    async scan(visitor) {
      const places = new Map<string, FoundSkill>()
      const shelf: SkillLocator = {
        location: (name) => places.get(name)!.folder.location,
        path: (name) => places.get(name)!.path,
        folder: (name) => ({ ...places.get(name)!.folder }),
      }
      await plain.scan({
        ...visitor,
        skill(found) {
          places.set(found.folderName, found)
          handOn(visitor, found, shelf)
        },
      })
    },
  }
}

const WITH_SHELF = shelved((visitor, found, shelf) => visitor.skill(found, shelf))

describe('a skill whose source has a shelf', () => {
  it('[NFR-3] is the skill that it is without one', async () => {
    const catalog = await buildCatalog({ sources: [WITH_SHELF] })
    const other = await buildCatalog({ sources: [plain] })
    const valuesOf = (of: typeof catalog): unknown[] =>
      of
        .list()
        .map(({ name, manifest, layer, source, location, path }) => [name, manifest, layer, source, location, path])
    expect(valuesOf(catalog)).toEqual(valuesOf(other))
    expect(catalog.list().map(({ name }) => name)).toEqual(['a', 'b'])
    expect(JSON.parse(JSON.stringify(catalog.list()))).toEqual(JSON.parse(JSON.stringify(other.list())))
    expect([catalog.diagnostics, catalog.broken]).toEqual([other.diagnostics, other.broken])
    expect(catalog.diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['FIELD_UNKNOWN', other.get('b').path],
      ['FRONTMATTER_UNCLOSED', other.broken[0]!.path],
    ])
    expect(new TextDecoder().decode(await catalog.get('a').folder.readManifest())).toBe(text('a'))
    expect(compareCatalogs(other, catalog)).toEqual({ added: [], removed: [], changed: [] })
  })

  it.each([[0], [null], ['shelf'], [{}], [{ location: () => '' }]])(
    '[NFR-3] is a skill of its own where what comes with it, %j, is no shelf',
    async (shelf) => {
      const source = shelved((visitor, found) => visitor.skill(found, shelf as unknown as SkillLocator))
      const [skill] = (await buildCatalog({ sources: [source] })).list()
      const [other] = (await buildCatalog({ sources: [plain] })).list()
      expect([skill!.path, skill!.location]).toEqual([other!.path, other!.location])
      expect(new TextDecoder().decode(await skill!.folder.readManifest())).toBe(text('a'))
    },
  )

  it('[NFR-3] has the part of the source that it was found in', async () => {
    const parted = shelved((visitor, found, shelf) => visitor.skill({ ...found, part: found.folderName }, shelf))
    const catalog = await buildCatalog({ sources: [parted] })
    expect(catalog.list().map(({ source, name }) => [source, name])).toEqual([
      ['m:a', 'a'],
      ['m:b', 'b'],
    ])
  })

  it('[NFR-3] is as its candidate says where that comes without the shelf', async () => {
    const changed = shelved((visitor, found) =>
      visitor.skill({ ...found, path: `/else/${found.path}`, folder: { ...found.folder, location: 'memory:else' } }),
    )
    const catalog = await buildCatalog({ sources: [changed] })
    expect(catalog.list().map(({ location, path }) => [location, path.startsWith('/else/')])).toEqual([
      ['memory:else', true],
      ['memory:else', true],
    ])
  })

  it('[NFR-3, CAT-5] stays what it was where it cannot be read any more', async () => {
    const before = await buildCatalog({ sources: [WITH_SHELF] })
    const lost = memorySource({ id: 'm', layer: 'project', skills: { ...SKILLS, a: { 'SKILL.md': 'gone' } } })
    const after = await buildCatalog({ sources: [lost] }, before)
    expect(after.kept).toEqual([before.get('a')])
    expect(after.get('a')).toBe(before.get('a'))
  })
})
