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
  const others = checks.filter(({ area }) => area !== 'history')
  const chosen = others.map((check) => oneByTurns(driver, check))
  expect(chosen.every(({ length }) => length === 1)).toBe(true)
  for (const { name } of variants) {
    const share = chosen.filter(([variant]) => variant!.name === name).length / others.length
    expect(share).toBeGreaterThan(0.1)
  }
  const ofAnother = others.map((check) => oneByTurns({ ...driver, name: 'another' }, check)[0])
  const different = ofAnother.filter((variant, index) => variant !== chosen[index]![0])
  expect(different.length).toBeGreaterThan(others.length / 2)
})

test('[CONF-1] by turns: a check of what is sent back to the model runs in one variant of each protocol', () => {
  const histories = checks.filter(({ area }) => area === 'history')
  expect(histories.length).toBeGreaterThan(10)
  for (const check of histories) {
    expect(oneByTurns(driver, check).map(({ protocol }) => protocol)).toEqual(PROTOCOLS)
  }
})

test.each([
  ['is known to fail', { ...driver, known: { one: 'It is broken.' } }],
  [
    'is known to fail in one variant',
    loopDriver({ variants: [{ ...variants[0], known: { one: 'It is broken.' } }, ...variants.slice(1)] }),
  ],
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
