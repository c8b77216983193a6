import process from 'node:process'
import { expect, test } from 'vitest'
import { runConformance } from '../src/run.ts'
import { carelessDrivers } from './careless-adapter.ts'
import { carelessFaults } from './careless-faults.ts'
import { isMeant } from './meant.ts'

const variants = 'all'
// They say something about the checks alone, and take as long as an adapter's whole suite.
const isOff = process.env['CI'] === undefined

/** Of all faults: at least 38 of 40. */
const SHARE = 38 / 40

test.skipIf(isOff)(
  '[CONF-10] the suite catches at least 38 of 40 faults of careless adapter authors, and names those that it does not (only with CI set)',
  async () => {
    const drivers = await carelessDrivers(carelessFaults)
    const missed: string[] = []
    const unmeant: string[] = []
    for (const [index, fault] of carelessFaults.entries()) {
      const only = fault.caughtBy === undefined ? [] : [fault.caughtBy]
      const isCaught = async (): Promise<boolean> => {
        const { results } = await runConformance({ drivers: [drivers[index]!], only, variants, deadline: 5000 })
        const reasons = results.flatMap((result) => (result.variants ?? []).flatMap(({ reason }) => reason ?? []))
        unmeant.push(...reasons.filter((reason) => !isMeant(reason, fault)))
        return reasons.length > 0 && results.every(({ status }) => status === 'fail')
      }
      if (only.length === 0 || !(await isCaught())) missed.push(fault.wrong)
    }
    expect(unmeant).toEqual([])
    expect(missed).toEqual(carelessFaults.filter(({ caughtBy }) => caughtBy === undefined).map(({ wrong }) => wrong))
    expect(carelessFaults.length).toBeGreaterThanOrEqual(45)
    expect(1 - missed.length / carelessFaults.length).toBeGreaterThanOrEqual(SHARE)
  },
  120_000,
)

test.skipIf(isOff)(
  '[CONF-10] the adapter that the faults are built into passes the checks that catch them (only with CI set)',
  async () => {
    const [driver] = await carelessDrivers([{ wrong: 'behaves', caughtBy: undefined, edits: [] }])
    const only = [...new Set(carelessFaults.flatMap(({ caughtBy }) => caughtBy ?? []))]
    const { results } = await runConformance({ drivers: [driver!], only, variants })
    expect(results).toHaveLength(only.length)
    expect(results.filter(({ status }) => status !== 'pass')).toEqual([])
  },
)
