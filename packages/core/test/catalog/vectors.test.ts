import { describe, expect, it, vi } from 'vitest'
import { type SkillEmbedder, memorySource, openRepertoire } from '../../src/index.ts'

const skill = (name: string, description: string, body = 'Do it.') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`,
})
type Skills = Readonly<Record<string, ReturnType<typeof skill>>>
const opened = (embedder: SkillEmbedder, skills: Skills) =>
  openRepertoire({ sources: [memorySource({ layer: 'project', skills })], catalog: { embedder } })

const FEW = { mixer: skill('mixer', 'Edits sound.'), cook: skill('cook', 'Makes soup.') }
const meaning = (text: string): number[] => (/sound|podcast/.test(text) ? [1, 0.1, 0] : [0, 0.1, 1])
const similarities = ({ hits }: { readonly hits: readonly { readonly similarity?: number }[] }) =>
  hits.map(({ similarity }) => similarity)

describe('the vectors of an embedder', () => {
  it('[MATCH-3] stay available to a search that waited for them, whatever others drop meanwhile', async () => {
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const embedder: SkillEmbedder = {
      embed: async (texts) => texts.map(meaning),
      async embedQuery(text) {
        if (text === 'podcast') {
          asked.resolve()
          await answered.promise
        }
        return text === 'soup' ? [1, 1] : meaning(text)
      },
    }
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, number) => [`s${number}`, skill(`s${number}`, `Edits sound ${number}.`)]),
    )
    const one = await opened(embedder, many)
    const other = await opened(embedder, FEW)
    const searching = one.catalog.search('podcast')
    await asked.promise
    await other.catalog.search('sound')
    // A vector of another length: all of them are dropped.
    expect((await other.catalog.search('soup')).diagnostics).toHaveLength(1)
    answered.resolve()
    const { hits, diagnostics } = await searching
    expect(diagnostics).toEqual([])
    expect(hits).toHaveLength(10)
    expect(similarities({ hits }).every((similarity) => similarity! > 0.9)).toBe(true)
  })

  it('[MATCH-3] are requested once for all repertoires with the same embedder', async () => {
    let texts = 0
    const embedder: SkillEmbedder = {
      async embed(given) {
        texts += given.length
        return given.map(meaning)
      },
      embedQuery: async (text) => meaning(text),
    }
    const skillsOf = (tenant: number): Skills =>
      Object.fromEntries(
        Array.from({ length: 10 }, (_, each) => {
          const name = `t${tenant}-${each}`
          return [name, skill(name, `Edits sound for ${tenant}.`)]
        }),
      )
    const repertoires = await Promise.all(Array.from({ length: 6 }, (_, tenant) => opened(embedder, skillsOf(tenant))))
    for (let round = 0; round < 5; round++) {
      const found = await Promise.all(repertoires.map(({ catalog }) => catalog.search('podcast')))
      expect(found.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
      expect(found.flatMap(similarities).every((similarity) => similarity! > 0.9)).toBe(true)
    }
    expect(texts).toBe(60)
  })

  it('[MATCH-3] serve a complete search while another search waits for its own', async () => {
    const embedder: SkillEmbedder = {
      embed: (texts) =>
        texts.some((text) => text.includes('video'))
          ? new Promise(() => undefined)
          : Promise.resolve(texts.map(meaning)),
      embedQuery: async (text) => meaning(text),
    }
    const one = await opened(embedder, FEW)
    const other = await opened(embedder, { cutter: skill('cutter', 'Edits video.') })
    await one.catalog.search('sound')
    vi.useFakeTimers()
    try {
      const waiting = other.catalog.search('sound')
      await vi.advanceTimersByTimeAsync(6_000)
      expect((await waiting).diagnostics).toHaveLength(1)
      expect((await other.catalog.search('sound')).diagnostics).toHaveLength(1)
      const found = await one.catalog.search('podcast', { limit: 1 })
      expect([found.diagnostics, similarities(found)]).toEqual([[], [expect.closeTo(1)]])
    } finally {
      await other.close()
      vi.useRealTimers()
    }
  })

  it('[MATCH-3] are computed from a list that the embedder may change', async () => {
    const embedder: SkillEmbedder = {
      async embed(texts) {
        const own = texts as string[]
        for (const index of own.keys()) own[index] = `passage: ${own[index]!}`
        return own.splice(0).map(meaning)
      },
      embedQuery: async (text) => meaning(text),
    }
    const { catalog } = await opened(embedder, FEW)
    expect(similarities(await catalog.search('podcast'))[0]).toBeCloseTo(1)
  })

  it.each<[string, unknown]>([
    ['a list of holes', Array.from({ length: 2 })],
    ['a hole', [[1, 0, 1], undefined]],
    [
      'a vector with a hole',
      [
        [1, 0, 1],
        [1, undefined, 1],
      ],
    ],
    [
      'numbers as text',
      [
        ['1', '2', '3'],
        ['1', '2', '3'],
      ],
    ],
    [
      'a vector of null',
      [
        [null, 1, 1],
        [1, 1, 1],
      ],
    ],
    [
      'infinity',
      [
        [Infinity, 1, 1],
        [1, 1, 1],
      ],
    ],
    ['an endless list', [{ length: Infinity }, [1, 1, 1]]],
    ['a vector that ends nowhere', [{ length: 2.5 }, [1, 1, 1]]],
  ])('[MATCH-3] are ignored where there is %s', async (_, vectors) => {
    const { catalog } = await opened({ embed: async () => vectors as number[][] }, FEW)
    const { diagnostics } = await catalog.search('sound')
    expect(diagnostics[0]?.message).toMatch(/its embedder failed: it gave what is not a vector/)
  })

  it.each([1e308, 1e-200, 1e-310])('[MATCH-3] may have numbers of about %d', async (size) => {
    const embedder: SkillEmbedder = {
      embed: async (texts) => texts.map((text) => meaning(text).map((number) => number * size)),
    }
    const { catalog } = await opened(embedder, FEW)
    const found = await catalog.search('podcast', { limit: 1 })
    expect([found.diagnostics, similarities(found)]).toEqual([[], [expect.closeTo(1)]])
  })

  it.each<[string, () => unknown]>([
    ['no prototype', () => Object.create(null)],
    [
      'a message that throws',
      () =>
        Object.defineProperty(new Error(), 'message', {
          get: () => {
            throw new Error()
          },
        }),
    ],
    [
      'a prototype that throws',
      () =>
        new Proxy(
          {},
          {
            getPrototypeOf: () => {
              throw new Error()
            },
          },
        ),
    ],
    ['a message of a megabyte', () => new Error('x'.repeat(1e6))],
    ['nothing', () => undefined],
  ])('[MATCH-3] fail with a message where the thrown value has %s', async (_, thrown) => {
    const { catalog } = await opened({ embed: async () => Promise.reject(thrown()) }, FEW)
    const { hits, diagnostics } = await catalog.search('sound')
    expect(hits.map(({ name }) => name)).toEqual(['mixer'])
    expect(diagnostics.map(({ code }) => code)).toEqual(['EMBEDDER_FAILED'])
    expect(diagnostics[0]!.message.length).toBeLessThan(1_200)
  })

  it('[MATCH-3] fail with a message where reading them throws', async () => {
    const hostile = new Proxy([[1], [1]], {
      get(target, key) {
        if (key === '0') throw new Proxy({}, { getPrototypeOf: () => hostile })
        return Reflect.get(target, key) as unknown
      },
    })
    let asked = 0
    const { catalog } = await opened({ embed: async () => (asked++, hostile) }, FEW)
    for (let search = 0; search < 2; search++) {
      expect((await catalog.search('sound')).diagnostics.map(({ code }) => code)).toEqual(['EMBEDDER_FAILED'])
    }
    expect(asked).toBe(1)
  })

  it('[MATCH-3] are not requested where there is no skill', async () => {
    const { catalog } = await opened({ embed: () => Promise.reject(new Error('asked')) }, {})
    expect(await catalog.search('sound')).toEqual({ hits: [], diagnostics: [] })
  })

  it('[MATCH-3] cause no query while the skills have none', async () => {
    let queries = 0
    const embedder: SkillEmbedder = {
      embed: () => Promise.reject(new Error('no key')),
      async embedQuery(text) {
        queries++
        return meaning(text)
      },
    }
    const { catalog } = await opened(embedder, FEW)
    for (let search = 0; search < 5; search++) await catalog.search('sound')
    expect(queries).toBe(0)
  })

  it('[MATCH-3] are no longer requested after the repertoire is closed, unless another one waits for them', async () => {
    const signals: AbortSignal[] = []
    const first = Promise.withResolvers<void>()
    const embedder: SkillEmbedder = {
      async embed(texts, signal) {
        signals.push(signal)
        if (signals.length === 1) {
          first.resolve()
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        }
        return texts.map(meaning)
      },
      embedQuery: async (text) => meaning(text),
    }
    const one = await opened(embedder, FEW)
    const other = await opened(embedder, FEW)
    const searching = one.catalog.search('sound')
    await first.promise
    const waiting = other.catalog.search('podcast', { limit: 1 })
    await one.close()
    const { diagnostics } = await searching
    expect(diagnostics[0]!.message).toMatch(/the repertoire was closed meanwhile/)
    expect(signals[0]!.aborted).toBe(true)
    expect(similarities(await waiting)[0]).toBeCloseTo(1)
    expect(similarities(await one.catalog.search('podcast', { limit: 1 }))[0]).toBeCloseTo(1)
    expect(signals).toHaveLength(2)
  })

  it('[MATCH-3] keep no program alive that has ended', async () => {
    const unref = vi.fn()
    const real = globalThis.setTimeout
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation((work: () => void, ms?: number) => {
      const timer = real(work, ms)
      if (ms === 60_000) timer.unref = () => (unref(), timer)
      return timer
    })
    try {
      const { catalog } = await opened({ embed: async (texts) => texts.map(meaning) }, FEW)
      await catalog.search('sound')
      expect(unref).toHaveBeenCalledTimes(2)
    } finally {
      timers.mockRestore()
    }
  })
})

describe('an embedder that is given bodies', () => {
  const SKILLS = {
    mixer: skill('mixer', 'Edits things.', `Cuts a podcast.${'x'.repeat(2_000)}`),
    cook: skill('cook', 'Makes soup.'),
    empty: skill('empty', 'Is short.', '  '),
  }
  const embed: SkillEmbedder['embed'] = async (texts) => texts.map(meaning)

  it('[MATCH-5] finds skills by their bodies, and receives as much of them as it requests', async () => {
    const asked: string[] = []
    const embedder: SkillEmbedder = {
      bodyChars: 15,
      embed: (texts, signal) => (asked.push(...texts), embed(texts, signal)),
    }
    const repertoire = await opened(embedder, SKILLS)
    const { hits } = await repertoire.catalog.search('sound', { limit: 1 })
    expect(hits).toEqual([expect.objectContaining({ name: 'mixer', why: [] })])
    const without = (await (await opened({ embed }, SKILLS)).catalog.search('sound')).hits
    expect(without[0]?.name).toBe('cook')
    expect(asked.filter((text) => !text.includes('\n'))).toEqual(['Do it.', 'Cuts a podcast.', 'sound'])
    await repertoire.reload({ force: true })
    await repertoire.catalog.search('sound')
    expect(asked.filter((text) => text === 'Cuts a podcast.')).toHaveLength(1)
  })

  it.each([-1, 0.5, 2_001, Number.NaN, '10', null])(
    '[MATCH-5] is refused if it requests %j characters',
    async (given) => {
      await expect(opened({ embed, bodyChars: given as number }, SKILLS)).rejects.toThrow(
        /`catalog.embedder.bodyChars` .*a whole number of UTF-16 code units from 0 to 2000/,
      )
    },
  )
})
