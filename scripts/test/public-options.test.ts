import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { CALLS, exported, known } from './public-calls.ts'

const home = mkdtempSync(join(tmpdir(), 'home-'))
// Options that are accepted write there what would otherwise be in the home of whoever runs the tests.
beforeAll(() => vi.stubEnv('HOME', home))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true })
})

/** Calls with options, and returns what comes of it. */
async function outcomeOf(call: (options: unknown) => unknown, options: unknown): Promise<Error> {
  try {
    await call(options)
    return new Error('It was accepted.')
  } catch (error) {
    return error as Error
  }
}

/** Returns the message of the TypeError that refuses options. */
async function refusal(call: (options: unknown) => unknown, options: unknown): Promise<string> {
  const outcome = await outcomeOf(call, options)
  expect(outcome).toBeInstanceOf(TypeError)
  return outcome.message
}

/** A name that is like no other: the message then has the names of all options. */
const NO_NAME = '0000000000'

interface Table {
  /** Where the table stands, such as `policy`. */
  readonly path: string
  readonly names: readonly string[]
  /** Returns options that have a value in the place of the table. */
  readonly at: (value: unknown) => unknown
}

/** Returns the tables of a function, at every depth. */
async function tablesOf(call: (options: unknown) => unknown, at: Table['at'] = (value) => value): Promise<Table[]> {
  const { message } = await outcomeOf(call, at({ [NO_NAME]: 1 }))
  const [, path = '', list] =
    /unknown option `(.*)0000000000`\. The options(?: of .*?)? are (`.*?`)\./.exec(message) ?? []
  if (list === undefined) return []
  const names = [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name!.replaceAll(/^\["|"\]$/g, ''))
  const inner: Table[] = []
  for (const name of names) {
    // An object, an object by names, a list.
    for (const wrap of [(value: unknown) => value, (value: unknown) => ({ x: value }), (value: unknown) => [value]])
      inner.push(...(await tablesOf(call, (value) => at({ [name]: wrap(value) }))))
  }
  return [{ path, names, at }, ...inner]
}

/** Objects with one property: its own, from a prototype, and with a getter. */
const objectsWith = (name: string): readonly object[] => [
  { [name]: undefined },
  Object.create({ [name]: 1 }) as object,
  Object.defineProperty({}, name, { get: () => 1, enumerable: true }),
]

/** Objects that are no options. */
const OTHERS: readonly unknown[] = [
  null,
  5,
  Number.NaN,
  Symbol('options'),
  [],
  new Map(),
  new Date(0),
  new AbortController(),
  Promise.resolve({}),
]

/** Options that may have any value. */
const ANY = new Set(['definition', 'ifRevision', 'input', 'saved'])

it.each(Object.entries(CALLS))(
  '[CFG-1, ABUSE-133] %s refuses each option that is misspelled or of the wrong kind',
  async (_, call) => {
    const tables = await tablesOf(call)
    expect(tables).not.toEqual([])
    for (const { path, names, at } of tables) {
      for (const value of path === '' ? OTHERS : []) expect(await refusal(call, at(value))).not.toBe('')
      for (const name of names) {
        const misspelled = `${name.slice(0, -1)}_${name.slice(-1)}`
        for (const value of objectsWith(misspelled)) {
          const message = await refusal(call, at(value))
          expect(message).toContain('unknown option')
          expect(message).toContain(misspelled)
        }
        const hint = await refusal(call, at({ [misspelled]: 1 }))
        if (name.length > 3) expect(hint).toContain('Did you mean')
        if (ANY.has(name)) continue
        for (const wrong of [null, Symbol('wrong'), Number.NaN]) {
          const message = await refusal(call, at({ [name]: wrong }))
          expect(message).toContain(name)
          expect(message).toMatch(/ Give /)
        }
      }
    }
  },
)

it.each(Object.entries(CALLS))('[CFG-1] %s takes undefined for an option that is left out', async (_, call) => {
  for (const { path, names, at } of await tablesOf(call)) {
    for (const name of names) {
      const { message } = await outcomeOf(call, at({ [name]: undefined }))
      expect(message).not.toContain(`\`${path}${name}\` is undefined`)
    }
  }
})

it('[CFG-1] finds the tables at every depth', async () => {
  const paths = (await tablesOf(CALLS['openRepertoire']!)).map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([
      '',
      'policy.',
      'scripts.limits.',
      'toolMap.x.',
      'toolMap.x.program.',
      'audit.',
      'context.summaries.',
    ]),
  )
})

it('[CFG-1] knows of every public function whether it has options', () => {
  expect(exported.filter((name) => !known.includes(name))).toEqual([])
  expect(known.filter((name) => !exported.includes(name))).toEqual([])
})
