import process from 'node:process'
import { pathToFileURL } from 'node:url'
import type { AdapterDriver } from '../../src/driver.ts'
import { playConformance } from '../../src/oracle/run.ts'

/** Plays the scenarios with a driver: `real.ts FILE EXPORT [all|each-protocol|by-turns] [ids…]`. */
const [file = '', name = '', variants = 'all', ...only] = process.argv.slice(2)
const driver = ((await import(pathToFileURL(file).href)) as Record<string, AdapterDriver>)[name]!
process.on('unhandledRejection', () => {})
const began = performance.now()
const { results } = await playConformance({
  drivers: [driver],
  variants: variants as 'all',
  ...(only.length > 0 && { only }),
})
for (const { id, status, reason = '' } of results) if (status !== 'pass') console.log(status, id, reason.slice(0, 1500))
const count = (wanted: string): number => results.filter(({ status }) => status === wanted).length
const counts = ['pass', 'known', 'n/a', 'fail'].map((status) => `${count(status)} ${status}`)
console.log(`${driver.name}: ${counts.join(', ')} in ${Math.round((performance.now() - began) / 1000)} s`)
process.exit(0)
