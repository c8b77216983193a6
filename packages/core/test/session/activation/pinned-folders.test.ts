import { describe, expect, it } from 'vitest'
import { createPinnedFolders } from '../../../src/session/activation/pinned-folders.ts'
import { memorySource } from '../../../src/catalog/memory-source.ts'
import { openRepertoire } from '../../../src/repertoire.ts'
import type { SkillFolder } from '../../../src/ports/folder.ts'
import type { ActiveSkill } from '../../../src/session/state/state.ts'

/** A folder of one file. */
async function oneFolder(): Promise<SkillFolder> {
  const text = '---\nname: pdf\ndescription: d\n---\nBody.\n'
  const sources = [memorySource({ layer: 'project', skills: { pdf: { 'SKILL.md': text } } })]
  const { catalog } = await openRepertoire({ sources })
  return catalog.get('pdf').folder
}

const skill = (more: Partial<ActiveSkill>): ActiveSkill => ({
  name: 'pdf',
  layer: 'project',
  source: 'a',
  location: 'bc',
  digest: 'd',
  scripts: [],
  ...more,
})

describe('what is remembered of activations', () => {
  it('[ACT-14] is of the one that showed it, and of no other', () => {
    const mount = { path: 'private:/.skills/pdf', location: '/tasks/1/pdf' }
    const skills = [
      skill({}),
      skill({ source: 'ab' }),
      skill({ source: 'ab', location: 'c' }),
      skill({ location: 'c' }),
      skill({ digest: 'e' }),
      skill({}),
      skill({ args: 'x' }),
      skill({ args: '"x"' }),
      skill({ mount }),
      skill({ mount: { ...mount, location: '/tasks/2/pdf' } }),
      skill({ mount: { ...mount, path: 'private:/.skills/pdf-2' } }),
      skill({ mount, args: 'x' }),
    ]
    const held = createPinnedFolders(() => undefined)
    for (const [index, each] of skills.entries()) {
      // The same one, by another object.
      expect(held.textOf(each)).toBe(index === 5 ? '0' : undefined)
      held.holdText(each, String(index))
    }
    expect(skills.map((each) => held.textOf(each))).toEqual(skills.map((_, index) => String(index === 0 ? 5 : index)))
  })

  it('[ACT-14, NFR-1] keeps 8,000,000 characters of texts, those used last', () => {
    const pinned = createPinnedFolders(() => undefined)
    const [first, second, third] = ['1', '2', '3'].map((digest) => skill({ digest })) as [
      ActiveSkill,
      ActiveSkill,
      ActiveSkill,
    ]
    const kept = () => [first, second, third].map((each) => pinned.textOf(each)?.length)
    pinned.holdText(first, 'x'.repeat(4_000_000))
    pinned.holdText(second, 'x'.repeat(4_000_000))
    expect(pinned.textOf(first)).toHaveLength(4_000_000)
    pinned.holdText(third, 'x')
    expect(kept()).toEqual([4_000_000, undefined, 1])
    // What alone is longer than the limit is kept too, and nothing beside it.
    pinned.holdText(second, 'x'.repeat(8_000_001))
    expect(kept()).toEqual([undefined, 8_000_001, undefined])
    pinned.holdText(first, '')
    expect(kept()).toEqual([0, undefined, undefined])
  })

  it('[ASK-2, NFR-1] keeps the hashes of 50,000 files, those of folders used last', async () => {
    const pinned = createPinnedFolders(() => undefined)
    const files = new Map(Array.from({ length: 25_000 }, (_, index) => [`${index}.md`, 'hash']))
    const folder = await oneFolder()
    const [first, second, third] = ['1', '2', '3'].map((digest) => skill({ digest })) as [
      ActiveSkill,
      ActiveSkill,
      ActiveSkill,
    ]
    pinned.hold(first, { folder, fileName: 'SKILL.md', files })
    pinned.hold(second, { folder, fileName: 'SKILL.md', files })
    await pinned.open(first)
    pinned.hold(third, { folder, fileName: 'SKILL.md', files: new Map([['a.md', 'hash']]) })
    await expect(pinned.open(second)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    for (const each of [first, third])
      await expect(pinned.open(each)).resolves.toMatchObject({ location: folder.location })
  })
})
