import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRepertoire } from '@repertoire/core'
import type { Repertoire } from '@repertoire/core'
import { unstorageSource, type UnstorageReader } from '@repertoire/library'
import { createStorage, type Driver } from 'unstorage'
import fsDriver from 'unstorage/drivers/fs'
import memoryDriver from 'unstorage/drivers/memory'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'

const manifest = (name: string) => `---\nname: ${name}\ndescription: The skill ${name}.\n---\nThe body of ${name}.\n`
const BYTES = Uint8Array.of(0, 255, 254, 1)

/** A driver that keeps texts alone, as those of Redis and many others do. */
function textDriver() {
  const { getItemRaw: _raw, setItemRaw: _set, ...driver } = memoryDriver()
  return driver
}

async function filled(driver: Driver) {
  const storage = createStorage({ driver })
  await storage.setItem('skills:pdf:SKILL.md', manifest('pdf'))
  await storage.setItem('skills:pdf:references:numbers.md', '123')
  await storage.setItemRaw('skills:pdf:assets:logo.png', BYTES)
  await storage.setMeta('skills:pdf:SKILL.md', { mtime: new Date(0) })
  await storage.setItem('other:SKILL.md', manifest('other'))
  return storage
}

const open = (storage: UnstorageReader, base?: string) =>
  openRepertoire({ sources: [unstorageSource({ storage, layer: 'project', base })] })
const names = ({ catalog }: Repertoire) => catalog.list().map(({ name }) => name)
const found = ({ catalog }: Repertoire) => catalog.diagnostics.map(({ code, path }) => [code, path])

it.each([
  ['memory', memoryDriver],
  ['texts alone', textDriver],
  ['a folder', () => fsDriver({ base: temporaryFolder() })],
])('[DISC-12] reads skills from a driver of unstorage and from a storage with it (%s)', async (_, makeDriver) => {
  const driver = makeDriver()
  const storage = await filled(driver)
  for (const reader of [driver, storage]) {
    const repertoire = await open(reader, 'skills')
    expect(repertoire.catalog.list()).toMatchObject([
      { name: 'pdf', source: 'unstorage:unstorage', location: 'unstorage:unstorage/pdf' },
    ])
    expect(repertoire.catalog.diagnostics).toEqual([])
    const tiers = repertoire.tiers()
    expect(await tiers.instructions('pdf')).toBe('The body of pdf.\n')
    expect(await tiers.resource('pdf', 'references/numbers.md')).toMatchObject({ kind: 'text', text: '123' })
    expect(await tiers.resource('pdf', 'assets/logo.png')).toMatchObject({ kind: 'binary', bytes: BYTES })
    expect(await tiers.resource('pdf', 'none.md')).toBeNull()
    await expect(tiers.resource('pdf', '../other/SKILL.md')).rejects.toMatchObject({ code: 'RESOURCE_PATH_INVALID' })
    const { withheld, ...listing } = await repertoire.catalog.get('pdf').folder.list()
    expect(listing.files.map(({ path, size }) => [path, size])).toEqual([
      ['SKILL.md', manifest('pdf').length],
      ['assets/logo.png', 4],
      ['references/numbers.md', 3],
    ])
    expect(withheld.files).toEqual([])
  }
  expect(names(await open(driver))).toEqual(['other'])
})

it('[DISC-12] asks a storage once for what is listed and then read, and again for what was saved meanwhile', async () => {
  const storage = await filled(memoryDriver())
  const asked: string[] = []
  const counting: UnstorageReader = {
    getKeys: (base, options) => storage.getKeys(base, options),
    getItem: (key) => storage.getItem(key),
    getItemRaw: (key, options) => (asked.push(key), storage.getItemRaw(key, options)),
  }
  const { catalog } = await open(counting, 'skills')
  const { folder } = catalog.get('pdf')
  asked.splice(0)
  const { files } = await folder.list()
  for (const { path } of files) await folder.read(path)
  expect(asked.toSorted()).toEqual([
    'skills:pdf:SKILL.md',
    'skills:pdf:assets:logo.png',
    'skills:pdf:references:numbers.md',
  ])
  await storage.setItem('skills:pdf:references:numbers.md', '456')
  expect(new TextDecoder().decode(await folder.read('references/numbers.md'))).toBe('456')
})

it('[DISC-12] sees what was saved at the next reload, and what is read is what is there then', async () => {
  const driver = memoryDriver()
  const storage = await filled(driver)
  const repertoire = await open(storage, 'skills:')
  await storage.setItem('skills:new:SKILL.md', manifest('new'))
  await storage.removeItem('skills:pdf:references:numbers.md')
  expect(await repertoire.tiers().resource('pdf', 'references/numbers.md')).toBeNull()
  await repertoire.reload({ force: true })
  expect(names(repertoire)).toEqual(['new', 'pdf'])
})

it.each([
  ['two keys are one path', { 'a/SKILL.md': '', 'a:SKILL.md': '' }],
  ['a storage cuts the key', { 'a:SKILL.md': '', 'a:ask?.md': '' }],
  ['a storage hides the key', { 'a:SKILL.md': '', 'a:price$': '' }],
  ['it leads out', { 'a:SKILL.md': '', 'a:..:b:SKILL.md': '' }],
  ['a part is empty', { 'a:SKILL.md': '', 'a::x.md': '' }],
  ['not every system has the name', { 'a:SKILL.md': '', 'a:nul.md': '' }],
])('[DISC-12] does not load a skill where %s, and names the key', async (_, keys) => {
  const driver = memoryDriver()
  for (const [key, text] of Object.entries(keys)) driver.setItem!(key, text === '' ? manifest('a') : text, {})
  driver.setItem!('b:SKILL.md', manifest('b'), {})
  const repertoire = await open(driver)
  expect(names(repertoire)).toEqual(['b'])
  expect(found(repertoire)).toEqual([['KEY_UNUSABLE', 'unstorage:unstorage/a']])
  const [diagnostic] = repertoire.catalog.diagnostics
  expect(Object.keys(keys).some((key) => diagnostic?.message.includes(JSON.stringify(key)))).toBe(true)
})

it('[DISC-12] refuses a value that has lost how it was written', async () => {
  const values = new Map<string, unknown>([
    ['a:SKILL.md', { name: 'a' }],
    ['b:SKILL.md', manifest('b')],
    ['b:count.json', 123],
    ['c:SKILL.md', manifest('c')],
  ])
  const driver: UnstorageReader = {
    getKeys: () => [...values.keys()],
    getItem(key) {
      if (key.startsWith('c:')) throw new Error('the connection is gone')
      return values.get(key)
    },
  }
  const repertoire = await open(driver)
  expect(names(repertoire)).toEqual(['b'])
  expect(found(repertoire)).toEqual([
    ['MANIFEST_UNREADABLE', 'unstorage:unstorage/a/SKILL.md'],
    ['MANIFEST_UNREADABLE', 'unstorage:unstorage/c/SKILL.md'],
  ])
  await expect(repertoire.tiers().resource('b', 'count.json')).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
  // No digest covers it, so that every activation asks.
  expect((await repertoire.catalog.get('b').folder.list()).refused).toEqual([
    { path: 'count.json', reason: 'a number, not text or bytes' },
  ])
})

it('[DISC-12] names the file of a folder that a storage could not name, and fails as a whole without keys', async () => {
  const base = temporaryFolder()
  mkdirSync(join(base, 'pdf'))
  writeFileSync(join(base, 'pdf/SKILL.md'), manifest('pdf'))
  writeFileSync(join(base, 'pdf:SKILL.md'), manifest('pdf'))
  const repertoire = await open(fsDriver({ base }))
  expect(found(repertoire)).toEqual([['KEY_UNUSABLE', 'unstorage:unstorage/pdf']])
  const silent = { getKeys: () => Promise.reject(new Error('no connection')), getItem: () => null }
  expect(found(await open(silent))).toMatchObject([['SOURCE_FAILED', 'unstorage:unstorage']])
  expect(() => unstorageSource({ storage: {} as never, layer: 'project' })).toThrow(TypeError)
})

it('[FRONT-5] reports a storage, or a base in it, without skills', async () => {
  const storage = await filled(memoryDriver())
  const empty = [['ROOT_WITHOUT_SKILLS', 'unstorage:unstorage']]
  expect(found(await open(storage, 'skill'))).toEqual(empty)
  expect(found(await open(createStorage({ driver: memoryDriver() })))).toEqual(empty)
  expect(found(await open(storage, 'skills'))).toEqual([])
})

it('[MAN-7] keeps models from a skill if its agents/openai.yaml says so', async () => {
  const storage = await filled(memoryDriver())
  await storage.setItem('skills:pdf:agents:openai.yaml', 'policy:\n  allow_implicit_invocation: false\n')
  const repertoire = await open(storage, 'skills')
  expect(repertoire.catalog.list({ viewer: {} })).toEqual([])
  expect(found(repertoire)).toEqual([['EXPLICIT_ONLY', 'unstorage:unstorage/pdf/SKILL.md']])
})
