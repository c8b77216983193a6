import { describe, expect, it } from 'vitest'
import { judge, type Measured, PARTS, type Part, ROWS } from '../src/rows.ts'

const judged = (part: Part, name: string, measured: Measured) => judge(part, measured).find((row) => row.name === name)!

describe('the rows', () => {
  it('[NFR-1, NFR-5, NFR-7, NFR-8] hold every aim that the requirements state, as a figure or as a ratio', () => {
    expect(Object.fromEntries(ROWS.map(({ part, name, aim }) => [`${part}: ${name}`, aim]))).toMatchObject({
      'scan: first scan, over the floor': 7,
      'scan: first scan, over the peer': 0.4,
      'scan: repeated scan, over the floor': 2.5,
      'scan: heap for each skill': 2_048,
      'scan: first scan of 100,000, over the floor': 4.5,
      'start: over the peer': 0.55,
      'imports: core and core/node, over bare Node': 40,
      'use: a judged call with a path': 0.025,
      'use: a judged call of a shell': 0.05,
      'use: what an audit without inputs adds to a call': 0.03,
      'search: a query': 2,
      'search: the index, for each skill': 2_048,
      'tokens: an activation and its tools, over the body': 180,
      'inspector: first screen of 100,000 events': 1_000,
    })
    expect(ROWS.filter(({ part }) => part === 'steps').map(({ aim }) => aim)).toEqual(Array(6).fill(0.35))
    expect(new Set(ROWS.map(({ part }) => part))).toEqual(new Set(Object.keys(PARTS)))
  })

  it('[NFR-1] name figures that the jobs of their part have', async () => {
    for (const part of Object.keys(PARTS) as Part[]) {
      const { jobs } = (await import(`../src/parts/${part}.ts`)) as { readonly jobs: object }
      const named = ROWS.filter((row) => row.part === part).flatMap(({ of }) => of.split(/ [/-] /))
      const unknown = named.filter((name) => !['peer', ...Object.keys(jobs)].includes(name.split('.')[0]!))
      expect([part, unknown]).toEqual([part, []])
    }
  })
})

describe('judge', () => {
  it('[NFR-1] takes a ratio or a difference in each round, and the median of these', () => {
    const repertoire = [{ first: 30 }, { first: 90 }, { first: 80 }]
    const floor = [{ first: 10 }, { first: 10 }, { first: 20 }]
    const row = judged('scan', 'first scan, over the floor', { repertoire, floor })
    expect(row).toMatchObject({ measured: { own: 80, base: 10, value: 4 }, isMet: true })
    const imports = { core: [{ taken: 90 }, { taken: 81 }], node: [{ taken: 40 }, { taken: 40 }] }
    const difference = judged('imports', 'core and core/node, over bare Node', imports)
    expect(difference).toMatchObject({ measured: { value: 45.5 }, isMet: false })
  })

  it('[NFR-1] compares with the fastest peer that reads 99 % of the descriptions correctly', () => {
    const peers = {
      greps: [{ first: 20, right: 0.5, peer: 1 }],
      slow: [{ first: 200, right: 1, peer: 1 }],
      fast: [{ first: 100, right: 0.99, peer: 1 }],
      floor: [{ first: 1 }],
    }
    const withOwn = (first: number) =>
      judged('scan', 'first scan, over the peer', { ...peers, repertoire: [{ first, right: 1 }] })
    expect(withOwn(40)).toMatchObject({ peer: 'fast', isMet: true })
    expect(withOwn(41)).toMatchObject({ peer: 'fast', measured: { value: 0.41 }, isMet: false })
  })

  it('[NFR-1] never calls an aim met that was not measured', () => {
    const own = [{ first: 1, right: 1 }]
    const incomplete: readonly Measured[] = [
      {},
      { repertoire: 'failed' },
      { repertoire: own },
      { repertoire: own, floor: [{}] },
    ]
    for (const measured of incomplete) {
      const row = judged('scan', 'first scan, over the floor', measured)
      expect([row.measured, row.isMet]).toEqual([undefined, false])
    }
  })
})
