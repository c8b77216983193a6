import process from 'node:process'
import { openRepertoire, type Repertoire } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import { describe, expect, it } from 'vitest'
import { ConnectionLostError, openSkillStores, type SkillStores, type StorageEngine } from '../src/index.ts'
import { faultsOf } from './contention/judge.ts'
import { prepareWork, work } from './contention/work.ts'
import { observed, scanned, skill, type EngineSubject } from './engine-subject.ts'

/** How many round trips something takes; each request of S3 is one. */
export interface RoundTrips {
  readonly firstSave: number
  readonly nextSave: number
  readonly firstScan: (skills: number) => number
  /** After they were scanned. */
  readonly firstSearch: (skills: number) => number
}

/** In CI more than one answer of a bucket's changes has. */
const SKILLS = process.env['CI'] === undefined ? 40 : 260
const WORKERS = 3
const ROUNDS = 3

let spaces = 0

/** Declares how an engine is asked: how often, and what is made of an answer that was lost. */
export function callsSuite(name: string, subject: EngineSubject, trips: RoundTrips): void {
  const space = (): string => `calls${spaces++}`
  const open = (engine: StorageEngine, timeout = 10_000): Promise<SkillStores> =>
    openSkillStores({ engine, layer: 'personal', timeout, watchInterval: 20 })
  const counted = async (here: string, run: () => Promise<unknown>): Promise<number> => {
    const before = subject.roundTrips(here)
    await run()
    return subject.roundTrips(here) - before
  }

  describe(`how ${name} is asked`, () => {
    it('[LIB-8] a save of a skill that this process has seen asks for nothing first, and never overwrites what it has not seen', async () => {
      const here = space()
      const [one, two] = [await open(subject.engine(here)), await open(subject.engine(here))]
      const [store, other] = [one.tenant('acme'), two.tenant('acme')]
      expect(await counted(here, () => store.save(skill('pdf')))).toBe(trips.firstSave)
      expect(await counted(here, () => store.save(skill('pdf', 'Two.\n')))).toBe(trips.nextSave)
      const { revision } = await other.get('pdf')
      expect(await counted(here, () => other.save(skill('pdf', 'Three.\n'), { ifRevision: revision }))).toBe(
        trips.nextSave,
      )
      // What it has seen is older now: what it adds is added to what is there.
      await store.saveResource('pdf', 'a.md', 'A.\n')
      expect((await other.get('pdf')).body).toBe('Three.\n')
      await expect(store.save(skill('pdf'), { ifRevision: revision })).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
      const now = await other.get('pdf')
      await other.delete('pdf', { ifRevision: now.revision })
      await expect(store.saveResource('pdf', 'b.md', 'B.\n')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
      await other.save(skill('pdf'), { ifRevision: null })
      // It has seen that nothing was there.
      await store.saveResource('pdf', 'b.md', 'B.\n')
      expect((await other.get('pdf')).folder.location).toContain('pdf')
      await expect(store.delete('pdf', { ifRevision: now.revision })).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
    })

    it('[LIB-8, LIB-7] a write whose answer was lost is found among those before the newest; where it cannot be, that is said', async () => {
      const inner = subject.engine(space())
      const other = (await open(inner)).tenant('acme')
      let happens = true
      let meanwhile: (() => Promise<unknown>) | undefined
      const { engine } = observed(inner, {
        async replace(write) {
          if (meanwhile === undefined) return inner.replace(write)
          if (happens) await inner.replace(write)
          const run = meanwhile
          meanwhile = undefined
          await run()
          throw new ConnectionLostError('test', new Error('The connection was lost.'))
        },
      })
      const store = (await open(engine)).tenant('acme')
      const { revision } = await store.save(skill('pdf'))
      meanwhile = () => other.saveResource('pdf', 'b.md', 'B.\n')
      await store.saveResource('pdf', 'a.md', 'A.\n', { ifRevision: revision })
      const { folder, revision: second } = await store.get('pdf')
      expect((await folder.list()).files.map(({ path }) => path)).toEqual(['SKILL.md', 'a.md', 'b.md'])
      happens = false
      meanwhile = () => other.saveResource('pdf', 'c.md', 'C.\n')
      const refused = store.saveResource('pdf', 'a.md', 'Again.\n', { ifRevision: second })
      await expect(refused).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
      happens = true
      meanwhile = () => other.save(skill('pdf', 'Made anew.\n'), { ifRevision: null })
      await store.delete('pdf')
      expect((await other.get('pdf')).body).toBe('Made anew.\n')
      meanwhile = async () => {
        for (let number = 0; number < 16; number++) await other.save(skill('xml', `${number}\n`))
      }
      await expect(store.delete('pdf')).rejects.toMatchObject({
        code: 'STORAGE_UNAVAILABLE',
        message: expect.stringContaining('The write may have happened'),
      })
    })

    it('[LIB-8] a first scan and a first search read what they need of many skills at once, and an activation asks twice', async () => {
      const here = space()
      const stores = await open(subject.engine(here))
      const names = Array.from({ length: SKILLS }, (_, number) => `skill-${number}`)
      await Promise.all(names.map((each) => stores.tenant('acme').save(skill(each, `The word is zebra${each}.\n`))))
      const again = await open(subject.engine(here))
      const source = again.tenant('acme')
      let repertoire!: Repertoire
      expect(await counted(here, async () => (repertoire = await openRepertoire({ sources: [source] })))).toBe(
        trips.firstScan(SKILLS),
      )
      const search = async (): Promise<void> => {
        const { hits } = await repertoire.catalog.search('zebraskill')
        expect(hits.length).toBeGreaterThan(0)
      }
      expect(await counted(here, search)).toBe(trips.firstSearch(SKILLS))
      const session = openAdapterSession(repertoire, { consent: () => true })
      await session.step({ tools: [] })
      const activation = { id: 'call', tool: 'activate_skill', input: { name: 'skill-7' } }
      // Before the consent, and again after it.
      const activate = async (): Promise<void> =>
        expect(await session.call(activation, () => undefined)).toMatchObject({ ok: true })
      expect(await counted(here, activate)).toBe(2)
      await session.end()
      await repertoire.close()
    })

    it('[LIB-8, LIB-7] three who save, add and delete at once lose nothing, tear nothing, and one wins each time', async () => {
      const here = space()
      const opened = await Promise.all(Array.from({ length: WORKERS }, () => open(subject.engine(here))))
      const all = opened.map((stores) => stores.tenant('acme'))
      await prepareWork(all[0]!)
      const goesOn = (round: number): boolean => round <= ROUNDS
      const reports = await Promise.all(all.map((store, worker) => work(store, { worker, goesOn })))
      expect(await faultsOf(all[0]!, reports)).toEqual([])
      expect(reports.flatMap(({ lines }) => lines.done)).toHaveLength(WORKERS * ROUNDS)
    })

    it('[LIB-8] a watch that cannot begin begins by itself when the server is there, and tells what was missed as one change', async () => {
      const here = space()
      const stores = await open(subject.engine(here), 300)
      const other = await open(subject.engine(here))
      await stores.tenant('acme').save(skill('pdf'))
      const problems: string[] = []
      let heard = Promise.withResolvers<void>()
      await subject.stop()
      const watching = stores.tenant('acme').watch!({
        changed: () => heard.resolve(),
        diagnostic: ({ code }) => void problems.push(code),
      })
      const watch = await watching.finally(() => subject.start())
      expect(problems).toEqual(['WATCH_FAILED'])
      await heard.promise
      heard = Promise.withResolvers()
      await other.tenant('acme').save(skill('xml'))
      await heard.promise
      expect((await scanned(other.tenant('acme'))).names).toEqual(['pdf', 'xml'])
      await watch.close()
    })
  })
}
