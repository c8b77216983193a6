import { expect, test } from 'vitest'
import { type EvalRun, renderMarkdown, summarise } from '../src/index.ts'
import { caseOf, seeded } from './scripted.ts'

function run(given: Partial<EvalRun> & { readonly used?: boolean; readonly passed?: boolean } = {}): EvalRun {
  const { used = true, passed, ...more } = given
  return {
    case: caseOf({ skill: 'pdf', shouldTrigger: true }),
    adapter: 'react-loop',
    model: 'small',
    skills: 'on',
    attempt: 1,
    output: '',
    calls: [],
    usage: { requests: 2, inputTokens: 1000, outputTokens: 100 },
    activated: used ? ['pdf'] : [],
    fates: [],
    fate: { skill: 'pdf', fate: used ? 'activated' : 'listed', reason: 'It was seen.' },
    assertions: passed === undefined ? [] : [{ assertion: { type: 'contains', value: 'x' }, passed }],
    files: {},
    events: [],
    ...more,
  }
}

test.each([
  // By the formula of Wilson (1927), 95 %.
  [0, 10, 0, 0.278],
  [3, 10, 0.108, 0.603],
  [5, 10, 0.237, 0.763],
  [10, 10, 0.722, 1],
  [90, 100, 0.826, 0.945],
])('[EVAL-5] the interval of %i of %i', (hits, total, low, high) => {
  const runs = Array.from({ length: total }, (_, attempt) => run({ attempt, used: attempt < hits }))
  const { triggered } = summarise(runs).skills[0]!
  expect(triggered).toMatchObject({ hits, total })
  expect(triggered!.low).toBeCloseTo(low, 3)
  expect(triggered!.high).toBeCloseTo(high, 3)
})

test('[EVAL-5] there is no rate of nothing', () => {
  expect(summarise([])).toMatchObject({ runs: 0, skills: [] })
  expect(summarise([run({ case: caseOf({ skill: 'pdf' }) })]).skills[0]!.triggered).toBeUndefined()
  const nameless = [true, false].map((shouldTrigger) => run({ case: caseOf({ shouldTrigger }), fate: undefined }))
  expect(summarise(nameless).skills).toEqual([{ skill: 'none', adapter: 'react-loop', model: 'small' }])
})

test.each([0.3, 0.5, 0.9])('[EVAL-5] the interval contains a true rate of %d in at least 90 of 100 seeds', (rate) => {
  const contained = Array.from({ length: 100 }, (_, seed) => {
    const next = seeded(seed + 1)
    const runs = Array.from({ length: 40 }, (_each, attempt) => run({ attempt, used: next() < rate }))
    const { low, high } = summarise(runs).skills[0]!.triggered!
    return low <= rate && rate <= high
  })
  expect(contained.filter(Boolean).length).toBeGreaterThanOrEqual(90)
})

test('[EVAL-5] the interval of a difference contains the true one in at least 90 of 100 seeds', () => {
  const contained = Array.from({ length: 100 }, (_, seed) => {
    const next = seeded(seed + 1)
    const runs = Array.from({ length: 30 }, (_each, attempt) => [
      run({ attempt, passed: next() < 0.8 }),
      run({ attempt, passed: next() < 0.3, skills: 'off' }),
    ]).flat()
    const { low, high } = summarise(runs).skills[0]!.helped!
    return low <= 0.5 && 0.5 <= high
  })
  expect(contained.filter(Boolean).length).toBeGreaterThanOrEqual(90)
})

test('[EVAL-5] pairs runs with and without the skill', () => {
  const pair = (attempt: number, on: boolean, off: boolean): EvalRun[] => [
    run({ attempt, passed: on }),
    run({ attempt, passed: off, skills: 'off', used: false }),
  ]
  const runs = [...Array(30).keys()].flatMap((at) => pair(at, at < 24, at < 6))
  const { helped, passed } = summarise([...runs, run({ attempt: 99, passed: true })]).skills[0]!
  expect(helped).toMatchObject({ pairs: 30 })
  expect(helped!.difference).toBeCloseTo(0.6)
  expect(helped!.low).toBeGreaterThan(0.3)
  expect(helped!.high).toBeLessThan(0.8)
  // Runs without the skill are not among those of the skill.
  expect(passed?.total).toBe(31)
  const same = summarise([...Array(30).keys()].flatMap((at) => pair(at, at < 15, at < 15))).skills[0]!.helped!
  expect(same.difference).toBe(0)
  expect(same.low).toBeLessThanOrEqual(0)
  expect(same.high).toBeGreaterThanOrEqual(0)
})

test('[EVAL-5] counts confusion, tokens, cost and failures, and shows no rate without its interval', () => {
  const near = caseOf({ id: 'near', skill: 'pdf', shouldTrigger: false, owner: 'forms' })
  const runs = [
    run(),
    run({
      used: false,
      activated: ['forms'],
      fate: { skill: 'pdf', fate: 'another-chosen', reason: 'The model chose forms.' },
    }),
    run({ case: near }),
    run({ error: 'The provider is away.' }),
  ]
  const summary = summarise(runs, { small: { input: 2, output: 10 } })
  expect(summary).toMatchObject({
    runs: 4,
    errors: 1,
    usage: { requests: 8, inputTokens: 4000, outputTokens: 400 },
    skills: [{ skill: 'pdf', triggered: { hits: 1, total: 2 }, falselyTriggered: { hits: 1, total: 1 } }],
    confusion: [
      { expected: 'pdf', activated: 'pdf', count: 1 },
      { expected: 'pdf', activated: 'forms', count: 1 },
      { expected: 'forms', activated: 'pdf', count: 1 },
    ],
    misses: [{ fate: 'another-chosen' }, { case: 'near' }],
  })
  expect(summary.cost).toBeCloseTo(0.012)
  expect(summarise(runs).cost).toBeUndefined()
  const table = renderMarkdown(summary)
  expect(table).toMatch(/1\/2 = 50 % \(9–91\)/)
  for (const [, after] of table.matchAll(/\d+\/\d+ = \d+ %(.{0,2})/g)) expect(after).toBe(' (')
  expect(JSON.parse(JSON.stringify(summary))).toEqual(summary)
})

test('[EVAL-5] an assertion that a run did not meet is listed with its text, and one that it met is not', () => {
  const about = caseOf({ id: 'refund', skill: 'pdf' })
  const met = { assertion: { type: 'file', path: 'out.csv' }, passed: true } as const
  const unmet = { assertion: { type: 'contains', value: '40 euros' }, passed: false } as const
  const worded = { assertion: { type: 'judge', text: 'It is polite.' } } as const
  const summary = summarise([run({ case: about, assertions: [met, unmet, worded] })])
  expect(summary.misses).toMatchObject([{ case: 'refund', fate: 'assertion not met', reason: 'contains 40 euros' }])
  expect(renderMarkdown(summary)).toContain('assertion not met. contains 40 euros')
  expect(summarise([run({ case: about, assertions: [met, worded] })]).misses).toEqual([])
})

test('[EVAL-5] nothing of a run is markup in the report, and nothing controls a terminal', () => {
  const id = 'a | b <script> \u001B[31m'
  const summary = summarise([run({ used: false, case: caseOf({ id, skill: 'pdf', shouldTrigger: true }) })])
  expect(renderMarkdown(summary)).toContain(String.raw`a \| b \<script\>`)
  expect(renderMarkdown(summary)).not.toContain('\u001B')
})
