import { openModelEndpoint } from '../../src/endpoint/endpoint.ts'
import { differences } from '../../src/oracle/compare.ts'
import { playScenario } from '../../src/oracle/play.ts'
import { referenceDriver } from '../../src/oracle/reference.ts'
import { SCENARIOS } from '../../src/oracle/scenarios/index.ts'
import { loopDriver } from '../loop-driver.ts'

const only = process.argv.slice(2)
const endpoint = await openModelEndpoint()
const began = performance.now()
for (const scenario of SCENARIOS) {
  if (only.length > 0 && !only.some((each) => scenario.id.includes(each))) continue
  const reference = referenceDriver()
  const expected = await playScenario(scenario, {
    driver: reference,
    variant: reference.variants[0],
    endpoint,
    deadline: 5000,
  })
  const driver = loopDriver()
  const run = await playScenario(scenario, { driver, variant: driver.variants[1]!, endpoint, deadline: 5000 })
  const found = differences(run, expected, scenario)
  console.log(
    scenario.id,
    expected.conversations.map(({ exchanges }) => exchanges.length).join('+'),
    expected.ends.map(({ end }) => end.slice(0, 60)).join(' | '),
    expected.left.join(' ').slice(0, 300),
  )
  for (const { aspect, reason } of found) console.log('   ', aspect, reason.slice(0, 700))
}
console.log(Math.round(performance.now() - began), 'ms')
await endpoint.close()
