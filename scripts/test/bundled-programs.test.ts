import { bundled } from '@repertoire/test-servers'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { bundlePrograms } from '../bundled-programs.ts'

const MAIN = 'packages/cli/src/main.ts'

/** A repository with one program, which is made of two modules. */
async function repository() {
  const root = await mkdtemp(join(tmpdir(), 'repertoire-bundled-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const write = async (file: string, content: string): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), content)
  }
  await write(
    MAIN,
    `export { word } from './word.ts'\nexport const beside = new URL('words.txt', import.meta.url).href\n`,
  )
  await write('packages/cli/src/word.ts', `export const word: string = 'one'\n`)
  const load = async (folder: string): Promise<unknown> => ({
    ...(await import(pathToFileURL(join(folder, MAIN.replace('.ts', '.js'))).href)),
  })
  return { root, write, load }
}

test('the bundle of a program is of its sources as they are, made once, and finds what lies beside them', async () => {
  const { root, write, load } = await repository()
  const first = await bundlePrograms(root)
  const beside = pathToFileURL(join(root, 'packages/cli/src/words.txt')).href
  expect(await load(first)).toEqual({ word: 'one', beside })
  const { ino } = await stat(first)
  await write('packages/cli/test/word.test.ts', 'No program imports a test.')
  expect(await bundlePrograms(root)).toBe(first)
  expect((await stat(first)).ino).toBe(ino)
  await write('packages/cli/src/word.ts', `export const word = 'two'\n`)
  const second = await bundlePrograms(root)
  expect(await load(second)).toEqual({ word: 'two', beside })
  // Tests of the older sources may still be running.
  expect(await readdir(first)).toEqual(await readdir(second))
  await write('packages/cli/src/word.ts', `export const word: string = 'one'\n`)
  expect(await bundlePrograms(root)).toBe(first)
})

test('runs that begin at once have one bundle between them, whole', async () => {
  const { root, load } = await repository()
  const folders = new Set(await Promise.all([1, 2, 3].map(() => bundlePrograms(root))))
  expect(folders.size).toBe(1)
  expect(await load([...folders][0]!)).toMatchObject({ word: 'one' })
  expect(await readdir(join(root, 'node_modules/.cache/bundled'))).toHaveLength(1)
})

test('a program without a bundle is named, with where to add it', () => {
  expect(() => bundled(import.meta.filename)).toThrow('PROGRAMS of scripts/bundled-programs.ts')
  const { BUNDLED_PROGRAMS } = process.env
  onTestFinished(() => void (process.env['BUNDLED_PROGRAMS'] = BUNDLED_PROGRAMS))
  delete process.env['BUNDLED_PROGRAMS']
  expect(bundled(import.meta.filename)).toBe(import.meta.filename)
})
