import process from 'node:process'
import { parseArgs } from 'node:util'
import { isAvailable, type EngineName } from '../contention/places.ts'
import { runRestarts } from './run.ts'

/** `npm run restart-engines -- --minutes 2 --engine redis --seed 1`: see CONTRIBUTING.md. */
const ENGINES: readonly EngineName[] = ['redis', 'postgres', 's3']
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    engine: { type: 'string', multiple: true, default: [...ENGINES] },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new TypeError(`--minutes "${values.minutes}" is not a number of minutes.`)
for (const name of values.engine) {
  const engine = ENGINES.find((each) => each === name)
  if (engine === undefined) throw new TypeError(`--engine "${name}" is not one of ${ENGINES.join(', ')}.`)
  if (!isAvailable(engine)) throw new Error(`There is no server for ${engine}.`)
  process.stdout.write(`${engine}, seed ${values.seed}, ${minutes} minutes\n`)
  const { faults, ...report } = await runRestarts({ engine, duration: minutes * 60_000, seed: Number(values.seed) })
  process.stdout.write(`  ${JSON.stringify(report)}\n`)
  for (const fault of faults.slice(0, 20)) process.stdout.write(`  FAULT: ${fault}\n`)
  if (faults.length > 0) process.exitCode = 1
}
