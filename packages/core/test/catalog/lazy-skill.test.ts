import { describe, expect, it } from 'vitest'
import { type FoundSkill, type SkillSource, type SkillVisitor, memorySource } from '../../src/index.ts'
import { buildCatalog } from '../../src/catalog/catalog.ts'
import { compareCatalogs } from '../../src/catalog/compare.ts'
import { fastVisitOf } from '../../src/catalog/fast-visit.ts'
import type { FastVisit, SkillLocator } from '../../src/catalog/fast-visit.ts'

const text = (name: string, more = ''): string => `---\nname: ${name}\ndescription: The skill ${name}.\n${more}---\n`

const SKILLS = {
  b: { 'SKILL.md': text('b', 'version: 1\n') },
  a: { 'SKILL.md': text('a') },
  c: { 'SKILL.md': '---\n' },
}
const plain = memorySource({ id: 'm', layer: 'project', skills: SKILLS })

type Show = (found: FoundSkill, locator: SkillLocator, fast: FastVisit, visitor: SkillVisitor) => void

/** The same source, with a locator. */
function located(show: Show): SkillSource {
  return {
    ...plain,
    async scan(visitor) {
      const places = new Map<string, FoundSkill>()
      const locator: SkillLocator = {
        location: (name) => places.get(name)!.folder.location,
        path: (name) => places.get(name)!.path,
        folder: (name) => ({ ...places.get(name)!.folder }),
      }
      await plain.scan({
        ...visitor,
        skill(found) {
          places.set(found.folderName, found)
          show(found, locator, fastVisitOf(visitor)!, visitor)
        },
      })
    },
  }
}

const LOCATED = located((found, locator, fast) => fast.skill(found, locator))

describe('a skill whose source has a locator', () => {
  it('[NFR-3] is the skill that it is without one', async () => {
    const catalog = await buildCatalog({ sources: [LOCATED] })
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

  it.each([[0], [null], ['locator'], [{}], [{ location: () => '' }]])(
    '[NFR-3] is a skill of its own where a source passes it through the port, with %j',
    async (more) => {
      const source = located(
        (found, _locator, _fast, visitor) =>
          void Reflect.apply(Reflect.get(visitor, 'skill'), visitor, [found, more, more]),
      )
      const [skill] = (await buildCatalog({ sources: [source] })).list()
      const [other] = (await buildCatalog({ sources: [plain] })).list()
      expect([skill!.path, skill!.location]).toEqual([other!.path, other!.location])
      expect(new TextDecoder().decode(await skill!.folder.readManifest())).toBe(text('a'))
    },
  )

  it('[NFR-3] has the part of the source that it was found in', async () => {
    const parted = located((found, locator, fast) => fast.skill({ ...found, part: found.folderName }, locator))
    const catalog = await buildCatalog({ sources: [parted] })
    expect(catalog.list().map(({ source, name }) => [source, name])).toEqual([
      ['m:a', 'a'],
      ['m:b', 'b'],
    ])
  })

  it('[NFR-3] has the places of its candidate where that comes without a locator', async () => {
    const changed = located((found, _locator, fast) =>
      fast.skill({ ...found, path: `/else/${found.path}`, folder: { ...found.folder, location: 'memory:else' } }),
    )
    const catalog = await buildCatalog({ sources: [changed] })
    expect(catalog.list().map(({ location, path }) => [location, path.startsWith('/else/')])).toEqual([
      ['memory:else', true],
      ['memory:else', true],
    ])
  })

  it('[NFR-3, CAT-5] stays what it was where it cannot be read any more', async () => {
    const before = await buildCatalog({ sources: [LOCATED] })
    const lost = memorySource({ id: 'm', layer: 'project', skills: { ...SKILLS, a: { 'SKILL.md': 'gone' } } })
    const after = await buildCatalog({ sources: [lost] }, before)
    expect(after.kept).toEqual([before.get('a')])
    expect(after.get('a')).toBe(before.get('a'))
  })
})
