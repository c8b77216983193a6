import process from 'node:process'
import { runConformance } from '@repertoire/conformance'
import { aiSdk6Driver } from '../../src/conformance/v6.ts'

/** Prints the results of the suite as JSON: `run-conformance.ts all`, or `by-turns`; further words are ids of checks. */
const [variants = 'all', ...only] = process.argv.slice(2)
const { results } = await runConformance({
  drivers: [aiSdk6Driver],
  variants: variants as 'all',
  ...(only.length > 0 && { only }),
})
process.stdout.write(JSON.stringify(results))
