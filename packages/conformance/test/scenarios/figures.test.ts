import { describe, expect, test } from 'vitest'
import { figuresOf, missedAims, tokenSpread } from '../../src/scenarios/figures.ts'
import type { ScenarioResult } from '../../src/scenarios/run.ts'

function result(scenario: string, changes: Partial<ScenarioResult> = {}): ScenarioResult {
  return {
    scenario,
    passed: true,
    steps: 3,
    tokens: { input: 90, output: 10 },
    paths: { tried: 10, failed: 0, intended: 0 },
    scriptReads: 0,
    scriptsShown: 0,
    violations: 0,
    scripts: { started: 0, succeeded: 0 },
    skills: [],
    ...changes,
  }
}

describe('figures', () => {
  test('[LLM-1, OBS-2] sum up the results of a model, with rates where there is something to count', () => {
    const results = [
      result('a', {
        paths: { tried: 30, failed: 2, intended: 3 },
        scriptReads: 1,
        scripts: { started: 4, succeeded: 3 },
      }),
      result('b', { passed: false, violations: 2, scriptsShown: 1 }),
    ]
    expect(figuresOf({ model: 'm', results })).toEqual({
      model: 'm',
      passed: 1,
      scenarios: 2,
      paths: { tried: 40, failed: 2, intended: 3, rate: 0.05 },
      scriptReads: 1,
      scriptsShown: 1,
      violations: 2,
      scripts: { started: 4, succeeded: 3, rate: 0.75 },
      steps: 6,
      tokens: { input: 180, output: 20 },
    })
    expect(figuresOf({ model: 'm', results: [] }).paths).toEqual({ tried: 0, failed: 0, intended: 0 })
  })

  test('[LLM-1] show the spread of the tokens between models that passed a scenario', () => {
    const of = (model: string, total: number, passed = true) => ({
      model,
      results: [result('a', { passed, tokens: { input: total, output: 0 } })],
    })
    expect(tokenSpread([of('x', 100), of('y', 130), of('z', 110), of('gave-up', 1, false)])).toEqual([
      { scenario: 'a', least: 100, most: 130, spread: 130 / 100 - 1 },
    ])
    expect(tokenSpread([of('x', 100), of('y', 100, false)])).toEqual([])
    expect(tokenSpread([])).toEqual([])
  })

  test('[LLM-1] list every aim that was missed, and none that was just met', () => {
    const met = { model: 'met', results: [result('a', { paths: { tried: 20, failed: 1, intended: 0 } })] }
    const near = { model: 'near', results: [result('a', { tokens: { input: 120, output: 0 } })] }
    expect(missedAims([met, near])).toEqual([])
    const lost = {
      model: 'lost',
      results: [result('a', { paths: { tried: 19, failed: 1, intended: 0 }, scriptsShown: 1 })],
    }
    const far = { model: 'far', results: [result('a', { tokens: { input: 121, output: 0 } })] }
    const failed = { model: 'failed', results: [result('a', { passed: false })] }
    const missed = missedAims([lost, far, failed])
    expect(missed).toHaveLength(4)
    expect(missed[0]).toMatch(/^lost: 5\.3 % of the paths/)
    expect(missed[1]).toMatch(/^lost: .*script/)
    expect(missed[2]).toMatch(/^failed: 1 of 1/)
    expect(missed[3]).toMatch(/^a: .*21 % apart/)
    expect(missedAims([lost], { pathFailures: 1, scriptsShown: 1 })).toEqual([])
    expect(missedAims([lost], { pathFailures: undefined })).toEqual(missedAims([lost]))
  })
})
