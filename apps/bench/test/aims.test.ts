import { PassThrough } from 'node:stream'
import { createOutput } from 'repertoire/terminal'
import { describe, expect, it } from 'vitest'
import { checkAims, type Measured } from '../src/aims.ts'
import { COMPARED_PARTS, type ComparedPart, type ComparedRow, comparisonsOf } from '../src/comparisons.ts'
import type { DiscoveryRow, FirstPrompt, PromptRow } from '../src/measures/discovery.ts'
import { showAims } from '../src/report.ts'
import { summarise } from '../src/statistics.ts'

const { paint } = createOutput(new PassThrough(), { NO_COLOR: '1' })

describe('checkAims', () => {
  it('[NFR-1] judges ours against the floor, and against the fastest peer that reads correctly', () => {
    const aims = judge({
      skills: 1_000,
      rows: [
        row('floor', 10, 5),
        { ...row('own', 25, 10, { right: 990, heap: 900 }), reload: summarise([16]) },
        row('peer', 20, 9, { right: 500, title: 'greps' }),
        row('peer', 200, 80, { right: 989, title: 'slow and right' }),
        row('peer', 150, 60, { right: 970, title: 'a little wrong' }),
      ],
    })
    expect(aims).toEqual({
      'first scan of 1,000': ['25.0 ms', true],
      'repeated scan of 1,000, over the floor': ['2.00×', true],
      'reload of 1,000, over the floor': ['3.20×', false],
      "fastest correct peer's scan over our first scan (slow and right)": ['8.00×', true],
      "fastest correct peer's scan over our repeated scan (slow and right)": ['8.00×', true],
      "fastest correct peer's scan over our reload (slow and right)": ['5.00×', true],
      'heap kept per skill, of 1,000': ['900 bytes', true],
    })
  })

  it('[NFR-1] judges growth by the worse of the two, compared with the growth of the floor', () => {
    const aims = judge(
      { skills: 1_000, rows: [row('floor', 10, 5), row('own', 20, 10)] },
      { skills: 100_000, rows: [row('floor', 200, 50), row('own', 400, 150)] },
    )
    expect(aims["growth from 1,000 to 100,000, over the floor's own"]).toEqual(['1.50×', false])
  })

  it('[NFR-5] judges our first prompt in each round against the fastest peer that reads correctly', () => {
    const judged = (own: readonly number[], ...peers: readonly PromptRow[]) => {
      const prompt: FirstPrompt = { skills: 1_000, rows: [promptRow('own', own, 1_000), ...peers] }
      return checkAims({ discoveries: [], comparisons: [], prompt }).map(({ measured, met }) => [measured, met])
    }
    const peers = [
      promptRow('peer', [100], 500, 'greps'),
      promptRow('peer', [300], 995, 'slow and right'),
      promptRow('peer', [200], 1_000, 'right'),
    ]
    expect(judged([140], ...peers)).toEqual([['0.70×', true]])
    expect(judged([141], ...peers)).toEqual([['0.70×', false]])
    expect(judged([40, 80, 90], promptRow('peer', [100, 200, 100], 1_000))).toEqual([['0.40×', true]])
    expect(judged([40, 80, 90], promptRow('peer', [100, 100, 100], 1_000))).toEqual([['0.80×', false]])
    expect(judged([1])).toEqual([['n/a', undefined]])
  })

  it('[NFR-7] judges the tokens that ten skills add against the peer with the fewest', () => {
    const judged = (own: number, ...peers: readonly (number | undefined)[]) => {
      const systems = [
        { id: 'repertoire' as const, title: 'ours', role: 'own' as const, ten: own, forty: 1 },
        ...peers.map((ten, index) => ({ id: 'openai' as const, title: `${index}`, role: 'peer' as const, ten })),
      ]
      return checkAims({ discoveries: [], comparisons: [], systems }).map((aim) => [aim.title, aim.measured, aim.met])
    }
    const title = '10 skills, over the peer with the fewest tokens'
    expect(judged(500, undefined, 1_000, 600)).toEqual([[`${title} (2)`, '0.83×', true]])
    expect(judged(601, 600)).toEqual([[`${title} (0)`, '1.00×', false]])
    expect(judged(600, undefined)).toEqual([[title, 'n/a', undefined]])
  })

  it('[NFR-1] judges every comparison by its limits, and a figure that is missing as not measured', () => {
    const described = comparisonsOf(Object.keys(COMPARED_PARTS) as ComparedPart[], {
      folder: '',
      tree: () => '',
      used: 1_000,
      searched: 2_760,
      agents: [100, 10_000],
    })
    expect(new Set(described.map(({ part }) => part))).toEqual(new Set(Object.keys(COMPARED_PARTS)))
    expect(described.filter(({ limits }) => Object.keys(limits).length === 0)).toEqual([])
    const judged = (factor: number): readonly (boolean | undefined)[] => {
      const comparisons = described.map(({ limits, ...each }) => {
        const figure = (kind: keyof typeof limits) => summarise([(limits[kind] ?? 0) * factor])
        return { ...each, limits, own: figure('own'), more: figure('more'), over: figure('over') }
      })
      return checkAims({ discoveries: [], comparisons }).map(({ met }) => met)
    }
    expect(judged(1)).toEqual(judged(1).map(() => true))
    expect(judged(1.001)).toEqual(judged(1).map(() => false))
    const aims = checkAims({ discoveries: [], comparisons: described })
    expect(aims.map(({ met }) => met)).toEqual(aims.map(() => undefined))
    expect(aims.map(({ title, limit }) => `${title} ${limit}`)).toEqual(
      expect.arrayContaining([
        'activation of a skill of 13 files ≤ 5.00 ms',
        'activation of a skill of 13 files, over listing, reading and hashing its folder ≤ 6.00×',
        'a judged call of a tool with a path ≤ 25.0 µs',
        'a judged call of a shell ≤ 50.0 µs',
        'the first step of a process, style xml, longer than a later one ≤ 15.0 ms',
        'index of a search, per skill, among 2,760 skills ≤ 2,048 bytes',
        'a search for a phrase, among 2,760 skills ≤ 2.00 ms',
        'a step with 10,000 skills, LangChain, longer than one without ≤ 350 µs',
        'a run by virtualRunner, longer than just-bash ≤ 300 ms',
        'a run by openBubblewrapRunner, over bwrap ≤ 4.00×',
        'a save to Redis, over the bare client ≤ 1.50×',
        'import of @repertoire/core, longer than bare Node ≤ 40.0 ms',
        'import of @repertoire/core and @repertoire/langchain, over import of langchain ≤ 1.20×',
      ]),
    )
  })

  it('[NFR-1] shows what could not be measured, and never counts it as met', () => {
    const absent = { part: 'imports', title: 'import', base: 'Node', unit: 'ms', limits: { more: 1 }, absent: 'failed' }
    const failed: DiscoveryRow = { id: 'repertoire', title: 'ours', role: 'own', absent: 'failed' }
    const aims = checkAims({
      discoveries: [{ skills: 1_000, rows: [row('floor', 10, 5), failed] }],
      comparisons: [absent as ComparedRow],
    })
    expect(aims.map(({ met }) => met)).toEqual(aims.map(() => undefined))
    expect(aims.length).toBeGreaterThan(3)
    const shown = showAims(aims, paint)
    expect(shown).toContain(`${aims.length} of ${aims.length} aims are not met.`)
    expect(shown.match(/not measured/g)).toHaveLength(aims.length)
  })
})

function promptRow(role: PromptRow['role'], rounds: readonly number[], right: number, title: string = role): PromptRow {
  return { id: 'repertoire', title, role, taken: summarise(rounds), correctness: found(right) }
}

function judge(...discoveries: Measured['discoveries']): Record<string, readonly [string, boolean | undefined]> {
  const aims = checkAims({ discoveries, comparisons: [] })
  return Object.fromEntries(aims.map(({ title, measured, met }) => [title, [measured, met]]))
}

function row(
  role: DiscoveryRow['role'],
  first: number,
  repeated: number,
  { right = 0, heap, title = role }: { right?: number; heap?: number; title?: string } = {},
): DiscoveryRow {
  const figures = { first: summarise([first]), repeated: summarise([repeated]), heapPerSkill: heap }
  return { id: 'repertoire', title, role, ...figures, correctness: found(right) }
}

function found(right: number) {
  return { found: right, right, readable: 990 }
}
