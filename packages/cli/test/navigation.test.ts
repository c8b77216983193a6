import {
  type AdapterDriver,
  figuresOf,
  missedAims,
  type ModelEndpoint,
  type ModelRun,
  openModelEndpoint,
  runScenario,
  type ScenarioResult,
  scenarios,
  scriptedAgent,
  tokenSpread,
  type Variant,
} from '@repertoire/conformance'
import process from 'node:process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEFAULT_ADAPTERS, loadDrivers } from '../src/commands/adapters.ts'

let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

/** One variant of each protocol and dialect, streamed and not by turns. */
function variantsOf({ variants }: AdapterDriver): readonly Variant[] {
  const groups = Map.groupBy(variants, ({ protocol, dialect }) => `${protocol} ${dialect?.name}`)
  return [...groups.values()].map((group, index) => group[index % group.length]!)
}

// Outside of CI, one adapter that speaks every protocol.
it.each(process.env['CI'] === undefined ? ['ai-sdk'] : DEFAULT_ADAPTERS)(
  '[LLM-1] %s leads weak models back over every protocol that it speaks, for about the same tokens',
  async (name) => {
    const [driver] = await loadDrivers([name])
    const runs: ModelRun[] = []
    for (const variant of variantsOf(driver!)) {
      const agent = scriptedAgent({ driver: driver!, variant, endpoint })
      const results: ScenarioResult[] = []
      for (const scenario of scenarios) results.push(await runScenario(scenario, agent))
      const bad = results.filter(({ passed, scriptsShown }) => !passed || scriptsShown > 0)
      expect({ variant: variant.name, bad }).toEqual({ variant: variant.name, bad: [] })
      runs.push({ model: variant.name, results })
    }
    expect(tokenSpread(runs)).toHaveLength(scenarios.length)
    // The paths that the scripts get wrong on purpose are counted apart: every other path is held to the aim.
    expect(missedAims(runs)).toEqual([])
    for (const run of runs) {
      const { paths, scriptReads, violations } = figuresOf(run)
      expect({ paths, scriptReads, violations }).toEqual({
        paths: { tried: 3, failed: 0, intended: 2, rate: 0 },
        scriptReads: 2,
        violations: 2,
      })
    }
  },
)
