import { SCENARIO_LIMITS, type ScenarioResult, scenarios } from '@repertoire/conformance'
import { describe, expect, it } from 'vitest'
import { createPaint } from '../../src/output/output.ts'
import { modelReport, modelTable } from '../../src/output/model-table.ts'

const [first, second] = scenarios
const PLAIN = createPaint(false)

function result(scenario: string, changes: Partial<ScenarioResult> = {}): ScenarioResult {
  return {
    scenario,
    passed: true,
    steps: 2,
    tokens: { input: 1000, output: 20 },
    paths: { tried: 1, failed: 0, intended: 0 },
    scriptReads: 0,
    scriptsShown: 0,
    violations: 0,
    scripts: { started: 0, succeeded: 0 },
    skills: [],
    ...changes,
  }
}

function table(runs: Parameters<typeof modelReport>[0], stopped = false): string {
  const report = modelReport(runs, [first!, second!], { scripted: false, stopped, limits: SCENARIO_LIMITS })
  return modelTable(report, PLAIN)
}

describe('modelTable', () => {
  it('[LLM-1] shows a column for each model, and that every aim was met', () => {
    const results = [result(first!.id), result(second!.id)]
    const shown = table([
      { model: 'a', results },
      { model: 'b', results },
    ])
    expect(shown).toContain('passed                      2 of 2        2 of 2        all\n')
    expect(shown).toContain(`  ${first!.id}            1,000 + 20    1,000 + 20    0 %\n`)
    expect(shown).not.toContain('✗')
    expect(shown.endsWith('\nEvery aim was met.\n')).toBe(true)
  })

  it('[LLM-1] marks what missed its aim, and says why', () => {
    const shown = table([
      { model: 'good', results: [result(first!.id), result(second!.id, { tokens: { input: 1275, output: 0 } })] },
      {
        model: 'bad',
        results: [
          result(first!.id, { paths: { tried: 3, failed: 1, intended: 0 }, scriptsShown: 1 }),
          result(second!.id, { passed: false, reason: 'nothing\nis there \u001B[31m' }),
        ],
      },
      { model: 'apart', results: [result(first!.id, { tokens: { input: 1225, output: 0 } })] },
    ])
    expect(shown).toMatch(/passed +2 of 2 +1 of 2 ✗ +1 of 1 +all/)
    expect(shown).toMatch(/paths to nowhere +0 % \(0 of 2\) +25 % \(1 of 4\) ✗ +0 % \(0 of 1\) +≤ 5 %/)
    expect(shown).toMatch(/scripts shown +0 +1 ✗ +0 +0/)
    expect(shown).toMatch(new RegExp(`${first!.id} .* 20.1 % ✗\n`))
    expect(shown).toMatch(new RegExp(`${second!.id} +1,275 \\+ 0 +1,000 \\+ 20 ✗ +– +–\n`))
    expect(shown).toContain(String.raw`✗ bad  ${second!.id}: nothing is there \u{1B}[31m`)
    expect(shown.slice(shown.indexOf('Missed')).trim().split('\n')).toHaveLength(5)
  })

  it('[LLM-1] tells what kept a model from being measured, and praises nothing that was stopped', () => {
    const problem = 'The endpoint rejected the key (401).'
    const refused = table([{ model: 'a', problem, results: [result(first!.id, { passed: false, reason: problem })] }])
    expect(refused).toContain(`✗ a: ${problem}\n`)
    expect(refused.match(/rejected the key/g)).toHaveLength(1)
    expect(table([{ model: 'a', results: [] }], true)).not.toContain('Every aim')
  })
})
