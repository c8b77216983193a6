import { sample } from '@repertoire/test-servers/properties'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checks } from '../src/checks/index.ts'
import type { AdapterDriver, TaskSetup } from '../src/driver.ts'
import { ASPECTS } from '../src/oracle/aspects.ts'
import { openRunner, type Runner } from '../src/run.ts'
import { carelessDrivers } from './careless/adapter.ts'
import { carelessFaults } from './careless/faults.ts'
import { loopDriver, startLoop } from './loop-driver.ts'

/** How long a turn may take at first, in milliseconds: some faults make an adapter hang. */
const DEADLINE_MS = 1_000

const oneVariant = (driver: AdapterDriver): AdapterDriver => ({ ...driver, variants: [{ name: 'json' }] })

/** A loop whose agents all have the instructions of the first one. */
const confused = oneVariant(
  loopDriver({ start: async (task) => startLoop({ ...task, handoffs: task.handoffs && alike(task) }) }),
)
const alike = ({ handoffs = {}, instructions }: TaskSetup) =>
  Object.fromEntries(Object.keys(handoffs).map((name) => [name, { instructions }]))

/** Adapters that are no variation of the careless one, with what catches them. */
const OTHERS: readonly (readonly [wrong: string, driver: AdapterDriver, caughtBy: readonly string[]])[] = [
  ['gives all agents the same instructions', confused, ['handoffs-rights', 'handoffs-consent']],
]

let runner: Runner
let patient: Runner
beforeAll(async () => {
  runner = await openRunner({ deadline: DEADLINE_MS })
  patient = await openRunner({})
})
afterAll(() => Promise.all([runner.close(), patient.close()]))

/** What a driver gets wrong in a check: the aspects of a scenario that differ, or the check by hand. */
async function wrongIn(driver: AdapterDriver, cell: string, by: Runner): Promise<readonly string[]> {
  const [id] = cell.split('/')
  const { status, aspects } = await by.run(
    driver,
    checks.find((each) => each.id === id)!,
  )
  if (status !== 'fail') return []
  return aspects?.map((aspect) => `${id}/${aspect}`) ?? [id!]
}

/** Whether a check catches a driver. Where a turn was cut off for another reason, it has all the time it needs. */
async function isCaught(driver: AdapterDriver, cell: string): Promise<boolean> {
  for (const by of [runner, patient]) if ((await wrongIn(driver, cell, by)).includes(cell)) return true
  return false
}

describe('the checks', () => {
  const cells = [...carelessFaults.flatMap(({ caughtBy }) => caughtBy), ...OTHERS.flatMap(([, , caughtBy]) => caughtBy)]

  it('[CONF-4, CONF-11] each catch a broken adapter, and each aspect of scenarios at least three', () => {
    const named = new Set(cells.map((cell) => cell.split('/')[0]))
    expect(new Set(checks.map(({ id }) => id))).toEqual(named)
    for (const { id } of ASPECTS)
      expect([id, cells.filter((cell) => cell.endsWith(`/${id}`)).length >= 3]).toEqual([id, true])
  })

  it.each(OTHERS)('[CONF-4] catch an adapter that %s', async (_, driver, caughtBy) => {
    for (const cell of caughtBy) {
      expect([cell, await isCaught(driver, cell)]).toEqual([cell, true])
      expect(await wrongIn(oneVariant(loopDriver()), cell, patient)).toEqual([])
    }
  })

  const { chosen, text } = sample(carelessFaults, 3)

  it(`[CONF-4, CONF-10, CONF-11] catch the mistakes of careless adapter authors, and none if there is no mistake (${text})`, async () => {
    const behaves = { wrong: 'behaves', caughtBy: [], edits: [] }
    const [own, ...drivers] = await carelessDrivers([behaves, ...chosen])
    const missed: string[] = []
    for (const [index, driver] of drivers.entries()) {
      for (const cell of chosen[index]!.caughtBy) {
        if (!(await isCaught(driver, cell))) missed.push(`${driver.name}: ${cell}`)
      }
    }
    expect(missed).toEqual([])
    for (const id of new Set(chosen.flatMap(({ caughtBy }) => caughtBy).map((cell) => cell.split('/')[0]!)))
      expect([id, await wrongIn(own!, id, patient)]).toEqual([id, []])
  }, 240_000)
})
