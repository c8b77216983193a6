import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { timeRunnerStarts } from '../../src/measures/runner-starts.ts'

it('[RUN-8] times each runner that works here beside what it runs on, and leaves no file behind', async () => {
  const times = await timeRunnerStarts(2)
  expect(Object.keys(times).toSorted()).toEqual(['bubblewrap', 'process', 'virtual'])
  for (const [id, each] of Object.entries(times)) {
    if ('absent' in each)
      expect([id, each.absent]).toEqual(['bubblewrap', expect.stringContaining('Install bubblewrap')])
    else expect([each.own.length, each.bare.length, Math.min(...each.own, ...each.bare) > 0]).toEqual([2, 2, true])
  }
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('repertoire-bench-runner-'))).toEqual([])
})
