import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openAdapterSession } from '@repertoire/core/adapter'
import { isMissing } from '@repertoire/test-servers'
import { describe, expect, it } from 'vitest'
import type { PrepareAgent } from '../../src/adapters/agent.ts'
import { ADAPTERS, type AdapterId } from '../../src/adapters/index.ts'
import { comparisonsOf, measureComparisons } from '../../src/comparisons.ts'
import { writeTree } from '../../src/generator/skill.ts'
import { timeAgentSteps } from '../../src/measures/agent-steps.ts'
import { activate, openTree } from '../../src/measures/in-use.ts'
import { timeRunner } from '../../src/measures/runner-runs.ts'
import { timeSaves } from '../../src/measures/saves.ts'
import { ChildFailure } from '../../src/run-child.ts'
import type { Pair } from '../../src/statistics.ts'
import { temporary } from '../temporary.ts'

function treeOf(skills: number): string {
  const root = join(temporary(), 'skills')
  writeTree(root, skills, 1)
  return root
}

function expectTimes({ own, base }: Pair): void {
  expect([own > 0, base === undefined || base > 0]).toEqual([true, true])
}

describe('a comparison', () => {
  it('[MATCH-5] weighs the index of a search and times queries, in child processes', async () => {
    const root = treeOf(20)
    const trees = { folder: root, tree: () => root, used: 20, searched: 20, agents: [] }
    const options = { source: true, timeout: 120_000, rounds: 1, progress: () => {} }
    const rows = await measureComparisons(comparisonsOf(['search'], trees), options)
    expect(rows.map(({ title, absent, own, over }) => [title, absent, Number.isFinite(own?.median), over])).toEqual([
      ['index of a search, per skill, among 20 skills', undefined, true, undefined],
      ['a search for a phrase, among 20 skills', undefined, true, undefined],
    ])
  })

  it('[NFR-1] has the median of each process, of its difference and of its ratio', async () => {
    const [described] = comparisonsOf(['imports'], { folder: '', tree: () => '', used: 1, searched: 1, agents: [] })
    const pairs = [
      { own: 2, base: 1 },
      { own: 9, base: 10 },
      { own: 30, base: 10 },
    ]
    const measure = async (): Promise<Pair> => pairs.shift() ?? Promise.reject(new ChildFailure('no more'))
    const options = { source: true, timeout: 1, progress: () => {} }
    const [row] = await measureComparisons([{ ...described!, measure }], { ...options, rounds: 3 })
    expect([row?.own, row?.bare, row?.more, row?.over].map((each) => each?.median)).toEqual([9, 10, 1, 2])
    const [failed] = await measureComparisons([{ ...described!, measure }], { ...options, rounds: 1 })
    expect(failed).toMatchObject({ absent: 'no more' })
    expect(failed).not.toHaveProperty('own')
  })
})

describe('a step of an agent', () => {
  it.skipIf(process.env['CI'] === undefined).each(Object.keys(ADAPTERS) as AdapterId[])(
    '[NFR-6] is timed in %s, with skills and without (only with CI set)',
    async (adapter) => {
      const { prepareAgent } = await ADAPTERS[adapter].load()
      expectTimes(await timeAgentSteps(prepareAgent, treeOf(5)))
    },
  )

  it('[NFR-6] is not timed if the agent did not carry out its calls', async () => {
    const idle: PrepareAgent = () => ({ run: async (calls) => Array.from({ length: calls }, () => 1) })
    const timed = timeAgentSteps(idle, treeOf(1))
    await expect(timed).rejects.toThrow('0 of 16 calls were carried out (base)')
  })
})

it('[NFR-2] an activation that fails is not timed', async () => {
  const session = openAdapterSession(await openTree(treeOf(1)))
  session.beginStep([])
  await expect(activate(session, 'no-such-skill')).rejects.toThrow('"no-such-skill" was not activated')
})

describe('a run of a script', () => {
  it('[RUN-8] is timed by the virtual runner and by its bare shell, and leaves no file behind', async () => {
    expectTimes(await timeRunner('virtual', 2))
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('repertoire-bench-runner-'))).toEqual([])
  })

  it.skipIf(isMissing('bubblewrap'))(
    '[RUN-8] is timed by bubblewrap, with our runner and without (needs bubblewrap)',
    async () => {
      expectTimes(await timeRunner('bubblewrap', 2))
    },
  )
})

describe('a save to an engine', () => {
  it('[LIB-8] is timed on PostgreSQL, with our store and with the bare client', async () => {
    expectTimes(await timeSaves('postgres', 2))
  })

  it.skipIf(isMissing('redis-server'))(
    '[LIB-8] is timed on Redis, with our store and with the bare client (needs redis-server)',
    async () => {
      expectTimes(await timeSaves('redis', 2))
    },
  )
})
