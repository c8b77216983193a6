import process from 'node:process'
import { expect, it } from 'vitest'
import { isAvailable, type EngineName } from '../contention/places.ts'
import { runRestarts } from './run.ts'

const inCI = process.env['CI'] !== undefined
const DURATION_MS = 20_000
const SEED = 7
const NAMES: readonly EngineName[] = ['redis', 'postgres', 's3']

// `npm run restart-engines` runs it for minutes.
it.runIf(inCI).each(NAMES.filter(isAvailable))(
  '[LIB-8, LIB-11] an engine that is killed again and again loses nothing that it acknowledged, and work goes on (in CI): %s',
  async (engine) => {
    const report = await runRestarts({ engine, duration: DURATION_MS, seed: SEED })
    expect(report.faults).toEqual([])
    expect(report.kills).toBeGreaterThan(1)
    expect(report.writes).toBeGreaterThan(0)
    if (engine !== 's3') expect(report.saves).toBeGreaterThan(0)
  },
  120_000,
)
