import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { openSkillStores, type StorageEngine } from '../../src/index.ts'
import { faultsOf } from './judge.ts'
import { connect, isAvailable, startEngine, type EngineName } from './places.ts'
import { prepareWork, work, type WorkReport } from './work.ts'

const inCI = process.env['CI'] !== undefined
const PROCESSES = 20
const ROUNDS = 4

/** A process of its own, as on another machine. It ends with the signal: where one fails, no other one goes on. */
async function workElsewhere(
  name: EngineName,
  address: string,
  worker: number,
  signal: AbortSignal,
): Promise<WorkReport> {
  const program = join(import.meta.dirname, 'worker.ts')
  const given = [name, address, String(worker), String(ROUNDS)]
  const child = fork(program, given, { execArgv: ['--conditions=@repertoire/source'], signal })
  child.on('error', () => undefined)
  const [report] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`A worker ended with ${code}.`)
    }),
  ])
  child.disconnect()
  return report as WorkReport
}

const NAMES: readonly EngineName[] = ['redis', 'postgres', 's3']

it('[LIB-8, LIB-7] the judge of this run notices an engine that takes stale writes once it is open', async () => {
  const server = await startEngine('s3')
  const { engine } = await connect('s3', server.address)
  const workers = [0, 1, 2]
  // Every worker has read the same record before the first of them writes.
  const allCame = Promise.withResolvers<void>()
  let came = 0
  let hasBegun = false
  // One after the other, so that each is taken.
  let last: Promise<unknown> = Promise.resolve()
  const stale: StorageEngine = {
    ...engine,
    async replace(write) {
      if (write.key !== 'skills/acme') return engine.replace(write)
      if (hasBegun && ++came === workers.length) allCame.resolve()
      if (hasBegun) await allCame.promise
      const written = last.then(async () => {
        const { token } = await engine.read(write.key)
        return engine.replace({ ...write, expected: token ?? write.expected })
      })
      last = written.catch(() => undefined)
      return written
    },
  }
  const opened = await Promise.all(
    workers.map(async () => (await openSkillStores({ engine: stale, layer: 'personal' })).tenant('acme')),
  )
  await prepareWork(opened[0]!)
  hasBegun = true
  const goesOn = (round: number): boolean => round <= 2
  const reports = await Promise.all(opened.map((store, worker) => work(store, { worker, goesOn })))
  expect(await faultsOf(opened[0]!, reports)).not.toEqual([])
  await server.close()
})

// Where people wait for the tests, three clients in one process: see calls-suite.ts.
it.runIf(inCI).each(NAMES.filter(isAvailable))(
  '[LIB-8, LIB-7] twenty processes that save, add and delete at once lose nothing, tear nothing, and one wins each time (in CI): %s',
  async (name) => {
    const server = await startEngine(name, PROCESSES + 1)
    const place = await connect(name, server.address)
    const over = new AbortController()
    try {
      const store = (await openSkillStores({ engine: place.engine, layer: 'personal' })).tenant('acme')
      await prepareWork(store)
      const workers = Array.from({ length: PROCESSES }, (_, worker) =>
        workElsewhere(name, server.address, worker, over.signal),
      )
      const reports = await Promise.all(workers)
      expect(await faultsOf(store, reports)).toEqual([])
      expect(reports.flatMap(({ lines }) => lines.done)).toHaveLength(PROCESSES * ROUNDS)
      // They did come between each other.
      expect(reports.reduce((sum, { errors }) => sum + (errors['STORE_CONFLICT'] ?? 0), 0)).toBeGreaterThan(0)
    } finally {
      over.abort()
      await place.close()
      await server.close()
    }
  },
  300_000,
)
