import process from 'node:process'
import { playConformance } from '@repertoire/conformance'
import { aiSdk6Driver } from '../../src/conformance/v6.ts'

/** Prints the scenarios that fail as JSON: `run-scenarios.ts all`, or `by-turns`. */
const [variants = 'all'] = process.argv.slice(2)
const { results } = await playConformance({ drivers: [aiSdk6Driver], variants: variants as 'all' })
process.stdout.write(
  JSON.stringify(results.filter(({ status }) => status === 'fail').map(({ id, reason }) => [id, reason])),
)
