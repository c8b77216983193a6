import { describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import {
  type Repertoire,
  type RepertoireOptions,
  type SkillSource,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'
import { mapped } from '../mapped-source.ts'

const manifest = (name: string, body = 'Body.\n', fields = ''): string =>
  `---\nname: ${name}\ndescription: One.\n${fields}---\n${body}`

/** A repertoire whose manifests and clock can be changed, and a counter of reads. */
const openCounted = async (
  options: Partial<RepertoireOptions> = {},
  more: readonly string[] = [],
): Promise<{ repertoire: Repertoire; files: Map<string, string>; reads: () => number; pass: (ms: number) => void }> => {
  const files = new Map([
    ['a', manifest('a')],
    ['b', manifest('b')],
    ['scoped', manifest('scoped', 'Body.\n', 'scope:\n  agents: [coder]\n')],
    ...more.map((name) => [name, manifest(name)] as const),
  ])
  let reads = 0
  let time = 0
  const skills = memorySource({
    layer: 'project',
    skills: Object.fromEntries([...files].map(([name, text]) => [name, { 'SKILL.md': text }])),
  })
  const source: SkillSource = {
    ...skills,
    scan: () =>
      mapped(skills, (found) => ({
        ...found,
        head: new TextEncoder().encode(files.get(found.folderName)),
        folder: {
          ...found.folder,
          readManifest() {
            reads++
            return Promise.resolve(new TextEncoder().encode(files.get(found.folderName)))
          },
        },
      })),
  }
  const repertoire = await openRepertoire({
    sources: [source],
    ...options,
    catalog: { now: () => time, ...options.catalog },
  })
  return { repertoire, files, reads: () => reads, pass: (ms) => void (time += ms) }
}

describe('repertoire.load', () => {
  it('[CAT-1, CAT-3] reads a document on request, and caches it for 300 seconds', async () => {
    const { repertoire, files, reads, pass } = await openCounted()
    expect(reads()).toBe(0)
    const first = await repertoire.load('a')
    expect(first).toMatchObject({ body: 'Body.\n', manifest: { name: 'a' }, skill: { location: 'memory:memory/a' } })
    files.set('a', manifest('a', 'Another.\n'))
    pass(299_999)
    expect(await repertoire.load('a')).toBe(first)
    expect(reads()).toBe(1)
    pass(1)
    expect((await repertoire.load('a')).body).toBe('Another.\n')
    expect(reads()).toBe(2)
  })

  it('[CAT-3] takes the cache time as an option, and caches nothing for 0', async () => {
    const short = await openCounted({ catalog: { cacheTtl: 10 } })
    await short.repertoire.load('a')
    short.pass(9)
    await short.repertoire.load('a')
    expect(short.reads()).toBe(1)
    short.pass(1)
    await short.repertoire.load('a')
    expect(short.reads()).toBe(2)
    const none = await openCounted({ catalog: { cacheTtl: 0 } })
    await none.repertoire.load('a')
    await none.repertoire.load('a')
    expect(none.reads()).toBe(2)
    await expect(openCounted({ catalog: { cacheTtl: NaN } })).rejects.toThrow('`catalog.cacheTtl` is NaN')
  })

  it('[CAT-3] reads once for concurrent calls', async () => {
    const { repertoire, reads } = await openCounted()
    const [first, second] = await Promise.all([repertoire.load('a'), repertoire.load('a'), repertoire.load('a')])
    expect(first).toBe(second)
    expect(reads()).toBe(1)
  })

  it('[CAT-3] drops one document by its name, all of them, or all by a reload', async () => {
    const { repertoire, reads } = await openCounted()
    const both = async (): Promise<number> => {
      await repertoire.load('a')
      await repertoire.load('b')
      return reads()
    }
    expect(await both()).toBe(2)
    repertoire.invalidate('a')
    expect(await both()).toBe(3)
    repertoire.invalidate()
    expect(await both()).toBe(5)
    await repertoire.reload({ force: true })
    expect(await both()).toBe(7)
  })

  it('[CAT-3, ABUSE-106] caches no document of a skill that a reload found broken', async () => {
    const { repertoire, files } = await openCounted()
    await repertoire.load('a')
    files.set('a', 'broken')
    expect((await repertoire.reload({ force: true })).kept).toEqual(['a'])
    await expect(repertoire.load('a')).rejects.toMatchObject({ code: 'SKILL_BROKEN' })
  })

  it('[CAT-3] says what is broken, and tries again at the next request', async () => {
    const { repertoire, files } = await openCounted()
    files.set('a', '---\nname: a\n')
    await expect(repertoire.load('a')).rejects.toMatchObject({ code: 'SKILL_BROKEN', path: 'memory:memory/a/SKILL.md' })
    files.set('a', manifest('b'))
    await expect(repertoire.load('a')).rejects.toMatchObject({ code: 'SKILL_BROKEN' })
    files.set('a', manifest('a'))
    expect((await repertoire.load('a')).body).toBe('Body.\n')
  })

  it('[CAT-2, CAT-5] shows a viewer only visible skills, and suggests similar names', async () => {
    const { repertoire } = await openCounted()
    await expect(repertoire.load('scoped')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND', nearest: [] })
    expect((await repertoire.load('scoped', { viewer: { agent: 'coder' } })).manifest.name).toBe('scoped')
    await expect(repertoire.load('scope', { viewer: { agent: 'coder' } })).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
      nearest: ['scoped'],
    })
    await expect(repertoire.load('constructor')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
  })

  it('[CAT-3, ASK-2] is not used by an activation, which reads again', async () => {
    const { repertoire, files } = await openCounted()
    await repertoire.load('a')
    files.set('a', manifest('a', 'Another.\n'))
    const session = openAdapterSession(repertoire, { consent: () => true })
    await session.step({ tools: [] })
    const outcome = await session.call({ id: '1', tool: 'activate_skill', input: { name: 'a' } }, () => 'ran')
    expect(outcome).toMatchObject({ ok: true, value: { instructions: 'Another.\n' } })
  })

  it('[CAT-3, NFR-1] caches 256 documents, and drops the least recently used', async () => {
    const names = Array.from({ length: 255 }, (_, index) => `n${index}`)
    const { repertoire, reads } = await openCounted({}, names)
    for (const name of ['a', ...names, 'a']) await repertoire.load(name)
    expect(reads()).toBe(256)
    await repertoire.load('b')
    for (const name of ['a', 'b', 'n1', 'n254']) await repertoire.load(name)
    expect(reads()).toBe(257)
    await repertoire.load('n0')
    expect(reads()).toBe(258)
  })
})
