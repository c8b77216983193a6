import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type ReloadResult,
  type Repertoire,
  type RepertoireOptions,
  type SkillSource,
  type SourceListener,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'
import { directorySource } from '../../src/node/index.ts'

let base: string
let root: string
const open: Repertoire[] = []

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-watched-'))
  root = join(base, 'skills')
})

afterEach(async () => {
  for (const repertoire of open.splice(0)) await repertoire.close()
  rmSync(base, { recursive: true, force: true })
})

const manifest = (name: string, description = 'One.'): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`
const write = (name: string, text: string): void => {
  mkdirSync(join(root, name), { recursive: true })
  writeFileSync(join(root, name, 'SKILL.md'), text)
}

const opened = async (options: Partial<RepertoireOptions> = {}): Promise<Repertoire> => {
  const sources = [directorySource({ root, layer: 'project' })]
  const repertoire = await openRepertoire({ sources, watch: { debounce: 20 }, ...options })
  open.push(repertoire)
  return repertoire
}

/** Waits for a snapshot of which something holds. */
const until = (repertoire: Repertoire, holds: (result: ReloadResult) => boolean): Promise<ReloadResult> =>
  new Promise((resolve) => {
    const stop = repertoire.onChange((result) => {
      if (!holds(result)) return
      stop()
      resolve(result)
    })
  })

const says = (repertoire: Repertoire, name: string, description: string) => (): boolean =>
  repertoire.catalog.has(name) && repertoire.catalog.get(name).manifest.description === description

describe('a watched repertoire', () => {
  it('[CAT-4] shows added, changed and removed skills without a reload by the host', async () => {
    write('pdf', manifest('pdf'))
    const repertoire = await opened()
    const added = until(repertoire, () => repertoire.catalog.has('xlsx'))
    write('xlsx', manifest('xlsx'))
    expect(await added).toMatchObject({ skipped: false })

    const edited = until(repertoire, says(repertoire, 'pdf', 'Two.'))
    write('pdf', manifest('pdf', 'Two.'))
    await edited

    const removed = until(repertoire, () => !repertoire.catalog.has('xlsx'))
    renameSync(join(root, 'xlsx'), join(base, 'xlsx'))
    expect(await removed).toMatchObject({ kept: [] })
  })

  it('[CAT-4] sees a write that replaces the file, as editors make it, and every one after it', async () => {
    write('pdf', manifest('pdf'))
    const repertoire = await opened()
    for (const description of ['Two.', 'Three.', 'Four.']) {
      const edited = until(repertoire, says(repertoire, 'pdf', description))
      writeFileSync(join(root, 'pdf', '.SKILL.md.swp'), manifest('pdf', description))
      renameSync(join(root, 'pdf', '.SKILL.md.swp'), join(root, 'pdf', 'SKILL.md'))
      await edited
    }
  })

  it('[ABUSE-106] keeps the last valid skill while its file is half written, reports it, and then loads the whole file', async () => {
    write('pdf', manifest('pdf'))
    const repertoire = await opened()
    const halfWritten = until(repertoire, ({ kept }) => kept.length > 0)
    write('pdf', manifest('pdf', 'Two.').slice(0, 20))
    const { kept, diagnostics } = await halfWritten
    expect(kept).toEqual(['pdf'])
    expect(repertoire.catalog.get('pdf').manifest.description).toBe('One.')
    const path = join(root, 'pdf', 'SKILL.md')
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: 'FRONTMATTER_UNCLOSED', severity: 'error', path }),
      expect.objectContaining({ code: 'SKILL_KEPT', severity: 'warning', path }),
    ])

    const whole = until(repertoire, says(repertoire, 'pdf', 'Two.'))
    write('pdf', manifest('pdf', 'Two.'))
    expect(await whole).toMatchObject({ kept: [], diagnostics: [] })
  })

  it('[ABUSE-108] makes few reloads for thousands of writes', async () => {
    write('pdf', manifest('pdf'))
    const repertoire = await opened({ watch: { debounce: 200 } })
    let reloads = 0
    repertoire.onChange(() => reloads++)
    const last = until(repertoire, says(repertoire, 'pdf', 'Number 2999.'))
    for (let n = 0; n < 3_000; n++) write('pdf', manifest('pdf', `Number ${n}.`))
    await last
    expect(reloads).toBeLessThanOrEqual(3)
  })

  it('[CAT-4] ignores changes before it was opened, and misses none while it opens', async () => {
    for (let n = 0; n < 200; n++) write(`skill-${n}`, manifest(`skill-${n}`))
    const opening = opened()
    await Promise.resolve()
    write('late', manifest('late'))
    const repertoire = await opening
    if (!repertoire.catalog.has('late')) await until(repertoire, () => repertoire.catalog.has('late'))
    expect(repertoire.catalog.list()).toHaveLength(201)
  })

  it('[CAT-4] is no longer watched after closing, and can still be reloaded', async () => {
    write('pdf', manifest('pdf'))
    const other = await opened()
    const closed = await opened()
    await closed.close()
    await closed[Symbol.asyncDispose]()
    let told = 0
    closed.onChange(() => told++)
    const seen = until(other, () => other.catalog.has('xlsx'))
    write('xlsx', manifest('xlsx'))
    await seen
    expect(told).toBe(0)
    await closed.reload({ force: true })
    expect(closed.catalog.has('xlsx')).toBe(true)
  })
})

/** A source that tells of changes when it is asked to. */
const telling = (): {
  source: SkillSource
  listener: () => SourceListener
  scans: () => number
  closed: () => number
} => {
  const skills = memorySource({ layer: 'project', skills: { pdf: { 'SKILL.md': manifest('pdf') } } })
  let scans = 0
  let closed = 0
  let given: SourceListener
  return {
    scans: () => scans,
    closed: () => closed,
    listener: () => given,
    source: {
      ...skills,
      scan() {
        scans++
        return skills.scan()
      },
      watch(listener) {
        given = listener
        return Promise.resolve({ close: () => Promise.resolve(void closed++) })
      },
    },
  }
}

describe('the gathering of changes', () => {
  it('[ABUSE-108] reloads from time to time during endless changes', async () => {
    const { source, listener, scans } = telling()
    const repertoire = await opened({ sources: [source], watch: { debounce: 30 } })
    let isStorming = true
    const storm = (): void => {
      listener().changed()
      if (isStorming) setImmediate(storm)
    }
    storm()
    for (let n = 0; n < 3; n++) await until(repertoire, () => true)
    isStorming = false
    expect(scans()).toBe(4)
  })

  it('[CAT-4] makes one more reload for all changes during a reload', async () => {
    const { source, listener, scans } = telling()
    const slow: SkillSource = {
      ...source,
      async *scan() {
        yield* source.scan()
        if (scans() === 2) for (let n = 0; n < 100; n++) listener().changed()
      },
    }
    const repertoire = await opened({ sources: [slow], watch: { debounce: 0 } })
    const twice = until(repertoire, () => scans() === 3)
    listener().changed()
    await twice
    await repertoire.reload({ force: true })
    expect(scans()).toBe(4)
  })

  it('[CAT-4] watches nothing by default, and closes its watches', async () => {
    const unasked = telling()
    await opened({ sources: [unasked.source], watch: false })
    expect(unasked.listener()).toBeUndefined()
    const asked = telling()
    const repertoire = await opened({ sources: [asked.source], watch: true })
    await repertoire.close()
    expect(asked.closed()).toBe(1)
    asked.listener().changed()
    asked.listener().diagnostic({ code: 'WATCH_FAILED', severity: 'warning', path: 'x', message: 'Late.' })
    expect(repertoire.catalog.diagnostics).toEqual([])
  })

  it('[ABUSE-108] reports once why a source cannot be watched, and keeps the report over reloads', async () => {
    const { source, listener } = telling()
    const failing: SkillSource = { ...source, id: 'remote', watch: () => Promise.reject(new Error('No notices here.')) }
    const repertoire = await opened({ sources: [source, failing] })
    const codes = (): readonly string[] => repertoire.catalog.diagnostics.map(({ code, path }) => `${code} ${path}`)
    const shadowed = 'SKILL_SHADOWED memory:memory/pdf/SKILL.md'
    expect(codes()).toEqual([shadowed, 'WATCH_FAILED remote'])
    expect(repertoire.catalog.diagnostics[1]?.message).toContain('No notices here.')
    const limited = { code: 'WATCH_LIMITED', severity: 'warning', path: '/x', message: 'Full.' } as const
    let told = 0
    repertoire.onChange(() => told++)
    listener().diagnostic(limited)
    listener().diagnostic(limited)
    await Promise.resolve()
    expect(told).toBe(2)
    await repertoire.reload({ force: true })
    expect(codes()).toEqual([shadowed, 'WATCH_FAILED remote', 'WATCH_LIMITED /x'])
  })

  it('[CAT-4] reports a failed reload until one succeeds', async () => {
    const { source, listener } = telling()
    let isBroken = false
    const now = (): number => {
      if (isBroken) throw new RangeError('No clock.')
      return Date.now()
    }
    const repertoire = await opened({ sources: [source], catalog: { now } })
    const failed = until(repertoire, ({ diagnostics }) => diagnostics.length > 0)
    isBroken = true
    listener().changed()
    expect((await failed).diagnostics).toMatchObject([{ code: 'RELOAD_FAILED', severity: 'error' }])
    expect(repertoire.catalog.has('pdf')).toBe(true)
    isBroken = false
    const fixed = until(repertoire, ({ diagnostics }) => diagnostics.length === 0)
    listener().changed()
    await fixed
  })

  it('[CAT-4] refuses invalid times', async () => {
    await expect(opened({ watch: { debounce: -1 } })).rejects.toThrow('`watch.debounce` is -1')
    await expect(opened({ watch: { debounce: NaN } })).rejects.toThrow('`watch.debounce` is NaN')
    await expect(opened({ watch: { debounce: Infinity } })).rejects.toThrow('`watch.debounce` is Infinity')
  })
})
