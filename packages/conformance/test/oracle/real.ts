import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { openModelEndpoint } from '../../src/endpoint/endpoint.ts'
import { isPresentIn, type AdapterDriver } from '../../src/driver.ts'
import { differences } from '../../src/oracle/compare.ts'
import { playScenario } from '../../src/oracle/play.ts'
import { referenceDriver } from '../../src/oracle/reference.ts'
import { SCENARIOS } from '../../src/oracle/scenarios/index.ts'
import type { Run } from '../../src/oracle/scenario.ts'

process.on('unhandledRejection', () => {})
const [file = '', name = '', which = 'all', ...only] = process.argv.slice(2)
const driver = ((await import(pathToFileURL(file).href)) as Record<string, AdapterDriver>)[name]!
const endpoint = await openModelEndpoint()
const references = new Map<string, Run>()
const seen = new Map<string, string[]>()
const began = performance.now()
let played = 0
for (const variant of driver.variants) {
  if (which !== 'all' && variant.name !== which) continue
  await variant.load?.()
  const continues = isPresentIn(driver, variant, 'continuation')
  for (const scenario of SCENARIOS) {
    if (only.length > 0 && !only.some((each) => scenario.id.includes(each))) continue
    if (!(scenario.needs ?? []).every((need) => isPresentIn(driver, variant, need))) continue
    const key = `${scenario.id} ${continues}`
    const reference = referenceDriver(continues)
    const expected =
      references.get(key) ??
      (await playScenario(scenario, { driver: reference, variant: reference.variants[0], endpoint, deadline: 5000 }))
    references.set(key, expected)
    const run = await playScenario(scenario, { driver, variant, endpoint, deadline: 5000 })
    played += 1
    for (const { aspect, reason } of differences(run, expected, scenario)) {
      const at = `${scenario.id}/${aspect}: ${reason.slice(0, only.length > 0 ? 3000 : 420)}`
      seen.set(at, [...(seen.get(at) ?? []), variant.name])
    }
  }
}
for (const [at, variants] of seen) console.log(`[${variants.join('; ')}]`, at)
console.log(`${played} plays, ${seen.size} differences, ${Math.round(performance.now() - began)} ms`)
await endpoint.close()
process.exit(0)
