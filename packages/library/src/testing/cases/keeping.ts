import assert from 'node:assert/strict'
import { openRepertoire, type SkillStore } from '@repertoire/core'
import { contentOf, filesOf, instruction, refuses, type StoreCase } from '../case.ts'

/** What is saved is there, for this store and for the next one that is opened. */
export const keepingCases: readonly StoreCase[] = [
  {
    title: '[LIB-1] gives back what was saved: the manifest with its rules and source, the body, the definition',
    async run({ store, again }) {
      const allowedTools = [{ tool: 'exec' }, { tool: 'fs_read', pattern: 'docs/*' }]
      const source = 'https://example.com/skills'
      const saved = instruction('pdf-forms', 'Fill in the form.\n', { allowedTools, source, createdBy: 'import' })
      const { revision } = await store.save(saved)
      for (const each of [store, await again()]) {
        const found = await each.get('pdf-forms')
        assert.equal(found.revision, revision)
        const { name, manifest } = found
        assert.deepEqual([name, manifest.source, manifest.createdBy], ['pdf-forms', source, 'import'])
        assert.deepEqual(manifest.allowedTools, allowedTools)
        assert.equal(found.body, 'Fill in the form.\n')
        assert.deepEqual(found.definition, saved.definition)
      }
    },
  },
  {
    title: '[LIB-1] lists the active skills alone, by name',
    async run({ store }) {
      assert.deepEqual(await activeNames(store), [])
      await store.save(instruction('zebra'))
      await store.save(instruction('ant'))
      await store.save(instruction('draft', 'Not yet.\n', { status: 'draft' }))
      assert.deepEqual(await activeNames(store), ['ant', 'zebra'])
    },
  },
  {
    title: '[LIB-1, RES-4] saves a resource to its path, executable if it is to be, and leaves everything else',
    async run({ store }) {
      await store.save(instruction('pdf'))
      const before = await contentOf(store, 'pdf')
      await store.saveResource('pdf', 'scripts/run.sh', 'true\n', { executable: true })
      const { revision } = await store.saveResource('pdf', 'references/deep/guide.md', Buffer.from('Read.\n'))
      const after = { ...before, 'references/deep/guide.md': 'Read.\n', 'scripts/run.sh': 'true\n' }
      assert.deepEqual(await contentOf(store, 'pdf'), after)
      const stored = await store.get('pdf')
      assert.equal(stored.revision, revision)
      await store.saveResource('pdf', 'scripts/run.sh', 'false\n')
      const { files } = await stored.folder.list()
      assert.deepEqual(
        files.filter(({ executable }) => executable).map(({ path }) => path),
        ['scripts/run.sh'],
      )
    },
  },
  {
    title: '[LIB-1] replaces a whole skill, hidden files too, and keeps all but SKILL.md when that is saved',
    async run({ store, again }) {
      await store.replace('pdf', filesOf('pdf', { 'old.md': 'Old.\n', 'a/b/c.md': 'Deep.\n' }))
      const files = filesOf('pdf', { '.hidden': 'h', 'a/d.md': 'New.\n' })
      await store.replace('pdf', files)
      const expected = Object.fromEntries([...files].map(([path, { bytes }]) => [path, Buffer.from(bytes).toString()]))
      assert.deepEqual(await contentOf(await again(), 'pdf'), expected)
      await store.save(instruction('pdf', 'New.\n'))
      assert.equal((await store.get('pdf')).body, 'New.\n')
      const { 'SKILL.md': _, ...others } = expected
      const { 'SKILL.md': _new, ...kept } = await contentOf(store, 'pdf')
      assert.deepEqual(kept, others)
    },
  },
  {
    title: '[LIB-4] keeps where a skill comes from beside it, until it is replaced or removed',
    async run({ store, again }) {
      const origin = 'example/skills/pdf#main'
      const { revision } = await store.replace('pdf', filesOf('pdf'), { origin })
      assert.deepEqual(await contentOf(store, 'pdf'), {
        'SKILL.md': Buffer.from(filesOf('pdf').get('SKILL.md')!.bytes).toString(),
      })
      await store.saveResource('pdf', 'a.md', 'a', { ifRevision: revision })
      for (const each of [store, await again()]) assert.deepEqual(await originIn(each), [origin, 'import'])
      await store.replace('pdf', filesOf('pdf'))
      assert.deepEqual(await originIn(store), [undefined, undefined])
      await store.replace('pdf', filesOf('pdf'), { origin })
      await store.delete('pdf')
      await store.save(instruction('pdf'))
      assert.deepEqual(await originIn(await again()), [undefined, undefined])
    },
  },
  {
    title: '[LIB-1] removes a skill with all its files, and names the nearest skills where one is not stored',
    async run({ store, again }) {
      await store.replace('pdf', filesOf('pdf', { 'a/b.md': 'b' }))
      await store.delete('pdf')
      await refuses(() => store.get('pdf'), 'SKILL_NOT_FOUND')
      assert.deepEqual(await activeNames(await again()), [])
      await store.save(instruction('pdf-forms'))
      assert.match(await refuses(() => store.get('pdf-form'), 'SKILL_NOT_FOUND'), /pdf-forms/)
      await refuses(() => store.delete('pdf'), 'SKILL_NOT_FOUND')
      await refuses(() => store.saveResource('pdf', 'a.md', 'a'), 'SKILL_NOT_FOUND')
    },
  },
  {
    title: '[LIB-1, LIB-2] is a source: a reload finds what was written, and a watcher hears of it',
    async run({ store }) {
      await store.save(instruction('first'))
      const repertoire = await openRepertoire({ sources: [store] })
      const { promise: heard, resolve: hear } = Promise.withResolvers<void>()
      const watch = await store.watch?.({ changed: hear, diagnostic: () => {} })
      try {
        await store.save(instruction('second', 'Second.\n'))
        if (watch !== undefined) await heard
        await store.delete('first')
        await repertoire.reload({ force: true })
        assert.deepEqual(
          repertoire.catalog.list().map(({ name }) => name),
          ['second'],
        )
        assert.equal((await repertoire.load('second')).body, 'Second.\n')
      } finally {
        await watch?.close()
        await repertoire.close()
      }
    },
  },
]

async function activeNames(store: SkillStore): Promise<readonly string[]> {
  return (await store.listActive()).map(({ name }) => name)
}

/** Where the store and a catalog say that the skill comes from. */
async function originIn(store: SkillStore): Promise<readonly unknown[]> {
  const repertoire = await openRepertoire({ sources: [store] })
  const { manifest: listed } = repertoire.catalog.get('pdf')
  await repertoire.close()
  const { manifest } = await store.get('pdf')
  assert.deepEqual([manifest.source, manifest.createdBy], [listed.source, listed.createdBy])
  return [listed.source, listed.createdBy]
}
