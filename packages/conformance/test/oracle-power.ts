import process from 'node:process'
import { writeFileSync } from 'node:fs'
import { openModelEndpoint } from '../src/endpoint/endpoint.ts'
import { differences } from '../src/oracle/compare.ts'
import { playScenario } from '../src/oracle/play.ts'
import { referenceDriver } from '../src/oracle/reference.ts'
import { SCENARIOS } from '../src/oracle/scenarios/index.ts'
import type { Run } from '../src/oracle/scenario.ts'
import { behaving, brokenDriver, faults } from './faults.ts'
import { carelessDrivers } from './careless-adapter.ts'
import { carelessFaults } from './careless-faults.ts'

process.on('unhandledRejection', () => {})
const [which = 'broken', mode = 'first', ...words] = process.argv.slice(2)
const endpoint = await openModelEndpoint()
const references = new Map<string, Run>()
const reference = referenceDriver()
for (const scenario of SCENARIOS)
  references.set(
    scenario.id,
    await playScenario(scenario, { driver: reference, variant: reference.variants[0], endpoint, deadline: 5000 }),
  )
const drivers =
  which === 'careless'
    ? (await carelessDrivers([{ wrong: 'behaves', caughtBy: undefined, edits: [] }, ...carelessFaults])).map(
        (driver, at) => ({
          driver,
          wrong: driver.name,
          caughtBy: at === 0 ? [] : [carelessFaults[at - 1]!.caughtBy ?? '(none)'],
        }),
      )
    : [behaving, ...faults].map((fault) => ({
        driver: brokenDriver(fault),
        wrong: fault.wrong,
        caughtBy: fault.caughtBy,
      }))
const matrix: Record<string, Record<string, string>> = {}
let missed = 0
const began = performance.now()
for (const { driver, wrong, caughtBy } of drivers) {
  if (words.length > 0 && !words.some((each) => wrong.includes(each))) continue
  const row: Record<string, string> = {}
  for (const scenario of SCENARIOS) {
    const has = (scenario.needs ?? []).every((need) => driver.capabilities[need] === true)
    if (!has) continue
    const run = await playScenario(scenario, { driver, variant: driver.variants[0], endpoint, deadline: 1500 })
    for (const { aspect, reason } of differences(run, references.get(scenario.id)!, scenario)) {
      row[`${scenario.id}/${aspect}`] = reason.slice(0, 400)
      if (words.length > 0) console.log(scenario.id, aspect, reason.slice(0, 500))
    }
    if (mode === 'first' && Object.keys(row).length > 0) break
  }
  matrix[wrong] = row
  if (Object.keys(row).length === 0) {
    missed += 1
    console.log('MISSED:', wrong, '|', caughtBy.slice(0, 4).join(' '))
  }
}
console.log(
  `${which}: ${Object.keys(matrix).length} drivers, ${missed} not caught, ${Math.round((performance.now() - began) / 1000)} s, ${SCENARIOS.length} scenarios`,
)
writeFileSync(`/tmp/oracle-${which}-${mode}.json`, JSON.stringify(matrix, undefined, 1))
await endpoint.close()
