import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelEndpoint, openModelEndpoint } from '../../src/endpoint/endpoint.ts'
import { ASPECTS } from '../../src/oracle/aspects.ts'
import { differences } from '../../src/oracle/compare.ts'
import { playScenario } from '../../src/oracle/play.ts'
import { referenceDriver } from '../../src/oracle/reference.ts'
import type { Run, Scenario } from '../../src/oracle/scenario.ts'
import { SCENARIOS } from '../../src/oracle/scenarios/index.ts'
import type { AdapterDriver } from '../../src/driver.ts'
import { carelessDrivers } from '../careless-adapter.ts'
import { carelessFaults } from '../careless-faults.ts'
import { behaving, brokenDriver, faults } from '../faults.ts'
import { BROKEN, BY_HAND, CARELESS } from './breaks.ts'

/** How long a turn may take, in milliseconds: some faults make an adapter hang. */
const DEADLINE_MS = 1_500

let endpoint: ModelEndpoint
beforeAll(async () => void (endpoint = await openModelEndpoint()))
afterAll(() => endpoint.close())

const references = new Map<Scenario, Promise<Run>>()

/** The aspects of a scenario in which a driver differs from the reference. */
async function differing(driver: AdapterDriver, id: string): Promise<readonly string[]> {
  const scenario = SCENARIOS.find((each) => each.id === id)!
  const reference = referenceDriver()
  const play = (of: AdapterDriver) =>
    playScenario(scenario, { driver: of, variant: of.variants[0], endpoint, deadline: DEADLINE_MS })
  const expected = references.get(scenario) ?? play(reference)
  references.set(scenario, expected)
  return differences(await play(driver), await expected, scenario).map(({ aspect }) => aspect)
}

const cells = [...Object.values(BROKEN), ...Object.values(CARELESS)].map((cell) => cell.split('/') as [string, string])

describe('the scenarios', () => {
  it('[CONF-4, CONF-11] each catch at least one broken adapter, and each aspect at least three', () => {
    const scenarios = new Set(cells.map(([id]) => id))
    expect(SCENARIOS.map(({ id }) => id).filter((id) => !scenarios.has(id))).toEqual([])
    for (const { id } of ASPECTS) {
      expect([id, cells.filter(([, aspect]) => aspect === id).length >= 3]).toEqual([id, true])
    }
  })

  it('[CONF-4, CONF-10] catch every broken adapter, but for those that are left to checks by hand', () => {
    const known = new Set([...Object.keys(BROKEN), ...BY_HAND])
    expect(faults.map(({ wrong }) => wrong).filter((wrong) => !known.has(wrong))).toEqual([])
    const careless = new Set([...Object.keys(CARELESS), ...BY_HAND])
    expect(carelessFaults.map(({ wrong }) => wrong).filter((wrong) => !careless.has(wrong))).toEqual([])
    expect(BY_HAND.length).toBeLessThan(12)
  })

  it.each([...new Set(cells.map(([id]) => id))])(
    '[CONF-4] play `%s` with the wrapper of the broken adapters, as long as it breaks nothing',
    async (id) => {
      expect(await differing(brokenDriver(behaving), id)).toEqual([])
    },
  )

  it.each(faults.flatMap((fault) => (Object.hasOwn(BROKEN, fault.wrong) ? [[fault.wrong, fault] as const] : [])))(
    '[CONF-4, CONF-11] catch an adapter that %s',
    async (wrong, fault) => {
      const [id, aspect] = BROKEN[wrong]!.split('/')
      expect(await differing(brokenDriver(fault), id!)).toContain(aspect)
    },
    30_000,
  )

  it('[CONF-10, CONF-11] catch the mistakes of careless adapter authors, and none in the guide', async () => {
    const behaves = { wrong: 'behaves', caughtBy: undefined, edits: [] }
    const caught = carelessFaults.filter(({ wrong }) => Object.hasOwn(CARELESS, wrong))
    const [own, ...drivers] = await carelessDrivers([behaves, ...caught])
    const missed: string[] = []
    for (const driver of drivers) {
      const [id, aspect] = CARELESS[driver.name]!.split('/')
      if (!(await differing(driver, id!)).includes(aspect!)) missed.push(driver.name)
      expect([id, await differing(own!, id!)]).toEqual([id, []])
    }
    expect(missed).toEqual([])
  }, 120_000)
})
