import process from 'node:process'
import { runConformance } from '@repertoire/conformance'
import { aiSdk6Driver } from '../../src/conformance/v6.ts'

/** Prints the results of the suite as JSON: `run-conformance.ts all`, or with a seed; other words are ids of checks. */
const [seed = 'all', ...only] = process.argv.slice(2)
const { results } = await runConformance({
  drivers: [aiSdk6Driver],
  ...(seed !== 'all' && { seed: Number(seed) }),
  ...(only.length > 0 && { only }),
})
process.stdout.write(JSON.stringify(results))
