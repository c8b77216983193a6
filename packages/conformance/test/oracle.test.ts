import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AdapterDriver } from '../src/driver.ts'
import { ASPECTS } from '../src/oracle/aspects.ts'
import { SCENARIOS } from '../src/checks/scenarios/index.ts'
import { type Result, runConformance } from '../src/index.ts'
import { all } from './docs/scenario-example.ts'
import { loopDriver, startLoop } from './loop-driver.ts'

/** An adapter that words refusals itself. */
const wordy = loopDriver({
  start: async (task) =>
    startLoop(task, (body) => ({
      ...body,
      messages: body.messages.map((message) =>
        String(message['content']).includes('SKILL_NOT_FOUND') ? { ...message, content: 'No such skill.' } : message,
      ),
    })),
})

async function rowOf(driver: AdapterDriver): Promise<Result> {
  return (await runConformance({ drivers: [driver], only: ['activation-calls'] })).results[0]!
}

it('[CONF-11] gives a row for each scenario, without an aspect if all are as core says', async () => {
  const row = await rowOf(loopDriver())
  expect([row.id, row.status, row.aspects]).toEqual(['activation-calls', 'pass', undefined])
  expect(ASPECTS).toHaveLength(12)
})

it('[CONF-6, CONF-11] shows the first difference of each aspect in its context', async () => {
  const row = await rowOf(wordy)
  expect(row.status).toBe('fail')
  expect(row.aspects).toContain('results')
  expect(row.aspects).not.toContain('toolRuns')
  expect(row.reason).toMatch(/^results: expected the result of \w+, in the agent.* to be "\{/)
  expect(row.reason).toMatch(/saw "No such skill\."$/m)
  expect(row.reason!.length).toBeLessThan(1200)
})

it('[CONF-6, CONF-11] tells only the error of a run that failed; if that is known, the rest, and if there is nothing', async () => {
  const throwing: Partial<AdapterDriver> = {
    start: async (task) =>
      startLoop(task, (body) => {
        if (body.messages.length > 2) throw new TypeError('No such message.')
        return body
      }),
  }
  const { reason, aspects } = await rowOf(loopDriver(throwing))
  expect(reason).toMatch(
    /^ended: expected the end of "Hello" to be "done: .*", saw "failed: TypeError: No such message\."$/,
  )
  expect(aspects).toContain('history')
  const rest = await rowOf(loopDriver({ ...throwing, known: { '*/ended': 'It throws.' } }))
  expect(rest.reason).not.toMatch(/^ended/m)
  expect(rest.reason).toMatch(/^history: expected the messages of request 2 .*, saw nothing$/m)
})

it('[CONF-6, CONF-11] says of a conversation that no script begins as it does', async () => {
  const rewriting = loopDriver({
    start: async (task) =>
      startLoop(task, (body) => ({
        ...body,
        messages: body.messages.map((message) =>
          String(message['content']).startsWith('<skill_content')
            ? { ...message, content: String(message['content']).replaceAll('Body', 'Text') }
            : message,
        ),
      })),
  })
  const report = await runConformance({ drivers: [rewriting], only: ['forks-history'] })
  expect(report.results[0]!.reason).toContain('conversation that no script begins as: <skill_content')
})

it('[CONF-2, CONF-11] plays a scenario of a third party beside its own', async () => {
  const report = await runConformance({ drivers: [loopDriver()], checks: all, only: ['activation-mine'] })
  // The model has no step for the message behind the restart, which both runs show.
  expect(report.results).toMatchObject([{ status: 'pass' }])
})

it('[CONF-11] plays at most 70 scenarios, and compares them with a driver of about one page', async () => {
  expect(SCENARIOS.length).toBeLessThanOrEqual(70)
  const source = await readFile(join(import.meta.dirname, '../src/oracle/reference.ts'), 'utf8')
  expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
})
