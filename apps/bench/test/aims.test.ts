import { describe, expect, it } from 'vitest'
import { checkAims } from '../src/aims.ts'
import type { Discovery, DiscoveryRow } from '../src/measures/discovery.ts'
import type { StepRow } from '../src/measures/agents.ts'
import type { FirstPrompt, PromptRow } from '../src/measures/first-prompt.ts'
import type { LibraryRow } from '../src/measures/library.ts'
import type { RunnerRow } from '../src/measures/runners.ts'
import type { StoreRow } from '../src/measures/stores.ts'
import type { Repeated, Use } from '../src/measures/use.ts'
import type { Sample } from '../src/soak/sample.ts'
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
      'repeated scan of 1,000, over the floor': ['2.00×', true],
      'fastest correct peer over ours, first scan (slow and right)': ['8.00×', true],
      'fastest correct peer over ours, repeated scan (slow and right)': ['8.00×', true],
      'heap kept per skill, of 1,000': ['900 bytes', true],
      'heap kept by the result of 1,000': ['0.9 MB', true],
    })
  })

  it('[NFR-1] holds the fastest peer that only greps against ours where there are many skills', () => {
    const rows = [row('floor', 100, 50), row('own', 250, 100), row('peer', 200, 90, { right: 5_000, title: 'greps' })]
    const aims = judge(tree(10_000, rows))
    expect(aims['fastest incorrect one over ours, first scan of 10,000 (greps)']).toEqual(['0.80×', false])
  })

  it('[NFR-1] tells growth by the worse of the two, and beside the growth of the floor', () => {
    const aims = judge(
      tree(1_000, [row('floor', 10, 5), row('own', 20, 10)]),
      tree(10_000, [row('floor', 200, 50), row('own', 400, 150)]),
    )
    expect(aims["growth from 1,000 to 10,000, beside the floor's own"]).toEqual(['1.50×', false])
  })

  it('[NFR-1] holds judged calls, activations and first steps against what they may take', () => {
    const repeated = (steady?: number, first = steady): Repeated => ({
      title: '',
      ...(steady === undefined || first === undefined
        ? { absent: 'failed' }
        : { first: summarise([first]), steady: summarise([steady]) }),
    })
    const judged = (changes: Partial<Use>): readonly (boolean | undefined)[] => {
      const none = repeated()
      const use = { activation: none, readHashed: none, readSync: none, readAsync: none, reload: none, floor: none }
      const calls = { ungated: none, path: repeated(0.01), shell: repeated(0.025) }
      const steps = [{ ...repeated(0.01, 15), style: 'xml' as const }]
      return checkAims({ discoveries: [], use: { skills: 1, sampled: 1, ...use, calls, steps, ...changes } }).map(
        ({ met }) => met,
      )
    }
    const activation = repeated(0.2, 50)
    const readHashed = repeated(0.05)
    expect(judged({ activation, readHashed })).toEqual([true, true, true, true, true, true])
    expect(judged({ activation: repeated(0.21, 51), readHashed })).toEqual([false, false, false, true, true, true])
    const none = repeated()
    const calls = { ungated: none, path: repeated(0.011), shell: none }
    expect(judged({ activation, readHashed, calls, steps: [] })).toEqual([true, true, true, false, undefined])
    const late = [{ ...repeated(0.01, 15.1), style: 'xml' as const }]
    expect(judged({ activation, readHashed, steps: late }).at(-1)).toBe(false)
  })

  it('[NFR-5] holds our first prompt against 0.7 of what the fastest peer takes that reads rightly', () => {
    const prompt = (own: number): FirstPrompt => ({
      skills: 1_000,
      readable: 1_000,
      rows: [
        promptRow('own', own, 1_000),
        promptRow('peer', 100, 500, 'greps'),
        promptRow('peer', 300, 995, 'slow and right'),
        promptRow('peer', 200, 1_000, 'right'),
      ],
    })
    const [aim] = checkAims({ discoveries: [], prompt: prompt(140) })
    expect(aim).toMatchObject({ measured: '0.70×', met: true, title: expect.stringContaining('(right)') })
    expect(checkAims({ discoveries: [], prompt: prompt(141) }).map(({ met }) => met)).toEqual([false])
    const inRounds = (own: readonly number[], peer: readonly number[]) =>
      checkAims({
        discoveries: [],
        prompt: { ...prompt(1), rows: [promptRow('own', own, 1_000), promptRow('peer', peer, 1_000)] },
      }).map(({ measured, met }) => [measured, met])
    // Each round by itself, so a machine that becomes slower does not count for one side; what ran less counts so far.
    expect(inRounds([40, 80, 90], [100, 200, 100])).toEqual([['0.40×', true]])
    expect(inRounds([40, 80, 90], [100, 100, 100])).toEqual([['0.80×', false]])
    expect(inRounds([40, 60, 90], [100])).toEqual([['0.40×', true]])
    const alone = { ...prompt(1), rows: [promptRow('own', 1, 1_000)] }
    expect(checkAims({ discoveries: [], prompt: alone }).map(({ met }) => met)).toEqual([undefined])
  })

  it('[NFR-6] holds what a step costs more against 0.35 milliseconds, in each adapter and catalog', () => {
    const step = (skills: number, more?: number): StepRow => ({
      adapter: 'ai-sdk',
      title: 'AI SDK',
      skills,
      ...(more === undefined ? { absent: 'failed' } : { plain: summarise([1]), more: summarise([more]) }),
    })
    const agents = { steps: [step(100, 0.35), step(1_000, 0.36), step(10_000)], scripts: [step(1, 9)] }
    expect(checkAims({ discoveries: [], agents }).map(({ title, met }) => [title, met])).toEqual([
      ['a step with 100 skills over one without, AI SDK', true],
      ['a step with 1,000 skills over one without, AI SDK', false],
      ['a step with 10,000 skills over one without, AI SDK', undefined],
    ])
  })

  it('[RUN-8] holds a run in a sandbox against one by the bare sandbox', () => {
    const runner = (id: RunnerRow['id'], over?: number): RunnerRow => ({
      id,
      title: id,
      bareTitle: 'bare',
      ...(over === undefined ? { absent: 'it does not work here' } : { over: summarise([over]) }),
    })
    const met = (rows: readonly RunnerRow[]) => checkAims({ discoveries: [], runners: rows }).map((aim) => aim.met)
    expect(met([runner('virtual', 1.5), runner('bubblewrap', 1.6), runner('process', 9)])).toEqual([true, false])
    expect(met([runner('virtual', 1), runner('bubblewrap')])).toEqual([true, undefined])
  })

  it('[LIB-8] holds a save to an engine against the bare client, and one that is not there is not met', () => {
    const time = summarise([1])
    const saved = (over: number): StoreRow => {
      const pair = { own: time, bare: time, over }
      const times = {
        save: pair,
        load: pair,
        scan: pair,
        activation: pair,
        tenant: time,
        tenants: 1,
        kept: { half: 1, all: 1 },
        opened: 1,
        asked: 1,
      }
      return { id: 'redis', title: 'Redis', times }
    }
    const met = (rows: readonly StoreRow[]) => checkAims({ discoveries: [], stores: rows }).map((aim) => aim.met)
    expect(met([saved(1.5), saved(1.6), { id: 's3', title: 'S3', absent: 'no server' }])).toEqual([
      true,
      false,
      undefined,
    ])
  })

  it('[LIB-1, LIB-7] holds what the library does against the least that does the same', () => {
    const libraryRow = (id: LibraryRow['id'], over?: number): LibraryRow => ({
      id,
      title: id,
      bareTitle: 'bare',
      ...(over === undefined ? { absent: 'failed' } : { over: summarise([over]) }),
    })
    const library = [libraryRow('save', 6), libraryRow('saveResource', 7.1), libraryRow('scan')]
    expect(checkAims({ discoveries: [], library }).map(({ met }) => met)).toEqual([true, false, undefined])
  })

  it('[RUN-9] finds what a soak has lost: memory, a descriptor, a process, a file', () => {
    const sample = (changes: Partial<Sample> = {}): Sample => ({
      at: 0,
      tasks: 1,
      heap: 40e6,
      rss: 200e6,
      descriptors: 20,
      children: 1,
      temporary: 5,
      ...changes,
    })
    const before = sample({ children: 0, temporary: 0 })
    const missed = (later: Partial<Sample>, closed: Partial<Sample> = {}): readonly string[] => {
      const samples = [sample(), sample(), sample(), sample(later), sample(later), sample(later)]
      const soak = { before, samples, closed: { ...before, ...closed }, ends: {}, absent: {} }
      return checkAims({ discoveries: [], soak }).flatMap(({ title, met }) => (met === true ? [] : [title]))
    }
    expect(missed({})).toEqual([])
    expect(missed({ heap: 44e6 })).toEqual(['soak: heap, end over warm-up'])
    expect(missed({ rss: 300e6 })).toEqual(['soak: resident memory, end over warm-up'])
    expect(missed({ descriptors: 21 })).toEqual(['soak: descriptors, end over warm-up'])
    expect(missed({ children: 2 })).toEqual(['soak: child processes, end over warm-up'])
    expect(missed({ temporary: 6 })).toEqual(['soak: temporary files, end over warm-up'])
    expect(missed({}, { children: 1 })).toEqual(['soak: child processes after closing'])
    expect(missed({}, { temporary: 1 })).toEqual(['soak: temporary files after closing'])
    expect(missed({}, { descriptors: 21 })).toEqual(['soak: descriptors after closing, over the start'])
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

function promptRow(
  role: PromptRow['role'],
  taken: number | readonly number[],
  right: number,
  title: string = role,
): PromptRow {
  const rounds = [taken].flat()
  const correctness = { found: right, right, wrong: 0, missed: 0, beyond: 0 }
  return { id: 'repertoire', title, role, taken: summarise(rounds), rounds, correctness }
}

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
