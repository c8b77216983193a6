import { describe, expect, it } from 'vitest'
import {
  type Layer,
  type ReloadResult,
  type Repertoire,
  type RepertoireOptions,
  type SkillSource,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'

const manifest = (name: string, fields = '', description = 'One.'): string =>
  `---\nname: ${name}\ndescription: ${description}\n${fields}---\nBody.\n`

/** A source of files that can be changed. */
interface Shelf {
  readonly source: SkillSource
  readonly files: Map<string, string>
  scans: number
  /** Set: the scan shows so many skills and fails. */
  failsAfter: number | undefined
  /** Set: the scan waits for it. */
  gate: Promise<void> | undefined
}

const shelf = (files: Readonly<Record<string, string>>, layer: Layer = 'project', id = 'shelf'): Shelf => {
  const made: Shelf = {
    files: new Map(Object.entries(files)),
    scans: 0,
    failsAfter: undefined,
    gate: undefined,
    source: {
      id,
      layer,
      async *scan() {
        made.scans++
        const skills = Object.fromEntries([...made.files].map(([name, text]) => [name, { 'SKILL.md': text }]))
        await made.gate
        let shown = 0
        for (const found of memorySource({ layer, id, skills }).scan()) {
          if (shown++ === made.failsAfter) throw new Error('The server is away.')
          yield found
        }
      },
    },
  }
  return made
}

const opened = (shelves: readonly Shelf[], options: Partial<RepertoireOptions> = {}): Promise<Repertoire> =>
  openRepertoire({ sources: shelves.map(({ source }) => source), ...options })

const names = ({ catalog }: Repertoire): readonly string[] => catalog.list().map(({ name }) => name)
const force = { force: true } as const

describe('repertoire.reload', () => {
  it('[CAT-4] does not call a listener that another listener has just added', async () => {
    const { source } = shelf({ pdf: manifest('pdf') })
    const repertoire = await openRepertoire({ sources: [source] })
    let told = 0
    const listen = (): void => {
      told++
      repertoire.onChange(listen)
    }
    repertoire.onChange(listen)
    await repertoire.reload({ force: true })
    expect(told).toBe(1)
    await repertoire.reload({ force: true })
    expect(told).toBe(3)
  })

  it('[CAT-4] reads every skill again', async () => {
    const shelved = shelf({ a: manifest('a', 'x: 1\n'), b: manifest('b') })
    const repertoire = await opened([shelved])
    const [a, b] = repertoire.catalog.list()
    shelved.files.set('a', `${manifest('a', 'x: 1\n')}More.\n`)
    shelved.files.set('b', manifest('b', 'x: 2\n'))
    const { diagnostics } = await repertoire.reload(force)
    const [a2, b2] = repertoire.catalog.list()
    expect(a2?.manifest).toEqual(a?.manifest)
    expect(b2?.manifest).toEqual({ ...b?.manifest, extra: { x: 2 } })
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['FIELD_UNKNOWN', 'memory:shelf/a/SKILL.md'],
      ['FIELD_UNKNOWN', 'memory:shelf/b/SKILL.md'],
    ])
  })

  it('[CAT-4] has what was added, removed and changed, and leaves an old snapshot unchanged', async () => {
    const shelved = shelf({ a: manifest('a'), b: manifest('b'), c: manifest('c', 'metadata:\n  x: y\n') })
    const repertoire = await opened([shelved])
    const before = repertoire.catalog
    expect(repertoire.catalog).toBe(before)
    shelved.files.delete('a')
    shelved.files.set('b', manifest('b', '', 'Two.'))
    shelved.files.set('d', manifest('d'))
    expect(await repertoire.reload(force)).toEqual({ skipped: false, kept: [], diagnostics: [] })
    expect(repertoire.catalog.get('b').manifest.description).toBe('Two.')
    expect(names(repertoire)).toEqual(['b', 'c', 'd'])
    expect(before.list().map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(before.get('b').manifest.description).toBe('One.')
  })

  it('[CAT-4] shows the old snapshot until the new one is complete', async () => {
    const shelved = shelf({ a: manifest('a') })
    const repertoire = await opened([shelved])
    const before = repertoire.catalog
    const { promise, resolve } = Promise.withResolvers<void>()
    shelved.gate = promise
    shelved.files.set('b', manifest('b'))
    const reloading = repertoire.reload(force)
    await Promise.resolve()
    await Promise.resolve()
    expect(shelved.scans).toBe(2)
    expect(repertoire.catalog).toBe(before)
    resolve()
    await reloading
    expect(names(repertoire)).toEqual(['a', 'b'])
  })

  it('[CAT-4] merges concurrent calls into one, and makes one more for calls during a reload', async () => {
    const shelved = shelf({ a: manifest('a') })
    const repertoire = await opened([shelved])
    const { promise, resolve } = Promise.withResolvers<void>()
    shelved.gate = promise
    const first = Array.from({ length: 10 }, () => repertoire.reload(force))
    while (shelved.scans < 2) await Promise.resolve()
    const unforced = repertoire.reload()
    const second = Array.from({ length: 10 }, async () => {
      const result = await repertoire.reload(force)
      expect(repertoire.catalog.has('b')).toBe(true)
      return result
    })
    // What was written while the first was made, a call that came after it sees.
    shelved.files.set('b', manifest('b'))
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    expect(shelved.scans).toBe(2)
    resolve()
    const results = await Promise.all([...first, unforced, ...second])
    expect(shelved.scans).toBe(3)
    expect(new Set(results).size).toBe(2)
    expect(await unforced).toBe(await first[0])
  })

  it('[CAT-3] skips a rebuild within 60 seconds of the last, unless it is forced or something was invalidated', async () => {
    let time = 1000
    const shelved = shelf({ a: manifest('a') })
    const repertoire = await opened([shelved], { catalog: { now: () => time } })
    shelved.files.set('b', manifest('b'))
    time += 59_999
    expect(await repertoire.reload()).toMatchObject({ skipped: true })
    expect(names(repertoire)).toEqual(['a'])
    time += 1
    expect(await repertoire.reload()).toMatchObject({ skipped: false })
    expect(names(repertoire)).toEqual(['a', 'b'])
    expect(await repertoire.reload()).toMatchObject({ skipped: true })
    expect(await repertoire.reload(force)).toMatchObject({ skipped: false })
    repertoire.invalidate('b')
    expect(await repertoire.reload()).toMatchObject({ skipped: false })
    expect(await repertoire.reload()).toMatchObject({ skipped: true })
    expect(shelved.scans).toBe(4)
  })

  it('[CAT-3] takes the interval as an option', async () => {
    let time = 0
    const shelved = shelf({ a: manifest('a') })
    const repertoire = await opened([shelved], { catalog: { now: () => time, minReloadInterval: 5 } })
    time = 4
    expect((await repertoire.reload()).skipped).toBe(true)
    time = 5
    expect((await repertoire.reload()).skipped).toBe(false)
    for (const minReloadInterval of [-1, NaN]) {
      await expect(opened([shelved], { catalog: { minReloadInterval } })).rejects.toThrow(
        '`catalog.minReloadInterval` is ',
      )
    }
    const always = await opened([shelved], { catalog: { minReloadInterval: 0 } })
    expect((await always.reload()).skipped).toBe(false)
  })

  it('[ABUSE-106] keeps the last valid skill over any number of reloads, with the error, until it is fixed or deleted', async () => {
    const shelved = shelf({ a: manifest('a'), b: manifest('b') })
    const repertoire = await opened([shelved])
    const good = repertoire.catalog.get('a')
    shelved.files.set('a', '---\nname: a\ndescr')
    for (let n = 0; n < 3; n++) {
      const { kept, diagnostics } = await repertoire.reload(force)
      expect([kept, names(repertoire)]).toEqual([['a'], ['a', 'b']])
      expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
        ['FRONTMATTER_UNCLOSED', 'memory:shelf/a/SKILL.md'],
        ['SKILL_KEPT', 'memory:shelf/a/SKILL.md'],
      ])
      expect(repertoire.catalog.get('a')).toBe(good)
    }
    shelved.files.set('a', manifest('a', '', 'Mended.'))
    expect(await repertoire.reload(force)).toMatchObject({ kept: [], diagnostics: [] })
    expect(repertoire.catalog.get('a').manifest.description).toBe('Mended.')
    shelved.files.set('a', 'broken')
    await repertoire.reload(force)
    shelved.files.delete('a')
    expect(await repertoire.reload(force)).toMatchObject({ kept: [], diagnostics: [] })
    expect(names(repertoire)).toEqual(['b'])
  })

  it('[ABUSE-106] keeps neither skills that were never valid nor names that a valid file has dropped', async () => {
    const shelved = shelf({ a: manifest('a'), never: 'broken' })
    const repertoire = await opened([shelved])
    shelved.files.set('a', manifest('a', 'status: disabled\n'))
    expect(await repertoire.reload(force)).toMatchObject({ kept: [] })
    expect(names(repertoire)).toEqual([])
    expect(repertoire.catalog.inactive.map(({ name }) => name)).toEqual(['a'])
    shelved.files.set('a', manifest('a'))
    await repertoire.reload(force)
    expect(names(repertoire)).toEqual(['a'])
  })

  it('[ABUSE-106] leaves a kept skill in its place among others of its name', async () => {
    const first = shelf({ pdf: manifest('pdf') }, 'project', 'first')
    const second = shelf({ pdf: manifest('pdf') }, 'project', 'second')
    const repertoire = await opened([first, second])
    first.files.set('pdf', 'broken')
    expect(await repertoire.reload(force)).toMatchObject({ kept: ['pdf'] })
    expect(repertoire.catalog.get('pdf').source).toBe('first')
    first.files.delete('pdf')
    expect(await repertoire.reload(force)).toMatchObject({ kept: [] })
    expect(repertoire.catalog.get('pdf').source).toBe('second')
  })

  it('[DISC-3] keeps the skills of a source that fails, and takes those it found before it failed', async () => {
    const shelved = shelf({ a: manifest('a'), b: manifest('b'), c: 'broken' })
    const repertoire = await opened([shelved])
    shelved.files.set('a', manifest('a', '', 'Two.'))
    shelved.files.set('b', manifest('b', '', 'Two.'))
    shelved.failsAfter = 1
    const result = await repertoire.reload(force)
    expect(result).toMatchObject({ kept: ['b'] })
    expect(repertoire.catalog.get('a').manifest.description).toBe('Two.')
    expect(result.diagnostics).toEqual([
      expect.objectContaining({ code: 'SOURCE_FAILED', message: expect.stringContaining('away') as string }),
    ])
    expect(names(repertoire)).toEqual(['a', 'b'])
  })

  it('[CAT-4] keeps a skill whose parent folder cannot be read', async () => {
    const shelved = shelf({ a: manifest('a'), b: manifest('b') })
    let isClosed = false
    const source: SkillSource = {
      ...shelved.source,
      scan() {
        if (!isClosed) return shelved.source.scan()
        return [{ code: 'FOLDER_UNREADABLE', severity: 'warning', path: 'memory:shelf/a', message: 'Closed.' }]
      },
    }
    const repertoire = await openRepertoire({ sources: [source] })
    isClosed = true
    expect(await repertoire.reload(force)).toMatchObject({ kept: ['a'] })
    expect(names(repertoire)).toEqual(['a'])
  })

  it('[CAT-4] leaves the old snapshot if a reload fails, and tries again at the next request', async () => {
    const shelved = shelf({ a: manifest('a') })
    let isBroken = false
    const now = (): number => {
      if (isBroken) throw new RangeError('No clock.')
      return Date.now()
    }
    const repertoire = await openRepertoire({ sources: [shelved.source], catalog: { now } })
    const before = repertoire.catalog
    isBroken = true
    await expect(repertoire.reload(force)).rejects.toThrow('No clock.')
    expect(repertoire.catalog).toBe(before)
    isBroken = false
    expect((await repertoire.reload()).skipped).toBe(false)
  })

  it('[CAT-4] calls every listener with every new snapshot until it unsubscribes, and not for skipped reloads', async () => {
    const repertoire = await opened([shelf({ a: manifest('a') })])
    const told: ReloadResult[] = []
    const listener = (result: ReloadResult): void => void told.push(result)
    const stop = repertoire.onChange(listener)
    const stopOther = repertoire.onChange(listener)
    const result = await repertoire.reload(force)
    await repertoire.reload()
    expect(told).toEqual([result, result])
    stop()
    stop()
    await repertoire.reload(force)
    expect(told).toHaveLength(3)
    stopOther()
    await repertoire.reload(force)
    expect(told).toHaveLength(3)
  })
})
