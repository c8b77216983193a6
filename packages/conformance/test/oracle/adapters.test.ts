import { expect, it } from 'vitest'
import { playConformance } from '../../src/oracle/run.ts'
import { agentDriver, conversationDriver } from '../guide-driver.ts'
import { loopDriver } from '../loop-driver.ts'

it.each([
  ['the loop', loopDriver()],
  ["the guide's agent", agentDriver],
  ["the guide's conversation", conversationDriver],
] as const)(
  '[CONF-1, CONF-11] %s sends, runs, asks, records and ends the same as the reference',
  async (_, driver) => {
    const { results } = await playConformance({ drivers: [driver] })
    expect(
      results.filter(({ status }) => status !== 'pass' && status !== 'n/a').map(({ id, reason }) => [id, reason]),
    ).toEqual([])
    expect(results.length).toBeGreaterThan(40)
  },
  120_000,
)
