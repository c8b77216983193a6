import { writeFileSync } from 'node:fs'
import process from 'node:process'
import type { AdapterDriver } from '../../src/driver.ts'
import { openModelEndpoint } from '../../src/endpoint/endpoint.ts'
import { differences } from '../../src/oracle/compare.ts'
import { playScenario } from '../../src/oracle/play.ts'
import { referenceDriver } from '../../src/oracle/reference.ts'
import type { Run, Scenario } from '../../src/oracle/scenario.ts'
import { SCENARIOS } from '../../src/oracle/scenarios/index.ts'
import { carelessDrivers } from '../careless-adapter.ts'
import { carelessFaults } from '../careless-faults.ts'
import { behaving, brokenDriver, faults } from '../faults.ts'

process.on('unhandledRejection', () => {})
const [which = 'broken', most = '6', ...words] = process.argv.slice(2)
const endpoint = await openModelEndpoint()
const references = new Map<Scenario, Promise<Run>>()
const reference = referenceDriver()
const play = (driver: AdapterDriver, scenario: Scenario, deadline = 1000) =>
  playScenario(scenario, { driver, variant: driver.variants[0], endpoint, deadline })

interface Broken {
  readonly driver: AdapterDriver
  readonly wrong: string
  readonly caughtBy: readonly string[]
}

const control = { wrong: 'behaves', caughtBy: undefined, edits: [] }
const drivers: readonly Broken[] =
  which === 'careless'
    ? (await carelessDrivers([control, ...carelessFaults])).map((driver, at) => ({
        driver,
        wrong: driver.name,
        caughtBy: at === 0 ? [] : [carelessFaults[at - 1]!.caughtBy ?? ''],
      }))
    : [behaving, ...faults].map((fault) => ({ driver: brokenDriver(fault), ...fault }))

const matrix: Record<string, Record<string, string>> = {}
const missed: string[] = []
const began = performance.now()

async function judge({ driver, wrong, caughtBy }: Broken, index: number): Promise<void> {
  const areas = new Set(caughtBy.map((id) => id.split('-')[0]))
  const rank = ({ area }: Scenario): number => (areas.has(area) ? 0 : 1)
  const turned = [...SCENARIOS.slice(index % SCENARIOS.length), ...SCENARIOS.slice(0, index % SCENARIOS.length)]
  const row: Record<string, string> = {}
  let caught = 0
  for (const scenario of turned.toSorted((one, other) => rank(one) - rank(other))) {
    if (!(scenario.needs ?? []).every((need) => driver.capabilities[need] === true)) continue
    const expected = references.get(scenario) ?? play(reference, scenario, 20_000)
    references.set(scenario, expected)
    const found = await play(driver, scenario, Number(process.env.DEADLINE ?? 1000)).then(
      async (run) => differences(run, await expected, scenario),
      (error: unknown) => [{ aspect: 'ended', reason: String(error) }],
    )
    for (const { aspect, reason } of found) row[`${scenario.id}/${aspect}`] = reason.slice(0, 300)
    if (words.length > 0) for (const { aspect, reason } of found) console.log(scenario.id, aspect, reason.slice(0, 500))
    if (found.length > 0) caught += 1
    if (caught >= Number(most)) break
  }
  matrix[wrong] = row
  if (caught > 0) return
  missed.push(wrong)
  console.log(`MISSED: ${wrong} | ${caughtBy.slice(0, 4).join(' ')}`)
}

const waiting = [...drivers.entries()].filter(
  ([, { wrong }]) => words.length === 0 || words.some((each) => wrong.includes(each)),
)
await Promise.all(
  Array.from({ length: 5 }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await judge(next[1], next[0])
  }),
)
const seconds = Math.round((performance.now() - began) / 1000)
console.log(
  `${which}: ${Object.keys(matrix).length} drivers, ${missed.length} not caught, ${seconds} s, ${SCENARIOS.length} scenarios`,
)
writeFileSync(`/tmp/oracle-${which}-${most}.json`, JSON.stringify(matrix, undefined, 1))
await endpoint.close()
process.exit(0)
