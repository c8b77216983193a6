import { expect, test } from 'vitest'
import { loopDriver } from './loop-driver.ts'
import { brokenLoop, checkOf, resultOf } from './one-check.ts'
import type { AdapterDriver, Capabilities, Turn } from '../src/driver.ts'
import type { Result } from '../src/report/report.ts'
import { unexpected } from '../src/report/report.ts'
import { checks, runConformance, type RunOptions } from '../src/index.ts'

const hello = checkOf(async ({ conversation }) => {
  const turn = await conversation.send('Hello.')
  if (turn.status !== 'done' || turn.text !== 'Good day.') throw new Error(`Saw ${JSON.stringify(turn)}.`)
})
const ASKING = { status: 'asking', requests: [{ id: 'again', skill: 'safe-edit' }] } as unknown as Turn
const failing = checkOf(async () => {
  throw new Error('Never.')
})
const never = (): Promise<never> => new Promise(() => {})

test('[CONF-2] ships a check for every capability, so that an undeclared one cannot go unseen', () => {
  const needed = new Set(checks.flatMap(({ needs = [] }) => needs))
  const declared = Object.keys(loopDriver().capabilities)
  // What `hiding` is for is seen in the tools that are offered: nothing could be played without it.
  expect([...needed].toSorted()).toEqual(declared.filter((name) => name !== 'hiding').toSorted())
})

test('[CONF-3, CONF-11] gives each check an id and its own title, with the requirements behind it', () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
  for (const { id, area, title } of checks) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/)
    expect(title).toMatch(/^\[[A-Z]+-\d+(, [A-Z]+-\d+)*\] [a-z`"]/)
    expect(area).toMatch(/^[a-z]+$/)
  }
})

test('[CONF-1, CONF-3] reports every check of every adapter in their order, whichever ended first', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const gates = new Map(ids.map((id) => [id, Promise.withResolvers<void>()]))
  const seen: string[] = []
  const report = await runConformance({
    drivers: [loopDriver({ name: 'one', variants: [{ name: 'json' }] }), loopDriver({ name: 'two' })],
    checks: ids.map((id, index) =>
      // Each waits for the result of the one after it, so that they end in reverse.
      checkOf(async () => gates.get(ids[index + 1] ?? '')?.promise, { id }),
    ),
    onResult: ({ adapter, id }) => {
      seen.push(`${adapter} ${id}`)
      gates.get(id)!.resolve()
    },
    concurrency: 5,
  })
  expect(report.adapters).toEqual(['one', 'two'])
  expect(report.checks.map(({ id }) => id)).toEqual(ids)
  expect(report.results.map(({ adapter, id }) => `${adapter} ${id}`)).toEqual(
    ['one', 'two'].flatMap((adapter) => ids.map((id) => `${adapter} ${id}`)),
  )
  expect(seen.filter((line) => line.startsWith('one'))).toEqual(ids.map((id) => `one ${id}`).toReversed())
  expect(seen).toHaveLength(10)
})

test('[CONF-1] runs at most as many checks side by side as it is told, and only those that are asked for', async () => {
  let [running, most] = [0, 0]
  const busy = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => void setImmediate(resolve))
    running -= 1
  }
  const many = Array.from({ length: 9 }, (_, index) => checkOf(busy, { id: `c${index}` }))
  const drivers = [loopDriver()]
  await runConformance({ drivers, checks: many, concurrency: 2 })
  expect(most).toBe(2)
  const report = await runConformance({ drivers, checks: [failing, { ...hello, id: 'two' }], only: ['two'] })
  expect(report.results.map(({ id, status }) => [id, status])).toEqual([['two', 'pass']])
})

test('[CONF-2] runs known failures and checks of absent capabilities all the same', async () => {
  const capabilities: Capabilities = { ...loopDriver().capabilities, abort: { absent: 'no signal' } }
  let runs = 0
  const counted = (needs: (keyof Capabilities)[] = []) =>
    checkOf(
      async () => {
        runs += 1
        throw new Error('No.')
      },
      { needs },
    )
  expect(await resultOf(loopDriver({ known: { one: 'issue 12' } }), counted())).toMatchObject({ status: 'known' })
  expect(await resultOf(loopDriver({ capabilities }), counted(['abort']))).toMatchObject({ status: 'n/a' })
  expect(runs).toBe(4)
})

test('[CONF-2] takes what a driver knows of the checks of this package as it is, where others are run', async () => {
  const known = { 'errors-odd-arguments': 'There are none in this protocol.', 'gate-rules/results': 'So it is.' }
  const driver = loopDriver({ known, variants: [{ name: 'json', known }] })
  expect(await resultOf(driver, hello)).toMatchObject({ id: 'one', status: 'pass' })
})

test('[CONF-2] counts every failure as unexpected, that of a SHOULD too, and nothing else', () => {
  const result = (status: Result['status'], level: Result['level']): Result => ({
    adapter: 'a',
    id: `${status}-${level}`,
    level,
    title: '',
    status,
  })
  const results = (['pass', 'fail', 'known', 'n/a'] as const).flatMap((status) => [
    result(status, 'MUST'),
    result(status, 'SHOULD'),
  ])
  expect(unexpected({ adapters: ['a'], checks: [], results }).map(({ id }) => id)).toEqual(['fail-MUST', 'fail-SHOULD'])
})

const hanging = loopDriver({ variants: [{ name: 'json' }], start: brokenLoop(() => ({ send: never })) })

test('[CONF-1] ends checks that hang at their deadline, and says so', async () => {
  const { reason } = await resultOf(hanging, hello, { deadline: 20 })
  expect(reason).toBe('expected the check to be over within 20 ms, saw "that it still runs"')
  const { results } = await runConformance({ drivers: [hanging], only: ['gate-side-by-side'], deadline: 500 })
  expect(results[0]?.reason).toContain('saw "not within 500 ms"')
})

test('[CONF-1] ends a scenario whose adapter asks again after every answer', async () => {
  const start = brokenLoop(() => ({ send: async () => ASKING, answer: async () => ASKING }))
  const { results } = await runConformance({ drivers: [loopDriver({ start })], only: ['consent-suspends'] })
  expect(results[0]?.reason).toContain('saw "status: asking"')
})

test('[CONF-1] says what a conversation lacks', async () => {
  const start = brokenLoop(() => ({ forget: undefined }))
  const { results } = await runConformance({ drivers: [loopDriver({ start })], only: ['turns-reminder'] })
  expect(results[0]?.reason).toContain('forget')
})

test('[CONF-1] stops where the function that is told results throws', async () => {
  let begun = 0
  const many = Array.from({ length: 20 }, (_, index) => checkOf(async () => void (begun += 1), { id: `c${index}` }))
  const onResult = () => {
    throw new Error('The disk is full.')
  }
  const running = runConformance({ drivers: [loopDriver()], checks: many, onResult, concurrency: 2 })
  await expect(running).rejects.toThrow('The disk is full.')
  expect(begun).toBeLessThanOrEqual(4)
})

test.each<[string, Partial<RunOptions>, string]>([
  ['no driver', { drivers: [] }, 'no driver to check'],
  ['no check', { checks: [] }, 'no check to run'],
  ['an empty choice', { only: [] }, 'no check to run'],
  ['two checks of one id', { checks: [hello, failing] }, 'Two checks are named "one"'],
  ['an unknown id', { only: ['two'] }, 'There is no check "two". `repertoire conformance --list` lists'],
  ['a mistyped id', { only: ['oen'] }, 'There is no check "oen". Did you mean "one"?'],
  ['an id of every object', { only: ['constructor'] }, 'There is no check "constructor"'],
  ['two drivers of one name', { drivers: [loopDriver(), loopDriver()] }, 'Two drivers are named "loop"'],
  ['no concurrency', { concurrency: 0 }, '`concurrency` is 0'],
  ['a deadline that no timer keeps', { deadline: Infinity }, '`deadline` is Infinity'],
  ['a deadline of nothing', { deadline: Number.NaN }, '`deadline` is NaN'],
  ['a seed that chooses nothing', { seed: -1 }, '`seed` is -1'],
  ['a known id that no check has', { drivers: [loopDriver({ known: { tow: 'x' } })] }, '"tow" as known, and no check'],
  [
    'a known failure without a reason',
    { drivers: [loopDriver({ known: { one: ' ' } })] },
    '`known.one` is " ". Give a reason in words.',
  ],
])('[CONF-2] refuses %s before anything runs', async (_, options, message) => {
  let runs = 0
  const check = checkOf(async () => void (runs += 1))
  const running = runConformance({ drivers: [loopDriver()], checks: [check], ...options })
  await expect(running).rejects.toThrow(TypeError)
  await expect(running).rejects.toThrow(message)
  expect(runs).toBe(0)
})

test.each<[string, object, string]>([
  ['without a name', { name: '' }, '`name` is empty'],
  ['without a start', { start: undefined }, 'The driver "loop": `start` is missing. Give a function.'],
  ['without variants', { variants: [] }, 'has no variants'],
  ['with a nameless variant', { variants: [{}] }, 'variants[0]: `name` is missing'],
  [
    'with two variants of one name',
    { variants: [{ name: 'a' }, { name: 'a' }] },
    'Two variants of "loop" are named "a"',
  ],
  ['without capabilities', { capabilities: undefined }, '`capabilities` is missing. Give an object { suspend,'],
  ['with an unknown capability', { capabilities: { flying: true } }, 'unknown option `capabilities.flying`'],
  [
    'with a capability of false',
    { capabilities: { ...loopDriver().capabilities, abort: false } },
    '`capabilities.abort` is false. Give true, or an object { workaround }, or an object { absent }.',
  ],
  [
    'with a workaround without its way',
    { capabilities: { ...loopDriver().capabilities, abort: { workaround: ' ' } } },
    '`capabilities.abort.workaround`',
  ],
  [
    'with a field that it does not know',
    { capability: {} },
    'unknown option `capability`. Did you mean `capabilities`?',
  ],
  [
    'with a variant that lacks what there is not',
    { variants: [{ name: 'a', capabilities: { flying: true } }] },
    'variants[0]: unknown option `capabilities.flying`',
  ],
  [
    'with a variant that lacks something for no reason',
    { variants: [{ name: 'a', capabilities: { abort: { absent: ' ' } } }] },
    'variants[0]: `capabilities.abort.absent`',
  ],
  ['that knows everything to fail', { known: { '*': 'x' } }, '"*" as known, and no check has that id'],
  ['with a known aspect that there is not', { known: { 'gate-rules/colours': 'x' } }, '"gate-rules/colours" as known'],
  [
    'with an absence without a reason',
    { capabilities: { ...loopDriver().capabilities, abort: { absent: '' } } },
    '`capabilities.abort.absent`',
  ],
])('[CONF-2] refuses a driver %s', async (_, changes, message) => {
  const driver = { ...loopDriver(), ...changes } as AdapterDriver
  await expect(resultOf(driver, hello)).rejects.toThrow(message)
})

test('[CONF-2] lets a driver know failures of checks that are not chosen', async () => {
  const report = await runConformance({
    drivers: [loopDriver({ known: { one: 'issue 12' } })],
    checks: [failing, { ...hello, id: 'two' }],
    only: ['two'],
  })
  expect(report.results).toMatchObject([{ id: 'two', status: 'pass' }])
  expect(unexpected(report)).toEqual([])
})
