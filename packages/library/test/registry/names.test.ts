import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { memorySource, openRepertoire } from '@repertoire/core'
import { openAdapterSession, skillToolsOf } from '@repertoire/core/adapter'
import { createSkillRegistry, openFileStore } from '@repertoire/library'
import { array, assert, asyncProperty, constantFrom, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentOf, filesOf, instruction } from '../../src/testing/case.ts'
import { temporaryFolder, temporaryStore } from '../temporary-folder.ts'

const layer = 'personal'
const conflict = { code: 'STORE_CONFLICT' }

function put(root: string, folder: string, name: string, fields = ''): void {
  mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(
    join(root, folder, 'SKILL.md'),
    `---\nname: ${name}\ndescription: In ${folder}.\n${fields}---\n${folder}\n`,
  )
}

/** The names in the catalog, the store, the registry's tools and a session of a folder of skills. */
async function namesOf(root: string) {
  const store = await openFileStore({ root, layer })
  await using repertoire = await openRepertoire({ sources: [store], listing: { style: 'tools' } })
  const registry = createSkillRegistry({ store, repertoire })
  await registry.load()
  await using session = openAdapterSession(repertoire, { consent: () => true })
  const { tools } = await session.step({ tools: [] })
  const stored = await store.listActive()
  return {
    catalog: repertoire.catalog.list().map(({ name, path }) => [name, path]),
    store: stored.map(({ name, folder }) => [name, `${folder.location}/SKILL.md`]),
    got: await Promise.all(stored.map(async ({ name }) => (await store.get(name)).manifest.name)),
    registry: registry.loadedSkills().map(({ name }) => name),
    session: tools.map(({ name }) => name).filter((name) => name.startsWith('skill_')),
  }
}

const toolOf = (name: string): string => skillToolsOf([{ name, path: '', manifest: { description: '' } }])[0]!.name

describe('one name for a skill', () => {
  it('[LIB-13] store, registry, catalog and session use the name in SKILL.md, whatever the folder is called', async () => {
    const root = temporaryFolder()
    put(root, 'pdf', 'pdf-processing')
    put(root, 'next.js', 'Next.js Caching')
    put(root, 'Upper', 'Upper')
    put(root, 'same', 'same')
    const names = await namesOf(root)
    expect(names.got).toEqual(['Next.js Caching', 'Upper', 'pdf-processing', 'same'])
    expect(names.store).toEqual(names.catalog)
    expect(names.registry).toEqual(names.got.map(toolOf))
    expect(names.session.toSorted()).toEqual(names.registry.toSorted())
  })

  it('[LIB-13] the names agree for any folders, also where two hold skills of one name', async () => {
    const folder = constantFrom('a', 'b', 'pdf', 'pdf-tools', 'Z')
    const name = constantFrom('a', 'b', 'pdf', 'pdf-tools', 'PDF Tools')
    const fields = constantFrom('', 'priority: 2\n', 'status: draft\n')
    await assert(
      asyncProperty(array(tuple(folder, name, fields), { maxLength: 5 }), async (skills) => {
        const root = temporaryFolder()
        for (const skill of skills) put(root, ...skill)
        const names = await namesOf(root)
        expect(names.store).toEqual(names.catalog)
        expect(names.got).toEqual(names.catalog.map(([each]) => each))
        expect(names.session.toSorted()).toEqual(names.registry.toSorted())
      }),
      { numRuns: 25 },
    )
  })

  it('[LIB-13] every call of a store finds a skill by that name, and not by the name of its folder', async () => {
    const root = temporaryFolder()
    put(root, 'pdf', 'pdf-processing')
    const store = await openFileStore({ root, layer })
    await expect(store.get('pdf')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND', nearest: ['pdf-processing'] })
    await expect(store.delete('pdf')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
    await store.save(instruction('pdf-processing', 'New.\n'))
    await store.saveResource('pdf-processing', 'a.md', 'a')
    expect(existsSync(join(root, 'pdf-processing'))).toBe(false)
    expect(readFileSync(join(root, 'pdf/SKILL.md'), 'utf8')).toContain('New.')
    await store.replace('pdf-processing', filesOf('pdf-processing', { 'b.md': 'b' }))
    expect(Object.keys(await contentOf(store, 'pdf-processing'))).toEqual(['SKILL.md', 'b.md'])
    await store.delete('pdf-processing')
    expect(existsSync(join(root, 'pdf'))).toBe(false)
  })

  it('[LIB-13] a store finds a skill whose name is no key by its own name', async () => {
    const store = await temporaryStore()
    await store.replace('pdf-forms', filesOf('PDF Forms'))
    await using repertoire = await openRepertoire({ sources: [store] })
    expect(repertoire.catalog.list().map(({ name }) => name)).toEqual(['PDF Forms'])
    const { name } = await store.get('PDF Forms')
    expect([name, (await store.get('pdf-forms')).name]).toEqual(['PDF Forms', 'PDF Forms'])
    await store.saveResource('PDF Forms', 'a.md', 'a')
    await store.save(instruction('PDF Forms', 'New.\n'))
    expect((await store.get(name)).body).toBe('New.\n')
    await expect(store.get('PDF FORMS')).rejects.toMatchObject({ code: 'MANIFEST_INVALID' })
    await store.delete('PDF Forms')
    expect(await store.listActive()).toEqual([])
  })
})

describe('a name that is taken', () => {
  it('[LIB-13, ABUSE-134] is refused where another folder of the store has a skill of that name', async () => {
    const root = temporaryFolder()
    put(root, 'pdf', 'report')
    const registry = createSkillRegistry({ store: await openFileStore({ root, layer }) })
    const skill = { description: 'A report.', type: 'instruction' }
    await expect(registry.create({ ...skill, name: 'report' })).rejects.toMatchObject(conflict)
    await expect(registry.create({ ...skill, name: 'pdf' })).rejects.toMatchObject({
      ...conflict,
      message: expect.stringContaining('its folder "pdf" holds the skill "report"') as string,
    })
    expect(existsSync(join(root, 'report'))).toBe(false)
  })

  it('[LIB-13, ABUSE-134] is refused for a write where two folders have skills of that name', async () => {
    const root = temporaryFolder()
    put(root, 'a', 'report')
    put(root, 'b', 'report')
    const store = await openFileStore({ root, layer })
    expect((await store.get('report')).body).toBe('a\n')
    for (const write of [
      () => store.save(instruction('report')),
      () => store.delete('report'),
      () => store.saveResource('report', 'a.md', 'a'),
      () => store.replace('report', filesOf('report')),
    ]) {
      await expect(write()).rejects.toMatchObject({
        ...conflict,
        message: expect.stringMatching(/"a" and "b" both/) as string,
      })
    }
  })

  it.each(['enterprise', 'project'] as const)(
    '[LIB-13, ABUSE-134] is refused where a source of the layer %s has a skill of that name',
    async (other) => {
      const skills = { pdf: { 'SKILL.md': '---\nname: report\ndescription: Theirs.\n---\nTheirs.\n' } }
      const store = await temporaryStore()
      const sources = [memorySource({ layer: other, id: 'theirs', skills }), store]
      await using repertoire = await openRepertoire({ sources })
      const registry = createSkillRegistry({ store, repertoire })
      const skill = { name: 'report', description: 'Mine.', type: 'instruction' }
      await expect(registry.create(skill)).rejects.toMatchObject({
        ...conflict,
        message: expect.stringContaining('theirs') as string,
      })
      expect(await store.listActive()).toEqual([])
      await store.save({ manifest: { name: 'report', description: 'Mine.', status: 'draft' }, body: '' })
      await expect(registry.activate('report')).rejects.toMatchObject(conflict)
    },
  )

  it('[LIB-13, ABUSE-134] a skill that a folder shadows later is no tool any more, and the catalog says so', async () => {
    const root = temporaryFolder()
    const [store, above] = [await temporaryStore(), await openFileStore({ root, layer: 'enterprise' })]
    await using repertoire = await openRepertoire({ sources: [above, store] })
    const registry = createSkillRegistry({ store, repertoire })
    await registry.create({ name: 'report', description: 'Mine.', type: 'instruction' })
    expect((await registry.load()).map(({ name }) => name)).toEqual(['skill_report'])
    put(root, 'pdf', 'report')
    await repertoire.reload({ force: true })
    expect(await registry.load()).toEqual([])
    expect(repertoire.catalog.diagnostics.map(({ code }) => code)).toContain('SKILL_SHADOWED')
  })
})
