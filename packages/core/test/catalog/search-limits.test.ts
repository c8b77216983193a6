import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { type SkillSource, memorySource, openRepertoire } from '../../src/index.ts'
import { mapped } from '../mapped-source.ts'

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
    scan: () =>
      mapped(source, (found) => {
        const hangs = hanging.includes(found.folderName)
        return hangs ? { ...found, folder: { ...found.folder, readManifest: () => never } } : found
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
