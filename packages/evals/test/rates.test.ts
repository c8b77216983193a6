import process from 'node:process'
import { expect, test } from 'vitest'
import { type EvalRun, type Rate, renderMarkdown, skillHarness, summarise } from '../src/index.ts'
import { activate, ADAPTERS, caseOf, folderWith, say, scripted, seeded, skill, skillsOf } from './scripted.ts'

const RATES = [0.3, 0.5, 0.9]
const SEEDS = Array.from({ length: process.env['CI'] === undefined ? 30 : 100 }, (_, at) => at + 1)
/** Runs of each seed. With five, an interval of 95 % contains a rate of 90 % in 92 of 100 cases; with six in 98. */
const RUNS = 6
const PDF = caseOf({ skill: 'pdf', shouldTrigger: true })

test.each(ADAPTERS)(
  '[EVAL-5] through $name, the interval contains the true rate of a model (30, 50 or 90 %) for at least 90 % of 100 seeds (30 without CI)',
  async (adapter) => {
    let rate = 0
    let next = seeded(0)
    const model = await scripted(() => (next() < rate ? [activate('pdf'), say('Done.')] : [say('Done.')]))
    const harness = skillHarness({ adapter, repertoire: skillsOf(folderWith(skill('pdf'))), model })

    /** Returns what the report says of a model with this rate. */
    async function estimate(): Promise<Rate> {
      const attempts = Array.from({ length: RUNS }, (_, at) => at + 1)
      const runs: EvalRun[] = await Promise.all(attempts.map((attempt) => harness.run(PDF, { attempt })))
      const summary = summarise(runs)
      const { triggered } = summary.skills[0]!
      expect(triggered).toMatchObject({
        hits: runs.filter(({ activated }) => activated.length > 0).length,
        total: RUNS,
      })
      expect(renderMarkdown(summary)).toContain(`${triggered!.hits}/${RUNS} = ${(triggered!.rate * 100).toFixed(0)} %`)
      return triggered!
    }

    const estimates: { readonly of: number; readonly low: number; readonly high: number }[] = []
    for (const seed of SEEDS) {
      rate = RATES[seed % RATES.length]!
      // Another one for each adapter, so that what one proves is not a copy of what another does.
      next = seeded(ADAPTERS.findIndex(({ name }) => name === adapter.name) * 1000 + seed)
      estimates.push({ of: rate, ...(await estimate()) })
    }
    const share = (of: number, contains = of): number => {
      const own = estimates.filter((each) => each.of === of)
      return own.filter(({ low, high }) => low <= contains && contains <= high).length / own.length
    }
    const contained = estimates.filter(({ of, low, high }) => low <= of && of <= high)
    expect(contained.length).toBeGreaterThanOrEqual(0.9 * SEEDS.length)
    for (const each of RATES) expect(share(each)).toBeGreaterThanOrEqual(0.9)
    // Six runs say little, but they do tell 30 % from 90 %.
    expect(share(0.3, 0.9)).toBeLessThan(0.5)
    expect(share(0.9, 0.3)).toBeLessThan(0.5)
  },
)
