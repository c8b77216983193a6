import { expect, test } from 'vitest'
import { checkOf, resultOf } from './one-check.ts'
import { loopDriver } from './loop-driver.ts'
import type { AdapterDriver } from '../src/driver.ts'
import { runConformance } from '../src/run.ts'
import { chooseVariants } from '../src/variants.ts'

const WHY = 'It has none.'
const variants: AdapterDriver['variants'] = [
  { name: 'a' },
  { name: 'b', capabilities: { abort: { absent: WHY } } },
  { name: 'c' },
]
const driver = loopDriver({ variants })
const check = checkOf(async () => {})
const namesOf = (...given: Parameters<typeof chooseVariants>) => chooseVariants(...given).map(({ name }) => name)

test('[CONF-1] runs every check in every variant, unless a seed chooses one', () => {
  expect(namesOf(driver, check, undefined)).toEqual(['a', 'b', 'c'])
  expect([0, 1, 2, 3].map((seed) => namesOf(driver, check, seed))).toEqual([['a'], ['b'], ['c'], ['a']])
})

test('[CONF-1] runs a quick check in every variant all the same', () => {
  expect(namesOf(driver, { ...check, quick: true }, 1)).toEqual(['a', 'b', 'c'])
})

test('[CONF-9] takes a variant that has what the check needs', () => {
  expect(namesOf(driver, { ...check, needs: ['abort'] }, 1)).toEqual(['a'])
  const capabilities = { ...driver.capabilities, resume: { absent: WHY } }
  expect(namesOf({ ...driver, capabilities }, { ...check, needs: ['resume'] }, 1)).toEqual(['b'])
})

const missing = Object.assign(new Error("Cannot find package '@vendor/client' imported from a.js"), {
  code: 'ERR_MODULE_NOT_FOUND',
})

test('[CONF-1, CONF-9] leaves out a variant whose package is not installed, and says so', async () => {
  const load = () => Promise.reject(missing)
  const given = loopDriver({ variants: [{ name: 'json' }, { name: 'vendor', load }] })
  const report = await runConformance({ drivers: [given], checks: [check] })
  const reason = 'The package "@vendor/client" is not installed. Run: npm install --save-dev @vendor/client'
  expect(report.leftOut).toEqual([{ adapter: 'loop', variant: 'vendor', reason }])
  expect(report.results[0]?.variants).toEqual(['json'])
  await expect(resultOf(loopDriver({ variants: [{ name: 'vendor', load }] }), check)).rejects.toThrow(
    `No variant of "loop" can be run. ${reason}`,
  )
})
