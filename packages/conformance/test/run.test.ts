import { expect, test } from 'vitest'
import { held } from './held.ts'
import { loopDriver } from './loop-driver.ts'
import { brokenLoop, checkOf, resultOf } from './one-check.ts'
import { skipTime } from './skip-time.ts'
import type { AdapterDriver, Capabilities, Turn } from '../src/driver.ts'
import type { ScriptStep } from '../src/endpoint/script.ts'
import type { Result } from '../src/report/report.ts'
import { failure } from '../src/failure.ts'
import { unexpected } from '../src/report/report.ts'
import { checks, runConformance, type RunOptions } from '../src/index.ts'

const hello = checkOf(async (bench) => {
  const trial = await bench.open({ script: [{ text: 'Good day.' }] })
  const turn = await trial.send('Hello.')
  if (turn.status !== 'done' || turn.text !== 'Good day.') throw new Error(`Saw ${JSON.stringify(turn)}.`)
})
const ASKING = { status: 'asking', requests: [{ id: 'again', skill: 'safe-edit' }] } as unknown as Turn
const failing = checkOf(async () => {
  throw new Error('Never.')
})

test('[CONF-2] ships a check for every capability, so that an undeclared one cannot go unseen', () => {
  const needed = new Set(checks.flatMap(({ needs = [] }) => needs))
  expect([...needed].toSorted()).toEqual(Object.keys(loopDriver().capabilities).toSorted())
})

test('[CONF-1, CONF-3] reports every check of every adapter in their order, whichever ended first', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const gates = new Map(ids.map((id) => [id, Promise.withResolvers<void>()]))
  const seen: string[] = []
  const report = await runConformance({
    drivers: [loopDriver({ name: 'one', variants: [{ name: 'json' }] }), loopDriver({ name: 'two' })],
    checks: ids.map((id, index) =>
      checkOf(
        async () => {
          // Each waits for the result of the one after it, so that they end in reverse.
          const next = ids[index + 1]
          if (next !== undefined) await gates.get(next)!.promise
        },
        { id },
      ),
    ),
    onResult: ({ adapter, id }) => {
      seen.push(`${adapter} ${id}`)
      gates.get(id)!.resolve()
    },
    concurrency: 5,
    sources: [],
  })
  expect(report.adapters).toEqual(['one', 'two'])
  expect(report.checks.map(({ id }) => id)).toEqual(ids)
  expect(report.results.map(({ adapter, id }) => `${adapter} ${id}`)).toEqual(
    ['one', 'two'].flatMap((adapter) => ids.map((id) => `${adapter} ${id}`)),
  )
  expect(seen.filter((line) => line.startsWith('one'))).toEqual(ids.map((id) => `one ${id}`).toReversed())
  expect(seen).toHaveLength(10)
})

test('[CONF-1] ends a check whose adapter asks again after every answer', async () => {
  const start = brokenLoop(() => ({ send: async () => ASKING, answer: async () => ASKING }))
  const { results } = await runConformance({ drivers: [loopDriver({ start })], only: ['consent-for-this-call-only'] })
  expect(results[0]).toMatchObject({
    status: 'fail',
    reason: expect.stringContaining('expected a turn to go on after 20 answers in a row, saw {"status":"asking"'),
  })
})

test.each([
  ['forget', undefined, 'turns-reminder', 'The conversation has no `forget`. Add it, or declare the capability'],
  [
    'send',
    async () => ASKING,
    'activation-content',
    'expected send("Hello") to ask the handler in the options `session`',
  ],
] as const)('[CONF-1] says what a conversation lacks in `%s`', async (name, method, id, message) => {
  const start = brokenLoop(() => ({ [name]: method }))
  const { results } = await runConformance({ drivers: [loopDriver({ start })], only: [id] })
  expect(results[0]).toMatchObject({ status: 'fail', reason: expect.stringContaining(message) })
})

test('[CONF-1] runs at most as many checks side by side as it is told', async () => {
  let running = 0
  let most = 0
  const busy = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => void setImmediate(resolve))
    running -= 1
  }
  const many = Array.from({ length: 9 }, (_, index) => checkOf(busy, { id: `c${index}` }))
  await runConformance({ drivers: [loopDriver()], checks: many, concurrency: 2, sources: [] })
  expect(most).toBe(2)
})

test('[CONF-1] runs only the checks that are asked for', async () => {
  const report = await runConformance({
    drivers: [loopDriver()],
    checks: [failing, { ...hello, id: 'two' }],
    only: ['two'],
    sources: [],
  })
  expect(report.results.map(({ id, status }) => [id, status])).toEqual([['two', 'pass']])
})

test('[CONF-2] runs every check in every variant', async () => {
  const seen: string[] = []
  const check = checkOf(async (bench) => {
    seen.push(bench.variant)
    if (bench.variant === 'sse') throw new Error('Not streamed.')
  })
  expect(await resultOf(loopDriver(), check)).toMatchObject({
    status: 'fail',
    reason: 'in sse: Not streamed.',
    variants: [
      { variant: 'json', passed: true },
      { variant: 'sse', passed: false, reason: 'Not streamed.' },
    ],
  })
  expect(seen).toEqual(['json', 'sse'])
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
  const known = { 'errors-null-arguments': 'There are none in this protocol.' }
  const driver = loopDriver({ known, variants: [{ name: 'json', known }] })
  expect(
    await resultOf(
      driver,
      checkOf(async () => {}),
    ),
  ).toMatchObject({ id: 'one', status: 'pass' })
})

test('[CONF-1] says where to look where something never happened', async () => {
  const check = checkOf(() => Promise.reject(failure('the requests of sub-agents to be [2]', [])), { area: 'forks' })
  const { reason } = await resultOf(loopDriver({ variants: [{ name: 'json' }] }), check)
  expect(reason).toBe(
    'in json: expected the requests of sub-agents to be [2], saw []\nSee docs/adapters.md: `fork`, handed to `call` and `beginTurn`.',
  )
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

test('[CONF-1] ends a check that hangs, and says what it was waiting for', async () => {
  const reached = Promise.withResolvers<void>()
  let signal: AbortSignal | undefined
  const driver = loopDriver({
    variants: [{ name: 'json' }],
    start: brokenLoop(() => ({
      send: (_, options) => {
        signal = options?.signal
        reached.resolve()
        return new Promise(() => {})
      },
    })),
  })
  const { status, reason } = await skipTime(reached.promise, () => resultOf(driver, hello))
  expect(status).toBe('fail')
  expect(reason).toBe(
    'in json: The check did not end within 30 s. It was waiting for: send("Hello.") of trial 1.\n' +
      'Still going on when the check was over: send("Hello.") of trial 1.',
  )
  expect(signal?.aborted).toBe(true)
})

test('[CONF-1] cuts the connections of a check that hangs on its own hold, and names the hold', async () => {
  const reached = Promise.withResolvers<void>()
  const never: ScriptStep = () => {
    reached.resolve()
    return held(new Promise(() => {}), { text: '' })
  }
  const check = checkOf(async (bench) => {
    const trial = await bench.open({ script: [never] })
    await trial.send('Hello.')
  })
  const capabilities: Capabilities = { ...loopDriver().capabilities, abort: { absent: 'no signal' } }
  const driver = loopDriver({ capabilities, variants: [{ name: 'json' }] })
  const { reason } = await skipTime(reached.promise, () => resultOf(driver, check, { deadline: 1_000_000 }))
  expect(reason).toBe(
    'in json: The check did not end within 1000 s. ' +
      'It was waiting for: send("Hello.") of trial 1, step 1 waits for its hold (trial 1).',
  )
})

test('[CONF-1] says so where the check itself hangs', async () => {
  const hanging = checkOf(() => new Promise(() => {}))
  const { reason } = await skipTime(Promise.resolve(), () => resultOf(loopDriver(), hanging))
  expect(reason).toContain('waiting for: the check itself, since no trial was doing anything.')
})

test('[CONF-1] stops where the function that is told results throws', async () => {
  let begun = 0
  const check = () => checkOf(async () => void (begun += 1), { id: `c${begun}` })
  const many = Array.from({ length: 20 }, (_, index) => ({ ...check(), id: `c${index}` }))
  const onResult = () => {
    throw new Error('The disk is full.')
  }
  const running = runConformance({ drivers: [loopDriver()], checks: many, onResult, concurrency: 2, sources: [] })
  await expect(running).rejects.toThrow('The disk is full.')
  expect(begun).toBeLessThanOrEqual(4)
})

test.each<[string, Partial<RunOptions>, string]>([
  ['no driver', { drivers: [] }, 'no driver to check'],
  ['no check', { checks: [] }, 'no check to run'],
  ['an empty choice', { only: [] }, 'no check to run'],
  ['two checks of one id', { checks: [hello, failing] }, 'Two checks are named "one"'],
  ['an unknown id', { only: ['two'] }, 'There is no check "two". Known are: one.'],
  ['a mistyped id', { only: ['oen'] }, 'There is no check "oen". Known are: one.'],
  ['an id of every object', { only: ['constructor'] }, 'There is no check "constructor"'],
  ['two drivers of one name', { drivers: [loopDriver(), loopDriver()] }, 'Two drivers are named "loop"'],
  ['no concurrency', { concurrency: 0 }, '`concurrency` is 0'],
  ['a deadline that no timer keeps', { deadline: Infinity }, '`deadline` is Infinity'],
  ['a deadline of nothing', { deadline: Number.NaN }, '`deadline` is NaN'],
  ['a choice of variants that there is not', { variants: 'some' as 'all' }, '`variants` is "some"'],
  ['a known id that no check has', { drivers: [loopDriver({ known: { tow: 'x' } })] }, '"tow" as known, and no check'],
  ['a known failure without a reason', { drivers: [loopDriver({ known: { one: ' ' } })] }, 'known without a reason'],
])('[CONF-2] refuses %s before anything runs', async (_, options, message) => {
  let runs = 0
  const check = checkOf(async () => void (runs += 1))
  const running = runConformance({ drivers: [loopDriver()], checks: [check], sources: [], ...options })
  await expect(running).rejects.toThrow(TypeError)
  await expect(running).rejects.toThrow(message)
  expect(runs).toBe(0)
})

test.each<[string, object, string]>([
  ['without a name', { name: '' }, 'has no "name"'],
  ['without a start', { start: undefined }, 'The driver "loop" has no "start"'],
  ['without variants', { variants: [] }, 'has no variants'],
  ['with a nameless variant', { variants: [{}] }, 'a variant without a name'],
  [
    'with two variants of one name',
    { variants: [{ name: 'a' }, { name: 'a' }] },
    'Two variants of "loop" are named "a"',
  ],
  ['without capabilities', { capabilities: undefined }, 'has no "capabilities"'],
  ['with an unknown capability', { capabilities: { flying: true } }, 'declares "flying", which is not a capability'],
  [
    'with a capability of false',
    { capabilities: { abort: false } },
    'declares abort as false. Write true, { workaround:',
  ],
  ['with a workaround without its way', { capabilities: { abort: { workaround: ' ' } } }, "{ workaround: 'how' }"],
  ['with an absence without a reason', { capabilities: { abort: { absent: '' } } }, 'declares abort as {"absent":""}'],
])('[CONF-2] refuses a driver %s', async (_, changes, message) => {
  const driver = { ...loopDriver(), ...changes } as AdapterDriver
  await expect(resultOf(driver, hello)).rejects.toThrow(message)
})

test('[CONF-2] lets a driver know failures of checks that are not chosen', async () => {
  const report = await runConformance({
    drivers: [loopDriver({ known: { one: 'issue 12' } })],
    checks: [failing, { ...hello, id: 'two' }],
    only: ['two'],
    sources: [],
  })
  expect(report.results).toMatchObject([{ id: 'two', status: 'pass' }])
  expect(unexpected(report)).toEqual([])
})
