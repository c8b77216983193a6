import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AdapterDriver } from '../../src/driver.ts'
import { ASPECTS } from '../../src/oracle/aspects.ts'
import { playConformance, type Row } from '../../src/oracle/run.ts'
import { SCENARIOS } from '../../src/oracle/scenarios/index.ts'
import { behaving, brokenDriver, type Fault, results } from '../faults/break.ts'
import { loopDriver } from '../loop-driver.ts'

/** An adapter that words what a person denies itself. */
const wordy: Fault = {
  ...behaving,
  wrong: 'words refusals itself',
  body: results((text) => (text.includes('SKILL_NOT_FOUND') ? 'No such skill.' : text)),
}

async function rowOf(driver: AdapterDriver, id = 'activation-wrong'): Promise<Row> {
  const { results: rows } = await playConformance({ drivers: [driver], only: [id], variants: 'all' })
  return rows[0]!
}

const { capabilities } = loopDriver()
const withKnown = (known: AdapterDriver['known']): AdapterDriver => ({ ...brokenDriver(wordy), known })

describe('playConformance', () => {
  it('[CONF-11] gives a row for each scenario, with a cell for each aspect', async () => {
    const row = await rowOf(loopDriver())
    expect(row).toMatchObject({ id: 'activation-wrong', status: 'pass' })
    expect(Object.keys(row.cells)).toEqual(ASPECTS.map(({ id }) => id))
    expect(new Set(Object.values(row.cells))).toEqual(new Set(['pass']))
  })

  it('[CONF-6, CONF-11] shows the first difference of each aspect in its context', async () => {
    const row = await rowOf(brokenDriver(wordy))
    expect(row.status).toBe('fail')
    expect(row.cells).toMatchObject({ results: 'fail', toolRuns: 'pass' })
    expect(row.reason).toMatch(/^in json and sse: results: expected the result of call_1_1, in the agent.* to be "\{/)
    expect(row.reason).toMatch(/saw "No such skill\."$/m)
    expect(row.reason!.length).toBeLessThan(1200)
  })

  it('[CONF-2] keeps a known difference out of the verdict, and turns red where it is gone', async () => {
    const known = { 'activation-wrong/results': 'The framework words them.' }
    expect(await rowOf(withKnown(known))).toMatchObject({
      status: 'known',
      reason: 'results: The framework words them.',
      cells: { results: 'known' },
    })
    const fixed = await rowOf({ ...loopDriver(), known })
    expect(fixed.status).toBe('fail')
    expect(fixed.reason).toContain('Remove "activation-wrong/results" from `known`.')
  })

  it('[CONF-2] fails for another difference beside a known one', async () => {
    const driver = withKnown({ 'activation-wrong/toolRuns': 'Not so.' })
    expect((await rowOf(driver)).reason).toContain('results: expected')
    await expect(rowOf(withKnown({ 'activation-wrong/colours': 'Not so.' }))).rejects.toThrow(
      '"activation-wrong/colours"',
    )
  })

  it('[CONF-2] declares or fails: a capability that is missing is not applicable, one that is not declared fails', async () => {
    const { suspend: _, ...others } = capabilities
    const absent = loopDriver({ capabilities: { ...others, suspend: { absent: 'nobody can be asked' } } })
    const without: AdapterDriver = {
      ...absent,
      start: async (task) => {
        const conversation = await loopDriver().start(task)
        return { ...conversation, answer: () => Promise.reject(new Error('There is nothing to answer.')) }
      },
    }
    expect(await rowOf(without, 'consent-suspends')).toMatchObject({
      status: 'n/a',
      reason: 'suspend: nobody can be asked',
    })
    expect((await rowOf(absent, 'consent-suspends')).reason).toContain('Declared absent, and present after all')
    const undeclared = loopDriver({ capabilities: others as AdapterDriver['capabilities'] })
    expect((await rowOf(undeclared, 'consent-suspends')).reason).toContain('does not declare the capability "suspend"')
  })
})

describe('the scenarios', () => {
  it('[CONF-11] have ids, areas and titles as reports need them, and need what the reference has', () => {
    expect(new Set(SCENARIOS.map(({ id }) => id)).size).toBe(SCENARIOS.length)
    for (const { title, needs = [], free = {} } of SCENARIOS) {
      expect(title).toMatch(/^\[[A-Z]+-\d+(, [A-Z]+-\d+)*\] [a-z`"]/)
      expect(needs.filter((need) => capabilities[need] !== true)).toEqual([])
      expect(Object.keys(free).filter((id) => !ASPECTS.some((aspect) => aspect.id === id))).toEqual([])
    }
  })

  it('[CONF-11] are compared with a driver of about one page', async () => {
    const source = await readFile(join(import.meta.dirname, '../../src/oracle/reference.ts'), 'utf8')
    expect(source.split('\n').length).toBeLessThanOrEqual(160)
  })
})
