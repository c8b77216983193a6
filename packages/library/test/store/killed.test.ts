import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { SkillFiles, SkillStore } from '@repertoire/core'
import { describe, expect, it } from 'vitest'
import { openStoreOn } from '../../src/store/file-store.ts'
import { contentOf, filesOf, instruction } from '../../src/testing/case.ts'
import { FAULTS, faulty, quick } from '../faulty.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const layer = 'personal'
const OLD = filesOf('pdf', { 'a/a.md': 'old', 'b.md': 'old' })
const NEW = filesOf('pdf', { 'a/a.md': 'new', 'c.md': 'new' })

/** Every kind of write, with what was stored before it. */
const WRITES: Readonly<
  Record<string, { readonly before?: SkillFiles; readonly write: (store: SkillStore) => Promise<unknown> }>
> = {
  'the save of a new skill': { write: (store) => store.save(instruction('pdf')) },
  'the save of a SKILL.md over another': { before: OLD, write: (store) => store.save(instruction('pdf', 'New.\n')) },
  'the save of a resource': { before: OLD, write: (store) => store.saveResource('pdf', 'x/y/z.md', 'new') },
  'the save of a resource over another': { before: OLD, write: (store) => store.saveResource('pdf', 'b.md', 'new') },
  'the first save of a whole skill': { write: (store) => store.replace('pdf', NEW) },
  'the replacement of a whole skill': { before: OLD, write: (store) => store.replace('pdf', NEW) },
  'the removal of a skill': { before: OLD, write: (store) => store.delete('pdf') },
}

const openQuick = (root: string): Promise<SkillStore> => openStoreOn({ root, layer }, quick)

async function stateOf(root: string): Promise<unknown> {
  const store = await openQuick(root)
  const names = (await store.listActive()).map(({ name }) => name)
  return names.length === 0 ? 'nothing' : contentOf(store, 'pdf')
}

/** Names in the store's own folder that are there only while something is written. */
function leftIn(root: string): readonly string[] {
  const folder = join(root, '.repertoire')
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^(?:staged|former)-/.test(name)) : []
}

describe.each(Object.entries(WRITES))('%s', (_, { before, write }) => {
  const prepared = async (): Promise<string> => {
    const root = join(temporaryFolder(), 'skills')
    if (before !== undefined) await (await openQuick(root)).replace('pdf', before)
    return root
  }

  it.each(FAULTS)(
    '[LIB-7, ABUSE-72, ABUSE-74] leaves the old state or the new one, and nothing else, where calls in turn are %s',
    async (fault) => {
      const whole = await prepared()
      const old = await stateOf(whole)
      const counted = faulty(0, fault)
      await write(await openStoreOn({ root: whole, layer }, counted.system))
      const fresh = await stateOf(whole)
      expect(fresh).not.toEqual(old)
      const seen = { old: 0, new: 0 }
      // Every call has every fault in CI, and one of them where people wait for the tests.
      const [first, step] = process.env['CI'] === undefined ? [1 + FAULTS.indexOf(fault), FAULTS.length] : [1, 1]
      for (let at = first; at <= counted.calls(); at += step) {
        const root = await prepared()
        const { system } = faulty(at, fault)
        const failure = await openStoreOn({ root, layer }, system)
          .then(write)
          .then(
            () => undefined,
            (error: unknown) => error,
          )
        // A reader that opens nothing and repairs nothing, as one in another process does.
        const state = await stateOf(root)
        const isNew = JSON.stringify(state) === JSON.stringify(fresh)
        if (!isNew) expect(state, `at call ${at}`).toEqual(old)
        if (failure === undefined) expect(isNew, `at call ${at}`).toBe(true)
        seen[isNew ? 'new' : 'old']++
        expect(leftIn(root), `at call ${at}`).toEqual([])
        if (fault !== 'killed') continue
        // And the next write works.
        await write(await openQuick(root)).catch((error: unknown) =>
          expect(error).toMatchObject({ code: 'SKILL_NOT_FOUND' }),
        )
        expect(await stateOf(root)).toEqual(fresh)
      }
      if (step === 1) expect(seen.old).toBeGreaterThan(0)
      expect(seen.old + seen.new).toBeGreaterThan(0)
    },
  )
})

it('[LIB-7, ABUSE-72] readers that are open already see the old state or the new one of a writer who was killed', async () => {
  const count = faulty(0, 'killed')
  const first = join(temporaryFolder(), 'skills')
  await (await openQuick(first)).replace('pdf', OLD)
  await (await openStoreOn({ root: first, layer }, count.system)).replace('pdf', NEW)
  let between = 0
  for (let at = 1; at <= count.calls(); at++) {
    const root = join(temporaryFolder(), 'skills')
    const reader = await openQuick(root)
    await reader.replace('pdf', OLD)
    await expect(
      openStoreOn({ root, layer }, faulty(at, 'killed').system)
        .then((store) => store.replace('pdf', NEW))
        .then(
          () => 'done',
          () => 'failed',
        ),
    ).resolves.toBeDefined()
    if (!readdirSync(root).includes('pdf')) between++
    const content = await contentOf(reader, 'pdf')
    expect(['old', 'new']).toContain(content['a/a.md'])
    expect(Object.keys(content)).toHaveLength(3)
    const found: string[] = []
    for await (const item of reader.scan()) if ('folderName' in item) found.push(item.folderName)
    expect(found).toEqual(['pdf'])
  }
  expect(between).toBeGreaterThan(0)
})

it('[LIB-7] a journal that something else has written is an error, and what is stored stays readable', async () => {
  const root = join(temporaryFolder(), 'skills')
  const store = await openQuick(root)
  await store.replace('pdf', OLD)
  const folder = join(root, '.repertoire')
  mkdirSync(folder, { recursive: true })
  for (const text of ['{', '{"sequence":1,"pending":{"skill":"../x","staged":"a","former":"b"}}']) {
    writeFileSync(join(folder, 'journal.json'), text)
    await expect(store.replace('pdf', NEW)).rejects.toMatchObject({ code: 'FOLDER_NOT_WRITABLE' })
    await expect(openQuick(root)).rejects.toMatchObject({ code: 'FOLDER_NOT_WRITABLE' })
    expect((await contentOf(store, 'pdf'))['a/a.md']).toBe('old')
  }
})
