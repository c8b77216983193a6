import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { checks } from '../src/checks/index.ts'
import { runConformance } from '../src/run.ts'
import { carelessFaults } from './careless-faults.ts'
import { behaving, brokenDriver, faults } from './faults.ts'
import { loopDriver } from './loop-driver.ts'
import { isMeant } from './meant.ts'
import { shareOf } from './share.ts'

describe('the checks', () => {
  it('[CONF-1] pass for an adapter that behaves', async () => {
    const variants = process.env['CI'] === undefined ? 'by-turns' : 'all'
    const share = shareOf(0)
    const { results } = await runConformance({ drivers: [loopDriver()], checks: share, variants })
    expect(results.filter(({ status }) => status !== 'pass')).toEqual([])
    expect(results.length).toBe(share.length)
  }, 120_000)

  it('[CONF-1, CONF-8] on what a model is sent back pass for an adapter that speaks Gemini and behaves', async () => {
    const driver = loopDriver({ variants: [{ name: 'gemini', protocol: 'gemini' }] })
    const history = checks.filter(({ id }) => /^history-(?:reasoning|files|steps|parallel)/.test(id))
    const { results } = await runConformance({ drivers: [driver], checks: history })
    expect(results.filter(({ status }) => status !== 'pass')).toEqual([])
    expect(history).toHaveLength(7)
  }, 120_000)

  it('[CONF-4] each have a broken adapter that they catch', () => {
    const caught = new Set([...faults, ...carelessFaults].flatMap(({ caughtBy }) => caughtBy ?? []))
    expect(checks.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([])
    expect([...caught].filter((id) => !checks.some((check) => check.id === id))).toEqual([])
  })

  it('[CONF-4] pass for the wrapper of the broken adapters, as long as it breaks nothing', async () => {
    const { results } = await runConformance({ drivers: [brokenDriver(behaving)], variants: 'by-turns' })
    expect(results.filter(({ status }) => status !== 'pass')).toEqual([])
    expect(results.length).toBe(checks.length)
  }, 120_000)

  it.each(faults.map((fault) => [fault.wrong, fault] as const))(
    '[CONF-4] catch an adapter that %s',
    async (_, fault) => {
      const misuses: TypeError[] = []
      const { results } = await runConformance({
        drivers: [brokenDriver(fault, (error) => misuses.push(error))],
        only: fault.caughtBy,
        concurrency: 1,
        variants: process.env['CI'] === undefined ? 'by-turns' : 'each-protocol',
        deadline: fault.deadline ?? 5000,
      })
      expect(results.filter(({ status }) => status !== 'fail').map(({ id }) => id)).toEqual([])
      expect(results.map(({ id }) => id).toSorted()).toEqual(fault.caughtBy.toSorted())
      const reasons = results.flatMap(({ variants }) => (variants ?? []).flatMap(({ reason }) => reason ?? []))
      expect(reasons.length).toBeGreaterThanOrEqual(fault.caughtBy.length)
      expect(reasons.filter((reason) => !isMeant(reason, fault))).toEqual([])
      expect(misuses).toEqual([])
    },
    120_000,
  )

  it('[CONF-1] have ids, titles and areas as the report needs them', () => {
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
    for (const { id, area, title } of checks) {
      expect(id.startsWith(`${area}-`)).toBe(true)
      expect(title).toMatch(/^\[[A-Z]+-\d+(, [A-Z]+-\d+)*\] [a-z`"]/)
    }
    expect(checks.length).toBeGreaterThanOrEqual(150)
  })
})
