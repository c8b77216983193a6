import { playConformance } from '@repertoire/conformance'
import process from 'node:process'
import { expect, test } from 'vitest'
import { aiSdkDriver } from '../src/conformance.ts'

// Where people wait for the tests, each scenario is played in one variant, by turns; in CI, in every variant.
const variants = process.env['CI'] === undefined ? 'by-turns' : 'all'

test('[CONF-11] sends, runs, asks, records and ends what core says, except for what the driver lists', async () => {
  const { results } = await playConformance({ drivers: [aiSdkDriver], variants })
  const failed = results.filter(({ status }) => status === 'fail')
  expect(failed.map(({ id, reason }) => [id, reason])).toEqual([])
}, 900_000)
