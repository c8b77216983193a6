import assert from 'node:assert/strict'
import type { SkillFiles } from '@repertoire/core'
import { contentOf, filesOf, instruction, refuses, type StoreCase } from '../case.ts'

const WRITERS = 20

/** The files of a skill. Every state has the same number of files, with other content. */
function state(number: number): SkillFiles {
  const text = String(number)
  return filesOf('pdf', { 'a.md': text, [`only-${number % 2}.md`]: '', 'z/z.md': text })
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** What is compared, refused and kept when several write. */
export const writingCases: readonly StoreCase[] = [
  {
    title: '[LIB-7] refuses a write that is based on another revision than the stored one, and writes nothing',
    async run({ store, again }) {
      const other = await again()
      const { revision } = await store.save(instruction('pdf', 'One.\n'), { ifRevision: null })
      await refuses(() => other.save(instruction('pdf', 'Two.\n'), { ifRevision: null }), 'STORE_CONFLICT')
      const second = await other.save(instruction('pdf', 'Three.\n'), { ifRevision: revision })
      const stale = { ifRevision: revision }
      await refuses(() => store.save(instruction('pdf', 'Four.\n'), stale), 'STORE_CONFLICT')
      await refuses(() => store.saveResource('pdf', 'a.md', 'a', stale), 'STORE_CONFLICT')
      await refuses(() => store.replace('pdf', filesOf('pdf'), stale), 'STORE_CONFLICT')
      await refuses(() => store.delete('pdf', stale), 'STORE_CONFLICT')
      assert.deepEqual(Object.keys(await contentOf(store, 'pdf')), ['SKILL.md'])
      assert.equal((await store.get('pdf')).body, 'Three.\n')
      await store.delete('pdf', { ifRevision: second.revision })
      await refuses(() => store.save(instruction('pdf'), { ifRevision: second.revision }), 'STORE_CONFLICT')
    },
  },
  {
    title: '[LIB-7] gives every content its own revision, whichever file differs',
    async run({ store }) {
      const revisions = [
        await store.save(instruction('pdf')),
        await store.saveResource('pdf', 'a.sh', 'a'),
        await store.saveResource('pdf', 'a.sh', 'b'),
        await store.saveResource('pdf', 'a.sh', 'b', { executable: true }),
        await store.saveResource('pdf', 'b.sh', 'b'),
        await store.save(instruction('pdf', 'Other.\n')),
      ]
      assert.equal(new Set(revisions.map(({ revision }) => revision)).size, revisions.length)
    },
  },
  {
    title:
      '[LIB-7, ABUSE-73] loses nothing where many write at once: other skills, files of one skill, or one skill by revisions',
    async run({ store, again }) {
      const stores = [store, await again(), await again()]
      const numbers = Array.from({ length: WRITERS }, (_, number) => number)
      const of = (number: number) => stores[number % stores.length]!
      await Promise.all(numbers.map((number) => of(number).save(instruction(`skill-${number}`))))
      assert.equal((await store.listActive()).length, WRITERS)
      await Promise.all(numbers.map((number) => of(number).saveResource('skill-0', `n/${number}.md`, `${number}`)))
      assert.equal(Object.keys(await contentOf(store, 'skill-0')).length, WRITERS + 1)
      const tries = await Promise.allSettled(
        numbers.map((number) => of(number).save(instruction('one', `${number}\n`), { ifRevision: null })),
      )
      const winner = tries.findIndex(({ status }) => status === 'fulfilled')
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.equal((await store.get('one')).body, `${winner}\n`)
    },
  },
  {
    title: '[LIB-7] a reader beside a writer who replaces a whole skill has all files of one state',
    async run({ store, again }) {
      await store.replace('pdf', state(0))
      const reader = await again()
      const progress = { isDone: false }
      const writeAll = async (): Promise<void> => {
        for (let number = 1; number <= 8; number++) {
          await store.replace('pdf', state(number))
          await turn()
        }
      }
      const writing = writeAll().finally(() => (progress.isDone = true))
      // It is awaited below; a reader that fails before is the error to see.
      writing.catch(() => undefined)
      const revisions = new Set<string>()
      while (!progress.isDone) {
        const { folder, revision } = await reader.get('pdf')
        const paths = (await folder.list()).files.map(({ path }) => path)
        assert.equal(paths.length, 4, paths.join(' '))
        revisions.add(revision)
        await turn()
      }
      await writing
      assert.ok(revisions.size <= 9, 'A revision was seen that was never written.')
      assert.equal((await contentOf(reader, 'pdf'))['a.md'], '8')
    },
  },
  {
    title:
      '[RES-4, ABUSE-67, ABUSE-71] refuses names and paths that lead out, are hidden, or are one to some file systems',
    async run({ store }) {
      for (const name of ['../x', 'a/b', '.hidden', 'PDF', 'con', '', 'node_modules', 'a\u0308']) {
        await refuses(() => store.save(instruction(name)), 'MANIFEST_INVALID')
        await refuses(() => store.replace(name, filesOf(name)), 'MANIFEST_INVALID')
        await refuses(() => store.get(name), 'MANIFEST_INVALID')
        await refuses(() => store.delete(name), 'MANIFEST_INVALID')
      }
      await store.save(instruction('pdf'))
      const { revision } = await store.saveResource('pdf', 'a/b.md', '')
      for (const path of ['../other/SKILL.md', '/etc/x', 'a\\b', '', 'a/%2e%2e/b', 'a\0b', 'con', 'end.']) {
        await refuses(() => store.saveResource('pdf', path, 'x'), 'RESOURCE_PATH_INVALID')
      }
      for (const path of ['.env', 'node_modules/x.js', 'skill.md', 'A/c.md', 'a/B.md', 'a/b.md/c']) {
        await refuses(() => store.saveResource('pdf', path, 'x'), 'RESOURCE_REFUSED')
      }
      assert.equal((await store.get('pdf')).revision, revision)
    },
  },
  {
    title: '[LIB-1, ABUSE-64] judges a skill whole: with one bad file, nothing of it is written and the old one stays',
    async run({ store }) {
      await store.replace('pdf', filesOf('pdf', { 'a.md': 'a' }))
      const before = await contentOf(store, 'pdf')
      const replace = (files: SkillFiles) => () => store.replace('pdf', files)
      await refuses(replace(filesOf('pdf', { 'b.md': 'b', '../c.md': 'c' })), 'RESOURCE_PATH_INVALID')
      await refuses(replace(filesOf('pdf', { 'stra\u00DFe.md': '', 'STRASSE.md': '' })), 'RESOURCE_REFUSED')
      const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, number) => [`${number}.md`, '']))
      await refuses(replace(filesOf('pdf', many)), 'RESOURCE_TOO_LARGE')
      await refuses(replace(filesOf('other')), 'MANIFEST_INVALID')
      await refuses(replace(new Map()), 'MANIFEST_INVALID')
      await refuses(replace(new Map([['SKILL.md', { bytes: Buffer.from('no frontmatter') }]])), 'MANIFEST_INVALID')
      assert.deepEqual(await contentOf(store, 'pdf'), before)
    },
  },
]
