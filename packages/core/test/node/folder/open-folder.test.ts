import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SkillFiles } from '@repertoire/core'
import { openFolder, openSkills, type SafeFolder } from '@repertoire/core/node'
import { afterEach, beforeEach, expect, it } from 'vitest'

let root: string
let folder: SafeFolder

beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-folder-'))
  folder = openFolder(root)
})

afterEach(() => {
  folder.close()
  rmSync(root, { recursive: true, force: true })
})

const files = (texts: Readonly<Record<string, string>>): SkillFiles =>
  new Map(Object.entries(texts).map(([path, text]) => [path, { bytes: Buffer.from(text) }]))
const text = (path: string): string => readFileSync(join(root, path), 'utf8')
const stateOf = (): readonly string[] => readdirSync(join(root, '.repertoire'))

it('[LIB-7] replaces and removes folders whole, reads and lists them, and leaves nothing behind', () => {
  folder.replace(
    'pdf',
    new Map([...files({ 'SKILL.md': 'a', 'x/y.md': 'b' }), ['run', { bytes: Buffer.from('c'), executable: true }]]),
  )
  chmodSync(join(root, 'pdf'), 0o700)
  folder.replace('pdf', files({ 'SKILL.md': 'new' }))
  expect([readdirSync(join(root, 'pdf')), text('pdf/SKILL.md'), statSync(join(root, 'pdf')).mode & 0o777]).toEqual([
    ['SKILL.md'],
    'new',
    0o700,
  ])
  expect(Buffer.from(folder.read('pdf/SKILL.md')).toString()).toBe('new')
  expect(() => folder.read('pdf/SKILL.md', 2)).toThrow(expect.objectContaining({ kind: 'special' }))
  expect(
    folder
      .list()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['.repertoire', 'pdf'])
  folder.remove('pdf')
  expect([readdirSync(root), stateOf()]).toEqual([['.repertoire'], []])
})

it('[LIB-7, ABUSE-74] puts every folder back where the last step fails, and says so', () => {
  folder.replace('one', files({ a: 'old' }))
  folder.replace('two', files({ a: 'old' }))
  const changes = [
    { name: 'one', files: files({ a: 'new' }) },
    { name: 'two' },
    { name: 'three', files: files({ a: 'new' }) },
  ]
  expect(() =>
    folder.change(changes, () => {
      expect([text('one/a'), readdirSync(root).toSorted()]).toEqual(['new', ['.repertoire', 'one', 'three']])
      throw new Error('The disk is full.')
    }),
  ).toThrow('The disk is full.')
  expect([text('one/a'), text('two/a'), readdirSync(root).toSorted(), stateOf()]).toEqual([
    'old',
    'old',
    ['.repertoire', 'one', 'two'],
    [],
  ])
  folder.change(changes)
  expect([text('one/a'), readdirSync(root).toSorted(), stateOf()]).toEqual(['new', ['.repertoire', 'one', 'three'], []])
})

it('[RES-4] writes one file in one step, keeps its permissions, and refuses another spelling of a name', () => {
  folder.write('pdf/x/run.sh', { bytes: Buffer.from('a'), executable: true })
  chmodSync(join(root, 'pdf/x/run.sh'), 0o750)
  folder.write('pdf/x/run.sh', { bytes: Buffer.from('b') })
  expect([text('pdf/x/run.sh'), statSync(join(root, 'pdf/x/run.sh')).mode & 0o777, stateOf()]).toEqual(['b', 0o750, []])
  folder.write('pdf/x/run.sh', { bytes: Buffer.from('b'), executable: false })
  expect(statSync(join(root, 'pdf/x/run.sh')).mode & 0o777).toBe(0o640)
  expect(() => folder.write('PDF/a', { bytes: new Uint8Array() })).toThrow(
    expect.objectContaining({ code: 'RESOURCE_REFUSED' }),
  )
})

it('[ABUSE-75] follows no link: not on the way, not in the place of a folder, and not in that of its own', () => {
  const outside = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-outside-'))
  try {
    symlinkSync(outside, join(root, 'link'), 'junction')
    mkdirSync(join(root, 'pdf'))
    symlinkSync(outside, join(root, 'pdf/below'), 'junction')
    const isLink = expect.objectContaining({ kind: 'link' }) as Error
    expect(() => folder.write('link/a', { bytes: new Uint8Array() })).toThrow(isLink)
    expect(() => folder.write('pdf/below/a', { bytes: new Uint8Array() })).toThrow(isLink)
    expect(() => folder.replace('link', files({ a: 'a' }))).toThrow(isLink)
    expect(() => folder.read('link/a')).toThrow(isLink)
    folder.remove('pdf')
    expect(readdirSync(outside)).toEqual([])
    rmSync(join(root, '.repertoire'), { recursive: true })
    symlinkSync(outside, join(root, '.repertoire'), 'junction')
    const other = openFolder(root)
    expect(() => other.replace('new', files({ a: 'a' }))).toThrow(isLink)
    other.close()
    expect(readdirSync(outside)).toEqual([])
  } finally {
    rmSync(outside, { recursive: true })
  }
})

it('[LIB-7, LIB-14] names what a killed writer left, refuses that folder alone, and ends it when it is asked to', () => {
  for (const name of ['pdf', 'csv']) folder.replace(name, files({ 'SKILL.md': name }))
  renameSync(join(root, 'pdf'), join(root, '.repertoire/old-pdf'))
  for (const name of ['new-pdf', 'old-csv', 'gone-x']) mkdirSync(join(root, '.repertoire', name))
  expect(folder.leftovers().map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'gone x',
    'new pdf',
    'old csv',
    'old pdf',
  ])
  const unfinished = expect.objectContaining({
    code: 'FOLDER_NOT_WRITABLE',
    message: expect.stringContaining('"repertoire recover"') as string,
  }) as Error
  for (const name of ['pdf', 'csv', 'x']) expect(() => folder.replace(name, files({ a: 'a' }))).toThrow(unfinished)
  expect(() => folder.write('pdf/a', { bytes: new Uint8Array() })).toThrow(unfinished)
  folder.replace('other', files({ a: 'a' }))
  expect(folder.leftovers().map((leftover) => folder.settle(leftover))).toEqual([false, false, false, true])
  expect([text('pdf/SKILL.md'), text('csv/SKILL.md'), stateOf()]).toEqual(['pdf', 'csv', []])
})

it('[LIB-7, DISC-3] a skill that is between two places is waited for by a catalog and by who reads it', async () => {
  for (const name of ['pdf', 'csv']) {
    folder.replace(name, files({ 'SKILL.md': `---\nname: ${name}\ndescription: Reads it.\n---\nText.\n` }))
  }
  const [place, former] = [join(root, 'pdf'), join(root, '.repertoire/old-pdf')]
  const moved = (): void => {
    renameSync(place, former)
    setTimeout(() => renameSync(former, place), 20)
  }
  moved()
  const { catalog } = await openSkills(root)
  expect([catalog.list().map(({ name }) => name), catalog.diagnostics]).toEqual([['csv', 'pdf'], []])
  moved()
  expect((await catalog.get('pdf').folder.list()).files).toHaveLength(1)
  renameSync(place, former)
  await expect(catalog.get('pdf').folder.read('SKILL.md')).rejects.toThrow(/"repertoire recover" puts it back/)
  const late = await openSkills(root)
  expect(late.catalog.list().map(({ name }) => name)).toEqual(['csv'])
  expect(late.catalog.diagnostics).toMatchObject([{ code: 'LEFTOVER_FOUND', severity: 'error', path: place }])
})
