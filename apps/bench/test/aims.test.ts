import { describe, expect, it } from 'vitest'
import { checkAims } from '../src/aims.ts'
import type { Discovery, DiscoveryRow } from '../src/measures/discovery.ts'
import type { Repeated, Use } from '../src/measures/use.ts'
import { showAims } from '../src/report/report.ts'
import { summarise } from '../src/statistics.ts'
import { createOutput } from 'repertoire/terminal'
import { PassThrough } from 'node:stream'

const { paint } = createOutput(new PassThrough(), { NO_COLOR: '1' })

describe('checkAims', () => {
  it('[NFR-1] holds ours against the floor, and the fastest peer that reads rightly against ours', () => {
    const aims = judge(
      tree(1_000, [
        row('floor', 10, 5),
        row('own', 25, 10, { right: 990, heap: 900 }),
        row('peer', 20, 9, { right: 500, title: 'greps' }),
        row('peer', 200, 80, { right: 989, title: 'slow and right' }),
        row('peer', 150, 60, { right: 970, title: 'a little wrong' }),
      ]),
    )
    expect(aims).toEqual({
      'first scan of 1,000': ['25.0 ms', true],
      'first scan of 1,000, over the floor': ['2.50×', true],
      'repeated scan of 1,000, over the floor': ['2.00×', true],
      'fastest correct peer over ours, first scan (slow and right)': ['8.00×', true],
      'fastest incorrect one over ours, first scan (greps)': ['0.80×', false],
      'fastest correct peer over ours, repeated scan (slow and right)': ['8.00×', true],
      'fastest incorrect one over ours, repeated scan (greps)': ['0.90×', false],
      'heap kept per skill, of 1,000': ['900 bytes', true],
      'heap kept by the result of 1,000': ['0.9 MB', true],
    })
  })

  it('[NFR-1] tells growth by the worse of the two, and beside the growth of the floor', () => {
    const aims = judge(
      tree(1_000, [row('floor', 10, 5), row('own', 20, 10)]),
      tree(10_000, [row('floor', 200, 50), row('own', 400, 150)]),
    )
    expect(aims["growth from 1,000 to 10,000, beside the floor's own"]).toEqual(['1.50×', false])
  })

  it('[NFR-1] holds a judged call against one that nobody judges', () => {
    const repeated = (steady?: number): Repeated => ({
      title: '',
      ...(steady === undefined ? { absent: 'failed' } : { steady: summarise([steady]) }),
    })
    const judged = (calls: Use['calls']): readonly (boolean | undefined)[] => {
      const none = repeated()
      const others = { activation: none, readHashed: none, readSync: none, readAsync: none, reload: none, floor: none }
      const aims = checkAims({ discoveries: [], use: { skills: 1, sampled: 1, ...others, calls, steps: [] } })
      return aims.filter(({ title }) => title.startsWith('a judged')).map(({ met }) => met)
    }
    const calls = { ungated: repeated(1), path: repeated(6), shell: repeated(16) }
    expect(judged(calls)).toEqual([true, true])
    expect(judged({ ...calls, ungated: repeated(0.9) })).toEqual([false, false])
    expect(judged({ ...calls, path: repeated(1), shell: repeated() })).toEqual([true, undefined])
  })

  it('[NFR-1] never takes what could not be measured for met, and shows it', () => {
    const aims = checkAims({
      discoveries: [
        tree(1_000, [row('floor', 10, 5), { id: 'repertoire', title: 'ours', role: 'own', absent: 'failed' }]),
      ],
      imports: { bare: summarise([30]), entries: [{ name: '@repertoire/core', absent: 'failed' }] },
    })
    expect(aims.map(({ met }) => met)).toEqual(aims.map(() => undefined))
    expect(aims.length).toBeGreaterThan(3)
    const shown = showAims(aims, paint)
    expect(shown).toContain(`${aims.length} of ${aims.length} aims are not met.`)
    expect(shown.match(/not measured/g)).toHaveLength(aims.length)
  })
})

function judge(...discoveries: Discovery[]): Record<string, readonly [string, boolean | undefined]> {
  return Object.fromEntries(checkAims({ discoveries }).map(({ title, measured, met }) => [title, [measured, met]]))
}

function tree(skills: number, rows: readonly DiscoveryRow[]): Discovery {
  const floor = rows[0]
  const over = (value = Number.NaN, base = Number.NaN): number => value / base
  return {
    title: 'generated',
    generated: true,
    skills,
    readable: skills * 0.99,
    rows: rows.map((each) => ({
      ...each,
      ...(each.first !== undefined && {
        firstOverFloor: over(each.first.median, floor?.first?.median),
        repeatedOverFloor: over(each.repeated?.median, floor?.repeated?.median),
      }),
    })),
  }
}

function row(
  role: DiscoveryRow['role'],
  first: number,
  repeated: number,
  { right = 0, heap, title = role }: { right?: number; heap?: number; title?: string } = {},
): DiscoveryRow {
  return {
    id: 'repertoire',
    title,
    role,
    first: summarise([first]),
    repeated: summarise([repeated]),
    correctness: { found: right, right, wrong: 0, missed: 0, beyond: 0 },
    ...(heap !== undefined && { heapPerSkill: heap }),
  }
}
