import { expect, test } from 'vitest'
import { checkOf, resultOf } from './one-check.ts'
import { loopDriver } from './loop-driver.ts'
import { checks } from '../src/checks/index.ts'
import type { AdapterDriver } from '../src/driver.ts'
import { oneByTurns, oneOfEachProtocol } from '../src/variants.ts'

const PROTOCOLS = ['openai', 'openai-responses', 'anthropic', 'gemini'] as const
const variants = PROTOCOLS.flatMap((protocol) =>
  ['json', 'sse'].map((name) => ({ name: `${protocol} ${name}`, protocol })),
) as unknown as AdapterDriver['variants']
const driver = loopDriver({ variants })

test('[CONF-1] in one variant of each protocol: all of them have their share of the checks', () => {
  const chosen = checks.map((check) => oneOfEachProtocol(driver, check))
  for (const some of chosen) expect(some.map(({ protocol }) => protocol)).toEqual(PROTOCOLS)
  for (const { name } of variants) {
    const share = chosen.filter((some) => some.some((variant) => variant.name === name)).length / checks.length
    expect(share).toBeGreaterThan(0.35)
  }
})

test('[CONF-1] in one variant of each dialect too, since another dialect is another wire', () => {
  const dialect = { name: 'of its own' } as NonNullable<AdapterDriver['variants'][0]['dialect']>
  const [first, ...others] = ['json', 'sse'].flatMap((name) => [{ name }, { name: `${name}, text`, dialect }])
  const chosen = oneOfEachProtocol(loopDriver({ variants: [first!, ...others] }), checks[0]!)
  expect(chosen.map((variant) => variant.dialect?.name)).toEqual([undefined, 'of its own'])
})

test('[CONF-1] by turns: every variant has its share of the checks, and another adapter runs other ones', () => {
  const chosen = checks.map((check) => oneByTurns(driver, check))
  expect(chosen.every(({ length }) => length === 1)).toBe(true)
  for (const { name } of variants) {
    const share = chosen.filter(([variant]) => variant!.name === name).length / checks.length
    expect(share).toBeGreaterThan(0.1)
  }
  const ofAnother = checks.map((check) => oneByTurns({ ...driver, name: 'another' }, check)[0])
  const different = ofAnother.filter((variant, index) => variant !== chosen[index]![0])
  expect(different.length).toBeGreaterThan(checks.length / 2)
})

test('[CONF-1] by turns: what each protocol carries in its own way has a turn in every protocol', () => {
  const histories = checks.filter(({ area }) => area === 'history')
  const chosen = new Set(histories.map((check) => oneByTurns(driver, check)[0]!.protocol))
  expect(chosen).toEqual(new Set(PROTOCOLS))
})

test('[CONF-2] by turns: what one variant lists as known is judged in one variant, whether that one is listed or not', async () => {
  const check = checkOf(async (bench) => {
    if (bench.variant === 'json') throw new Error('It is broken.')
  })
  const known = { [check.id]: 'It is broken.' }
  for (const name of ['one', 'another', 'a third', 'a fourth']) {
    const listed = loopDriver({ name, variants: [{ name: 'json', known }, { name: 'sse' }] })
    const result = await resultOf(listed, check, { variants: 'by-turns' })
    expect(result).toMatchObject({ status: 'known' })
    expect(result.variants).toHaveLength(1)
  }
})

test('[CONF-2] by turns: what needs what is absent runs until it fails in one variant, and in all if it passes', async () => {
  const capabilities = { ...driver.capabilities, abort: { absent: 'It cannot be done.' } }
  const without = loopDriver({ variants, capabilities })
  const failing = checkOf(() => Promise.reject(new Error('It cannot.')), { needs: ['abort'] })
  const failed = await resultOf(without, failing, { variants: 'by-turns' })
  expect([failed.status, failed.variants?.length]).toEqual(['n/a', 1])
  const passing = checkOf(async () => {}, { needs: ['abort'] })
  const passed = await resultOf(without, passing, { variants: 'by-turns' })
  expect([passed.status, passed.variants?.length]).toEqual(['fail', variants.length])
})

test.each([
  ['is known to fail', { ...driver, known: { one: 'It is broken.' } }],
  [
    'needs what is absent',
    loopDriver({ variants, capabilities: { ...driver.capabilities, abort: { absent: 'It cannot be done.' } } }),
  ],
])('[CONF-2] in every variant where a check %s', (_, declared) => {
  const check = checkOf(async () => {}, { needs: ['abort'] })
  expect(oneOfEachProtocol(declared, check)).toEqual(declared.variants)
  expect(oneByTurns(declared, check)).toEqual(declared.variants)
})

test.each([
  ['all', 2],
  ['each-protocol', 1],
  ['by-turns', 1],
  [undefined, 2],
] as const)('[CONF-1] the result has what was run: %s', async (chosen, count) => {
  const two = loopDriver({ variants: [{ name: 'json' }, { name: 'sse' }] })
  const result = await resultOf(
    two,
    checkOf(async () => {}),
    chosen && { variants: chosen },
  )
  expect(result).toMatchObject({ status: 'pass' })
  expect(result.variants).toHaveLength(count)
})
