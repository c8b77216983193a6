import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { type SkillEmbedder, type SkillSource, memorySource, openRepertoire } from '../../src/index.ts'

const never = new Promise<never>(() => undefined)

const manifest = (name: string, description: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n${fields}---\nDo it.\n`

/** A source of which some folders never answer. */
function sourceOf(skills: Readonly<Record<string, string>>, hanging: readonly string[] = []): SkillSource {
  const source = memorySource({
    layer: 'project',
    skills: Object.fromEntries(Object.entries(skills).map(([name, text]) => [name, { 'SKILL.md': text }])),
  })
  return {
    ...source,
    scan: (visitor) =>
      source.scan({
        ...visitor,
        skill(found) {
          const hangs = hanging.includes(found.folderName)
          visitor.skill(hangs ? { ...found, folder: { ...found.folder, readManifest: () => never } } : found)
        },
      }),
  }
}

/** What comes of a search while its time passes as fast as it can, and how much of it has passed. */
async function hurried<T>(search: () => Promise<T>): Promise<T & { readonly waited: number }> {
  // What a search imports first takes real time: with false timers, seconds would pass meanwhile.
  const { catalog } = await openRepertoire({ sources: [sourceOf({ mixer: manifest('mixer', 'Edits audio.') })] })
  await catalog.search('audio')
  vi.useFakeTimers()
  const began = performance.now()
  const progress = { isDone: false }
  const settled = search().finally(() => (progress.isDone = true))
  settled.catch(() => undefined)
  for (let turn = 0; !progress.isDone && turn < 500; turn++) await vi.advanceTimersByTimeAsync(100)
  return { ...(await settled), waited: performance.now() - began }
}

afterEach(() => void vi.useRealTimers())

describe('a search', () => {
  it('[MATCH-3, CAT-10] waits two seconds for a file and ten for all, and uses the rest', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, number) => [`s${number}`, manifest(`s${number}`, 'Edits video.')]),
    )
    const skills = { ...many, mixer: manifest('mixer', 'Edits audio.') }
    const { catalog } = await openRepertoire({ sources: [sourceOf(skills, Object.keys(many))] })
    const { hits, diagnostics, waited } = await hurried(() => catalog.search('audio'))
    expect(waited).toBeLessThan(15_000)
    expect(hits.map(({ name }) => name)).toEqual(['mixer'])
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['BODY_NOT_SEARCHED']))
    expect(diagnostics.map(({ message }) => message.split(': ')[1])).toEqual(
      expect.arrayContaining(['it was not read within 2000 ms', 'files before it took too long']),
    )
  })

  it('[MATCH-3, CAT-10] waits five seconds for an embedder, and asks it to stop', async () => {
    const signals: AbortSignal[] = []
    const embedder: SkillEmbedder = { embed: (_texts, signal) => (signals.push(signal), never) }
    const sources = [sourceOf({ mixer: manifest('mixer', 'Edits audio.') })]
    const { catalog } = await openRepertoire({ sources, catalog: { embedder } })
    const { hits, diagnostics, waited } = await hurried(() => catalog.search('audio'))
    expect(waited).toBeLessThan(6_000)
    expect(hits.map(({ name }) => name)).toEqual(['mixer'])
    expect(diagnostics[0]!.message).toContain('it did not answer within 5000 ms')
    // The vectors of the skills are waited for a while longer: they are there for the next search.
    const next = await catalog.search('audio files')
    expect(next.diagnostics[0]!.message).toContain('it did not answer within 5000 ms')
    // Only the first search has waited, and asked.
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('[MATCH-3, CAT-10] asks an embedder that never answers a query to stop after five seconds', async () => {
    const signals: AbortSignal[] = []
    const embedder: SkillEmbedder = {
      embed: async (texts) => texts.map(() => [1, 1]),
      embedQuery: (_text, signal) => (signals.push(signal), never),
    }
    const { catalog } = await openRepertoire({
      sources: [sourceOf({ mixer: manifest('mixer', 'Edits audio.') })],
      catalog: { embedder },
    })
    const { hits, diagnostics } = await hurried(() => catalog.search('audio'))
    expect(hits.map(({ name }) => name)).toEqual(['mixer'])
    expect(diagnostics[0]!.message).toContain('it did not answer within 5000 ms')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('[MATCH-3] has a vector of every skill in the end, even if a model takes half a second for each text', async () => {
    let queue = Promise.resolve()
    const failures: string[] = []
    const embedder: SkillEmbedder = {
      embed(texts) {
        queue = queue.then(() => new Promise((resolve) => setTimeout(resolve, 500 * texts.length)))
        return queue.then(() => texts.map((text) => [text.includes('sound') ? 1 : 0, 1]))
      },
    }
    const skills = Object.fromEntries(
      Array.from({ length: 250 }, (_, number) => [`s${number}`, manifest(`s${number}`, `Edits video ${number}.`)]),
    )
    const sources = [sourceOf({ ...skills, mixer: manifest('mixer', 'Edits sound.') })]
    const { catalog } = await openRepertoire({ sources, catalog: { embedder } })
    let found: Awaited<ReturnType<typeof catalog.search>> = await hurried(() => catalog.search('sound files'))
    for (let search = 0; search < 100 && found.diagnostics.length > 0; search++) {
      failures.push(...found.diagnostics.map(({ message }) => message))
      const searching = catalog.search('sound files')
      await vi.advanceTimersByTimeAsync(5_000)
      found = await searching
    }
    expect(found.diagnostics).toEqual([])
    expect(found.hits.every(({ similarity }) => similarity !== undefined && similarity > 0)).toBe(true)
    expect(new Set(failures)).toEqual(
      new Set(['The search went by words alone, since its embedder failed: it did not answer within 5000 ms']),
    )
  })

  it.each([
    ['four requests at once', 1_000, 4],
    ['one request at a time', 6_000, 1],
  ])('[MATCH-3] asks for a hundred vectors in %s where an answer takes %d ms', async (_, ms, most) => {
    const sizes: number[] = []
    let running = 0
    let atOnce = 0
    const embedder: SkillEmbedder = {
      async embed(texts) {
        if (texts.length > 1) sizes.push(texts.length)
        if (texts.length > 1) atOnce = Math.max(atOnce, ++running)
        await new Promise((resolve) => setTimeout(resolve, ms))
        if (texts.length > 1) running--
        return texts.map(() => [1, 1])
      },
    }
    const skills = Object.fromEntries(
      Array.from({ length: 700 }, (_each, number) => [`s${number}`, manifest(`s${number}`, `Edits video ${number}.`)]),
    )
    const { catalog } = await openRepertoire({ sources: [sourceOf(skills)], catalog: { embedder } })
    await hurried(() => catalog.search('video'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sizes).toEqual(Array.from({ length: 7 }, () => 100))
    expect(atOnce).toBe(most)
  })

  it('[MATCH-3] requests all vectors again one minute after an embedder returned vectors of another length', async () => {
    let length = 3
    const embedder: SkillEmbedder = {
      embed: (texts) => Promise.resolve(texts.map(() => Array.from({ length }, () => 1))),
    }
    const { catalog } = await openRepertoire({
      sources: [sourceOf({ mixer: manifest('mixer', 'Edits audio.') })],
      catalog: { embedder },
    })
    const { waited } = await hurried(() => catalog.search('audio'))
    expect(waited).toBeLessThan(1_000)
    const codes = async (query: string): Promise<readonly string[]> =>
      (await catalog.search(query)).diagnostics.map(({ code }) => code)
    length = 4
    expect(await codes('audio')).toEqual(['EMBEDDER_FAILED'])
    expect(await codes('audio')).toEqual(['EMBEDDER_FAILED'])
    await vi.advanceTimersByTimeAsync(60_001)
    expect(await codes('audio')).toEqual([])
  })

  it('[MATCH-6] shows each viewer only visible skills, best first, for any query', async () => {
    const words = ['audio', 'video', 'pdf', 'merge', 'split', 'stream']
    const agents = ['a', 'b', undefined] as const
    const skills = Object.fromEntries(
      Array.from({ length: 40 }, (_, number) => {
        const name = `${words[number % 6]}-${number}`
        const scope = number % 3 === 2 ? '' : `scope:\n  agents: [${agents[number % 3]}]\n`
        const fields = `${scope}${number % 5 === 0 ? 'disable-model-invocation: true\n' : ''}`
        return [name, manifest(name, `Does ${words[(number * 7) % 6]} and ${words[(number * 5 + 1) % 6]}.`, fields)]
      }),
    )
    const repertoire = await openRepertoire({ sources: [sourceOf(skills)] })
    const viewer = fc.record({
      agent: fc.constantFrom('a', 'b', 'c'),
      person: fc.boolean(),
      skills: fc.option(fc.subarray(Object.keys(skills)), { nil: undefined }),
    })
    const query = fc.array(fc.constantFrom(...words, 'pdf-2', 'the', 'zebra'), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(viewer, query, fc.integer({ min: 1, max: 50 }), async (view, phrases, limit) => {
        const { hits } = await repertoire.catalog.search(phrases, { viewer: view, limit })
        const visible = new Set(
          repertoire
            .tiers({ viewer: view })
            .metadata()
            .map(({ name }) => name),
        )
        const all = (await repertoire.catalog.search(phrases, { viewer: view, limit: 100 })).hits
        expect(hits.filter(({ name }) => !visible.has(name))).toEqual([])
        expect(hits).toEqual(all.slice(0, limit))
        expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).toSorted((a, b) => b - a))
        expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
      }),
      { numRuns: runs(100) },
    )
  })
})
