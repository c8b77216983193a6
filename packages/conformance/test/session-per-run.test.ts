import { expect, test } from 'vitest'
import { runConformance } from '../src/run.ts'
import type { AdapterDriver, Conversation, TaskSetup, Turn } from '../src/driver.ts'
import { loopDriver, startLoop } from './loop-driver.ts'

const WHY = 'Each session ends with its run.'
const ENDS = ['cleanup-ended-by-success', 'cleanup-ended-by-error', 'cleanup-ended-by-abort']

/** A loop that opens a session for each message. */
function perRun(task: TaskSetup, ends: (turn: Turn | undefined) => boolean): Conversation {
  return {
    async send(text, options) {
      const run = startLoop(task)
      let turn: Turn | undefined
      try {
        return (turn = await run.send(text, options))
      } finally {
        if (ends(turn)) await run.end()
      }
    },
    answer: () => Promise.reject(new Error('Nothing is open.')),
    save: () => Promise.reject(new Error('Nothing is saved.')),
    active: () => Promise.resolve([]),
    end: () => Promise.resolve(),
  }
}

function driver(ends: (turn: Turn | undefined) => boolean, more: Partial<AdapterDriver> = {}): AdapterDriver {
  const { capabilities } = loopDriver()
  return loopDriver({
    name: 'a session per run',
    capabilities: { ...capabilities, continuation: { absent: WHY } },
    start: async (task) => perRun(task, ends),
    ...more,
  })
}

async function statuses(drivers: readonly AdapterDriver[], only: readonly string[]) {
  const { results } = await runConformance({ drivers, only })
  return results.map(({ status }) => status)
}

test('[CONF-9] the checks of the end pass for an adapter whose session ends with its run', async () => {
  expect(await statuses([driver(() => true)], ENDS)).toEqual(['pass', 'pass', 'pass'])
})

test.each([
  ['never', () => false, ['fail', 'fail', 'fail']],
  ['only after a success', (turn: Turn | undefined) => turn !== undefined, ['pass', 'fail', 'fail']],
  ['only after a failure', (turn: Turn | undefined) => turn === undefined, ['fail', 'pass', 'pass']],
] as const)('[CONF-4, CONF-9] the checks catch an adapter that ends the session of a run %s', async (_, ends, seen) => {
  expect(await statuses([driver(ends)], ENDS)).toEqual(seen)
})

test('[CONF-9] what a run activated is read from the audit where nothing is active afterwards', async () => {
  const only = ['cleanup-after-success', 'activation-hooks-order', 'audit-person', 'activation-mount-end']
  expect(await statuses([driver(() => true)], only)).toEqual(only.map(() => 'pass'))
  // A run that never ends its session deactivates nothing, and that is seen.
  expect(await statuses([driver(() => false)], only.slice(0, 1))).toEqual(['fail'])
})

const variants: AdapterDriver['variants'] = [{ name: 'json' }, { name: 'alone', absent: { continuation: WHY } }]
const start: AdapterDriver['start'] = async (task) =>
  task.variant === 'alone' ? perRun(task, () => true) : startLoop(task)

test('[CONF-2, CONF-9] a capability that one variant lacks is reported with its reason, and the others must pass', async () => {
  const mixed = loopDriver({ variants, start })
  const { results } = await runConformance({ drivers: [mixed], only: ['activation-survives-turns', ...ENDS] })
  expect(results.map(({ status, absent }) => [status, absent])).toEqual([
    ['pass', `in alone: continuation: ${WHY}`],
    ...ENDS.map(() => ['pass', undefined]),
  ])
})

test('[CONF-2, CONF-9] a capability that a variant declares absent, and has, is an error', async () => {
  const mixed = loopDriver({ variants })
  const { results } = await runConformance({ drivers: [mixed], only: ['activation-survives-turns'] })
  expect(results[0]).toMatchObject({ status: 'fail' })
  expect(results[0]?.reason).toContain('Declared absent in alone, and present after all')
})

test('[CONF-2, CONF-9] a capability that a variant lacks without declaring it is an error', async () => {
  const mixed = loopDriver({ variants: [{ name: 'json' }, { name: 'alone' }], start })
  expect(await statuses([mixed], ['activation-survives-turns'])).toEqual(['fail'])
})

test('[CONF-9] a quick run takes a variant that has what the check needs', async () => {
  const mixed = loopDriver({ variants, start })
  for (const chosen of ['by-turns', 'each-protocol'] as const) {
    const { results } = await runConformance({
      drivers: [mixed],
      only: ['activation-survives-turns', 'gate-after-abort'],
      variants: chosen,
    })
    expect(results.map(({ variants: ran }) => ran?.map(({ variant }) => variant))).toEqual([['json'], ['json']])
  }
})

test.each([
  [{ flying: WHY }, '"flying", which is not a capability'],
  [{ continuation: ' ' }, 'continuation absent without a reason'],
])('[CONF-2] refuses what a variant declares absent: %j', async (absent, message) => {
  const wrong = loopDriver({ variants: [{ name: 'json', absent: absent as object }] })
  await expect(runConformance({ drivers: [wrong] })).rejects.toThrow(message)
})

test.each([
  [{ capability: {} }, 'has an unknown field "capability". Did you mean "capabilities"?'],
  [{ zzz: 1 }, 'has an unknown field "zzz". Known are: name, variants, capabilities, known, wire, handoffTool, start.'],
])('[CONF-2, CONF-10] refuses a driver with a field that it does not know: %j', async (more, message) => {
  await expect(runConformance({ drivers: [loopDriver(more as object)] })).rejects.toThrow(message)
})
