import assert from 'node:assert/strict'
import { openRepertoire, type SkillStore } from '@repertoire/core'
import { contentOf, filesOf, instruction, refuses, type StoreCase } from '../case.ts'

/** What is saved is there, for this store and for the next one that is opened. */
export const keepingCases: readonly StoreCase[] = [
  {
    title: '[LIB-1] gives back what was saved: the manifest with its rules and source, the body, the definition',
    async run({ store, again }) {
      const manifest = {
        allowedTools: [{ tool: 'exec' }, { tool: 'fs_read', pattern: 'docs/*' }],
        source: 'https://example.com/skills',
        createdBy: 'import',
      }
      const { revision } = await store.save(instruction('pdf-forms', 'Fill in the form.\n', manifest))
      for (const each of [store, await again()]) {
        const found = await each.get('pdf-forms')
        assert.equal(found.name, 'pdf-forms')
        assert.equal(found.revision, revision)
        assert.deepEqual(found.manifest.allowedTools, manifest.allowedTools)
        assert.equal(found.manifest.source, manifest.source)
        assert.equal(found.manifest.createdBy, 'import')
        assert.equal(found.body, 'Fill in the form.\n')
        assert.deepEqual(found.definition, { type: 'instruction', content: 'Fill in the form.\n' })
      }
    },
  },
  {
    title: '[LIB-1] keeps every type of skill with its parameters',
    async run({ store }) {
      const parameters = { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] }
      const definitions = {
        plan: { type: 'composite', steps: [{ tool: 'read', parameters: { path: '{{ file }}' } }] },
        'word-count': { type: 'script', script: 'wc -w "$1"\n', language: 'bash' },
        letter: { type: 'template', template: 'Dear {{ file }},\n' },
      } as const
      for (const [name, definition] of Object.entries(definitions)) {
        await store.save({ manifest: { name, description: name, type: definition.type, parameters }, definition })
        const found = await store.get(name)
        assert.deepEqual(found.definition, definition)
        assert.deepEqual(found.manifest.parameters, parameters)
      }
    },
  },
  {
    title: '[LIB-1] lists the active skills alone, by name',
    async run({ store }) {
      assert.deepEqual(await store.listActive(), [])
      await store.save(instruction('zebra'))
      await store.save(instruction('ant'))
      await store.save(instruction('draft', 'Not yet.\n', { status: 'draft' }))
      assert.deepEqual(
        (await store.listActive()).map(({ name }) => name),
        ['ant', 'zebra'],
      )
    },
  },
  {
    title: '[LIB-1, RES-4] saves a resource to its path, executable if it is to be, and leaves everything else',
    async run({ store }) {
      await store.save(instruction('my-skill'))
      const before = await contentOf(store, 'my-skill')
      await store.saveResource('my-skill', 'scripts/run.sh', '#!/bin/sh\n', { executable: true })
      const { revision } = await store.saveResource(
        'my-skill',
        'references/deep/guide.md',
        new TextEncoder().encode('Read.\n'),
      )
      assert.deepEqual(await contentOf(store, 'my-skill'), {
        ...before,
        'references/deep/guide.md': 'Read.\n',
        'scripts/run.sh': '#!/bin/sh\n',
      })
      const { folder, revision: stored } = await store.get('my-skill')
      assert.equal(stored, revision)
      const modes = (await folder.list()).files.map(({ path, executable }) => [path, executable])
      assert.deepEqual(modes, [
        ['SKILL.md', false],
        ['references/deep/guide.md', false],
        ['scripts/run.sh', true],
      ])
      await store.saveResource('my-skill', 'scripts/run.sh', '#!/bin/sh\ntrue\n')
      const kept = (await folder.list()).files.find(({ path }) => path === 'scripts/run.sh')
      assert.equal(kept?.executable, true)
    },
  },
  {
    title: '[LIB-1] keeps the other files of a skill whose SKILL.md is saved again',
    async run({ store }) {
      await store.replace('pdf', filesOf('pdf', { 'references/guide.md': 'Guide.\n' }))
      await store.save(instruction('pdf', 'New.\n'))
      assert.equal((await store.get('pdf')).body, 'New.\n')
      assert.equal((await contentOf(store, 'pdf'))['references/guide.md'], 'Guide.\n')
    },
  },
  {
    title: '[LIB-1] replaces a whole skill: it has the new files, byte for byte, hidden ones too, and no others',
    async run({ store, again }) {
      await store.replace('pdf', filesOf('pdf', { 'old.md': 'Old.\n', 'a/b/c.md': 'Deep.\n' }))
      const files = filesOf('pdf', { '.hidden': 'h', 'a/d.md': 'New.\n' })
      await store.replace('pdf', files)
      const expected = Object.fromEntries(
        [...files].map(([path, { bytes }]) => [path, new TextDecoder().decode(bytes)]),
      )
      assert.deepEqual(await contentOf(store, 'pdf'), expected)
      assert.deepEqual(await contentOf(await again(), 'pdf'), expected)
    },
  },
  {
    title: '[LIB-4] keeps where a skill comes from beside it, until it is replaced or removed',
    async run({ store, again }) {
      const files = filesOf('pdf')
      const origin = 'example/skills/pdf#main'
      const { revision } = await store.replace('pdf', files, { origin })
      assert.deepEqual(await originIn(store), [origin, 'import'])
      assert.deepEqual(await originIn(await again()), [origin, 'import'])
      assert.equal((await contentOf(store, 'pdf'))['SKILL.md'], new TextDecoder().decode(files.get('SKILL.md')!.bytes))
      await store.saveResource('pdf', 'a.md', 'a', { ifRevision: revision })
      assert.deepEqual(await originIn(store), [origin, 'import'])
      await store.replace('pdf', files)
      assert.deepEqual(await originIn(store), [undefined, undefined])
      await store.replace('pdf', files, { origin })
      await store.delete('pdf')
      await store.save(instruction('pdf'))
      assert.deepEqual(await originIn(await again()), [undefined, undefined])
    },
  },
  {
    title: '[LIB-1] removes a skill with all its files',
    async run({ store, again }) {
      await store.replace('pdf', filesOf('pdf', { 'a/b.md': 'b' }))
      await store.delete('pdf')
      await refuses(() => store.get('pdf'), 'SKILL_NOT_FOUND')
      assert.deepEqual(await (await again()).listActive(), [])
      await store.save(instruction('pdf'))
      assert.deepEqual(Object.keys(await contentOf(store, 'pdf')), ['SKILL.md'])
    },
  },
  {
    title: '[LIB-1] names the nearest skills where one is not stored',
    async run({ store }) {
      await store.save(instruction('kubernetes-deploy'))
      assert.match(await refuses(() => store.get('kuberntes-deploy'), 'SKILL_NOT_FOUND'), /kubernetes-deploy/)
      await refuses(() => store.delete('other'), 'SKILL_NOT_FOUND')
      await refuses(() => store.saveResource('other', 'a.md', 'a'), 'SKILL_NOT_FOUND')
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
        assert.deepEqual(
          repertoire.catalog.list().map(({ name }) => name),
          ['first'],
        )
        await store.save(instruction('second', 'Second.\n'))
        if (watch !== undefined) await heard
        await repertoire.reload({ force: true })
        assert.deepEqual(
          repertoire.catalog.list().map(({ name }) => name),
          ['first', 'second'],
        )
        assert.equal((await repertoire.load('second')).body, 'Second.\n')
        await store.delete('first')
        await repertoire.reload({ force: true })
        assert.deepEqual(
          repertoire.catalog.list().map(({ name }) => name),
          ['second'],
        )
      } finally {
        await watch?.close()
        await repertoire.close()
      }
    },
  },
]

/** Where everything that shows a skill says that it comes from. */
async function originIn(store: SkillStore): Promise<readonly unknown[]> {
  const { manifest } = await store.get('pdf')
  const [active] = await store.listActive()
  const repertoire = await openRepertoire({ sources: [store] })
  const listed = repertoire.catalog.get('pdf').manifest
  const { manifest: loaded } = await repertoire.load('pdf')
  await repertoire.close()
  const shown = [manifest, active!.manifest, listed, loaded].map(({ source, createdBy }) => [source, createdBy])
  for (const each of shown) assert.deepEqual(each, shown[0])
  return shown[0]!
}
