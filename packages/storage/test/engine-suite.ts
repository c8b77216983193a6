import assert from 'node:assert/strict'
import { openRepertoire } from '@repertoire/core'
import * as fc from 'fast-check'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { hashOf } from '../src/files.ts'
import {
  ConnectionLostError,
  openSkillStores,
  type RecordReading,
  type SkillStores,
  type SkillStoresOptions,
  type StorageEngine,
} from '../src/index.ts'
import { observed, scanned, skill, type EngineSubject } from './engine-subject.ts'

const encoder = new TextEncoder()
let spaces = 0

/** Declares what an engine promises beyond the contract of stores. */
export function engineSuite(name: string, subject: EngineSubject): void {
  const space = (): string => `space${spaces++}`
  const open = (engine: StorageEngine, options: Partial<SkillStoresOptions> = {}): Promise<SkillStores> =>
    openSkillStores({ engine, layer: 'personal', watchInterval: 20, ...options })
  const using = async (
    engine: StorageEngine,
    run: (stores: SkillStores) => Promise<void>,
    options?: Partial<SkillStoresOptions>,
  ): Promise<void> => {
    await run(await open(engine, options))
  }

  describe(`skills of many tenants on ${name}`, () => {
    it('[LIB-8] a tenant’s skills are its own, whatever its name, and a name reaches no other', async () => {
      const tenants = [
        'a',
        'A',
        'a/b',
        '../a',
        'a:b',
        '{a}',
        'a*',
        '_61',
        '%61',
        'é',
        'e\u0301',
        'a\n',
        "a'; --",
        '\u{1F600}',
      ]
      const names = ['pdf', 'a', 'ä', 'skill-1', '日本']
      await using(subject.engine(space()), async (stores) => {
        const round = fc.asyncProperty(
          fc.array(fc.tuple(fc.constantFrom(...tenants), fc.constantFrom(...names), fc.boolean()), { maxLength: 12 }),
          async (steps) => {
            const model = new Map<string, Set<string>>()
            for (const [tenant, each, isSaved] of steps) {
              const known = model.get(tenant) ?? new Set()
              model.set(tenant, known)
              if (isSaved) await stores.tenant(tenant).save(skill(each, `${tenant} has ${each}.`))
              else if (known.has(each)) await stores.tenant(tenant).delete(each)
              else await expect(stores.tenant(tenant).get(each)).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
              if (isSaved) known.add(each)
              else known.delete(each)
            }
            for (const [tenant, known] of model) {
              expect((await scanned(stores.tenant(tenant))).names).toEqual([...known].toSorted())
              for (const each of known) expect((await stores.tenant(tenant).get(each)).body).toContain(`${tenant} has`)
              await stores.removeTenant(tenant)
            }
          },
        )
        await fc.assert(round, { numRuns: process.env['CI'] === undefined ? 4 : 30 })
        for (const tenant of tenants) expect((await scanned(stores.tenant(tenant))).names).toEqual([])
        for (const hostile of ['', 'a'.repeat(129), '\uD800'])
          expect(() => stores.tenant(hostile)).toThrow('The name of a tenant is a text of Unicode')
        const store = stores.tenant('a')
        for (const hostile of ['../a', 'a/b', 'A', '.', 'x\0'])
          await expect(store.get(hostile)).rejects.toMatchObject({ code: 'MANIFEST_INVALID' })
      })
    })

    it('[LIB-8] reads a list again only after a change, one content once for all, and lets go of tenants that are idle', async () => {
      const { engine, seen } = observed(subject.engine(space()))
      await using(
        engine,
        async (stores) => {
          const since = async (run: () => Promise<unknown>) => {
            const before = { ...seen }
            await run()
            return { records: seen.records - before.records, files: seen.files - before.files }
          }
          const writer = await open(subject.engine(`space${spaces - 1}`))
          for (const tenant of ['one', 'two', 'three'])
            for (const each of ['pdf', 'xml', 'csv']) await writer.tenant(tenant).save(skill(each))
          expect(await since(() => scanned(stores.tenant('one')))).toEqual({ records: 1, files: 3 })
          expect(await since(() => scanned(stores.tenant('two')))).toEqual({ records: 1, files: 0 })
          expect(await since(() => scanned(stores.tenant('one')))).toEqual({ records: 0, files: 0 })
          await writer.tenant('one').save(skill('pdf', 'New.\n'))
          await writer.tenant('one').delete('xml')
          expect(await since(() => scanned(stores.tenant('one')))).toEqual({ records: 1, files: 1 })
          expect((await scanned(stores.tenant('one'))).names).toEqual(['csv', 'pdf'])
          await writer.removeTenant('one')
          await writer.tenant('one').save(skill('new'))
          expect((await scanned(stores.tenant('one'))).names).toEqual(['new'])
          // The third takes the place of the one that was asked for first.
          await scanned(stores.tenant('three'))
          expect(await since(() => scanned(stores.tenant('one')))).toMatchObject({ records: 0 })
          expect(await since(() => scanned(stores.tenant('two')))).toEqual({ records: 1, files: 0 })
        },
        { maxTenants: 2 },
      )
    })

    it('[LIB-8] refuses content that is not what was saved, or is missing, and has it again once it is saved again', async () => {
      const here = space()
      await using(
        subject.engine(here),
        async (stores) => {
          const store = stores.tenant('acme')
          await store.save(skill('good'))
          for (const bytes of [undefined, Buffer.from('---\nname: pdf\ndescription: Evil.\n---\nEvil.\n')]) {
            await store.save(skill('pdf'))
            await store.saveResource('pdf', 'a.md', 'A.\n')
            const { folder } = await store.get('pdf')
            await subject.damage(here, hashOf(await folder.read('SKILL.md')), bytes)
            await subject.damage(here, hashOf(encoder.encode('A.\n')), bytes)
            await expect(folder.read('a.md')).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
            await expect(store.get('pdf')).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
            const { names, diagnostics } = await scanned(store)
            expect(names).toEqual(['good'])
            expect(diagnostics).toMatchObject([
              { code: 'MANIFEST_UNREADABLE', message: expect.stringContaining('Save the skill again') },
            ])
            expect((await store.listActive()).map((each) => each.name)).toEqual(['good'])
            await store.save(skill('pdf'))
            await store.saveResource('pdf', 'a.md', 'A.\n')
            expect((await store.get('pdf')).body).toBe('Do it.\n')
            expect(new TextDecoder().decode(await folder.read('a.md'))).toBe('A.\n')
            await store.delete('pdf')
          }
        },
        { cacheBytes: 0 },
      )
    })

    it('[LIB-8] reports what something else has written in the place of a skill, and takes a whole skill over it', async () => {
      const engine = subject.engine(space())
      await using(engine, async (stores) => {
        const store = stores.tenant('acme')
        await store.save(skill('good'))
        const damage = async (change: (text: string) => string): Promise<void> => {
          const { token, text = '' } = await engine.read('skills/acme')
          await engine.replace({ key: 'skills/acme', expected: token, text: change(text) })
        }
        const hash = '0'.repeat(64)
        const bad = [null, {}, [['../x', hash, 1, 0]], [['a', 'b', 1, 0]], [['a', hash, -1]]]
        await damage((text) => {
          const value = JSON.parse(text) as { skills: unknown[] }
          value.skills.push(...bad.map((files, number) => [`bad-${number}`, files]))
          return JSON.stringify(value)
        })
        const { names, diagnostics } = await scanned(store)
        expect(names).toEqual(['good'])
        expect(diagnostics.map(({ code }) => code)).toEqual(bad.map(() => 'MANIFEST_UNREADABLE'))
        await expect(store.get('bad-0')).rejects.toMatchObject({ code: 'SKILL_BROKEN' })
        await expect(store.save(skill('bad-0'))).rejects.toMatchObject({ code: 'SKILL_BROKEN' })
        await expect(store.save(skill('bad-0'), { ifRevision: null })).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
        const bytes = encoder.encode('---\nname: bad-0\ndescription: Good now.\n---\n')
        await store.replace('bad-0', new Map([['SKILL.md', { bytes }]]))
        expect((await store.get('bad-0')).manifest.description).toBe('Good now.')
        await store.delete('bad-1')
        await expect(store.get('bad-1')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
        for (const text of ['', '{', '[]', '{"shape":2,"skills":[],"writes":[]}']) {
          await damage(() => text || ' ')
          await expect(scanned(store)).rejects.toMatchObject({ code: 'STORAGE_UNSUITABLE' })
          await expect(store.save(skill('good'))).rejects.toMatchObject({ code: 'STORAGE_UNSUITABLE' })
        }
      })
    })

    it('[LIB-8, LIB-7] a write whose answer was lost is repeated, and counts once', async () => {
      const inner = subject.engine(space())
      const lost = { next: false }
      const { engine } = observed(inner, {
        async replace(write) {
          const outcome = await inner.replace(write)
          if (!lost.next) return outcome
          lost.next = false
          throw new ConnectionLostError('test', new Error('The connection was lost.'))
        },
      })
      await using(engine, async (stores) => {
        const store = stores.tenant('acme')
        lost.next = true
        const { revision } = await store.save(skill('pdf'), { ifRevision: null })
        lost.next = true
        const second = await store.save(skill('pdf', 'New.\n'), { ifRevision: revision })
        lost.next = true
        await store.delete('pdf', { ifRevision: second.revision })
        lost.next = true
        await store.save(skill('pdf'), { ifRevision: null })
        expect(lost.next).toBe(false)
        expect((await store.get('pdf')).revision).toBe(revision)
      })
    })

    it('[LIB-8] works on when the server goes away and comes back: waits for it, misses no change, and loses nothing', async () => {
      await using(subject.engine(space()), async (stores) => {
        const store = stores.tenant('acme')
        await store.save(skill('before'))
        const repertoire = await openRepertoire({ sources: [store] })
        const problems: string[] = []
        let heard = Promise.withResolvers<void>()
        const watch = await store.watch?.({
          changed() {
            heard.resolve()
          },
          diagnostic: ({ code }) => void problems.push(code),
        })
        try {
          await subject.stop()
          const saving = store.save(skill('meanwhile'))
          const reading = store.get('before')
          saving.catch(() => undefined)
          reading.catch(() => undefined)
          await subject.start()
          await saving
          expect((await reading).body).toBe('Do it.\n')
          await heard.promise
          heard = Promise.withResolvers<void>()
          const other = await open(subject.engine(`space${spaces - 1}`))
          await other.tenant('acme').save(skill('after'))
          await heard.promise
          await repertoire.reload({ force: true })
          expect(repertoire.catalog.list().map((each) => each.name)).toEqual(['after', 'before', 'meanwhile'])
          expect(['', 'WATCH_FAILED']).toContain([...new Set(problems)].join())
        } finally {
          await watch?.close()
          await repertoire.close()
        }
      })
    })

    it('[LIB-8] says what to do when the server stays away, and when it does not answer', async () => {
      const inner = subject.engine(space())
      await using(
        inner,
        async (stores) => {
          await stores.tenant('acme').save(skill('pdf'))
          await subject.stop()
          try {
            await expect(stores.tenant('acme').get('pdf')).rejects.toMatchObject({
              code: expect.stringMatching(/^(?:STORAGE_UNAVAILABLE|TIMED_OUT)$/),
              message: expect.stringMatching(/See whether the server runs|did not answer/),
            })
          } finally {
            await subject.start()
          }
          const again = await open(inner)
          expect((await again.tenant('acme').get('pdf')).name).toBe('pdf')
        },
        { timeout: 2_000 },
      )
      const silent = observed(inner, { read: () => new Promise(() => {}) }).engine
      await expect(open(silent, { timeout: 50 })).rejects.toMatchObject({ code: 'TIMED_OUT' })
    })

    it('[LIB-8] sweeps files that no skill has, old enough, and traces of removed skills; everyone still hears of those', async () => {
      const here = space()
      await using(subject.engine(here), async (stores) => {
        const store = stores.tenant('acme')
        await store.save(skill('kept'))
        await store.saveResource('kept', 'old.md', 'Old.\n')
        await store.save(skill('gone'))
        const other = await open(subject.engine(here))
        expect((await scanned(other.tenant('acme'))).names).toEqual(['gone', 'kept'])
        await store.saveResource('kept', 'old.md', 'New.\n')
        await store.delete('gone')
        expect(await stores.sweep()).toEqual({ files: 0 })
        await subject.age(here)
        expect(await stores.sweep()).toEqual({ files: 2 })
        expect(await stores.sweep()).toEqual({ files: 0 })
        expect((await scanned(other.tenant('acme'))).names).toEqual(['kept'])
        const third = await open(subject.engine(here))
        const { folder } = await third.tenant('acme').get('kept')
        expect(new TextDecoder().decode(await folder.read('old.md'))).toBe('New.\n')
        await store.save(skill('gone', 'Again.\n'), { ifRevision: null })
        expect((await scanned(other.tenant('acme'))).names).toEqual(['gone', 'kept'])
        await expect(stores.sweep({ olderThan: 1_000 })).rejects.toThrow('`olderThan` is 1000')
      })
    })

    it('[LIB-8] a sweep leaves a file that a writer begins to use while it runs', async () => {
      const here = space()
      await using(subject.engine(here), async (stores) => {
        const store = stores.tenant('acme')
        await store.save(skill('pdf'))
        await store.delete('pdf')
        await subject.age(here)
        await subject.duringSweep(
          here,
          async (engine) => assert.equal(typeof (await engine.sweep(60 * 60 * 1000)).files, 'number'),
          async () => void (await store.save(skill('pdf'))),
        )
        const again = await open(subject.engine(here))
        expect((await again.tenant('acme').get('pdf')).body).toBe('Do it.\n')
      })
    })

    it('[LIB-8] keeps a large file, which goes before its head, and reads no more of it than it may', async () => {
      await using(subject.engine(space()), async (stores) => {
        const store = stores.tenant('acme')
        await store.save(skill('pdf'))
        const bytes = Buffer.alloc(1_500_000, 'large')
        await store.saveResource('pdf', 'a.bin', bytes)
        const { folder } = await store.get('pdf')
        expect(bytes.equals(await folder.read('a.bin'))).toBe(true)
        await expect(folder.read('a.bin', { maxBytes: 10 })).rejects.toMatchObject({ code: 'RESOURCE_TOO_LARGE' })
      })
    })

    it('[LIB-8] is refused when it is opened, if it accepts a stale write or shows an older version', async () => {
      const inner = subject.engine(space())
      let first: Promise<RecordReading> | undefined
      const faults: Readonly<Record<string, Partial<StorageEngine>>> = {
        'nothing is there, although something is': {
          replace: async (write) => {
            const { token } = await inner.read(write.key)
            return inner.replace({ ...write, expected: write.expected ?? token })
          },
        },
        'an older version than the stored one': {
          replace: async (write) => {
            const { token } = await inner.read(write.key)
            return inner.replace({ ...write, expected: write.expected && token })
          },
        },
        'reads nothing right after a write': { read: () => Promise.resolve({ now: 0 }) },
        'reads an older version': { read: (key) => (first ??= inner.read(key)) },
      }
      for (const [said, fault] of Object.entries(faults)) {
        await expect(open(observed(inner, fault).engine)).rejects.toMatchObject({
          code: 'STORAGE_UNSUITABLE',
          message: expect.stringContaining(said),
        })
      }
    })
  })
}
