import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createOutput } from 'repertoire/terminal'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { showSample, showSoak } from '../src/report/soak.ts'
import type { Sample } from '../src/soak/sample.ts'
import { soak } from '../src/soak/soak.ts'
import { TASKS, type TaskName, TURNS } from '../src/soak/tasks.ts'

const { paint } = createOutput(new PassThrough(), { NO_COLOR: '1' })
/** Those that take no process and no second. */
const CHEAP: readonly TaskName[] = ['script', 'abort', 'hooks', 'toolset', 'refusals', 'saved']

const before = { gc: globalThis.gc, TMPDIR: process.env['TMPDIR'] }
beforeEach(() => {
  setFlagsFromString('--expose-gc')
  globalThis.gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
})
afterEach(() => void (globalThis.gc = before.gc))

describe('soak', () => {
  it('[RUN-9] mixes tasks, says how each ended, samples while it runs, and puts everything back', async () => {
    const seen: Sample[] = []
    const options = { seconds: 0.1, seed: 1, tasks: CHEAP, runners: ['virtual'] as const }
    const soaked = await soak({ ...options, onSample: (sample) => seen.push(sample) })
    expect(seen).toEqual(soaked.samples)
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.at(-1)?.tasks).toBeGreaterThan(seen[0]?.tasks ?? Infinity)
    expect(Object.keys(soaked.ends)).toEqual(
      expect.arrayContaining([
        'script: exited',
        'abort: aborted',
        'hooks: activated',
        'toolset: answered',
        'refusals: answered',
        'saved: exited',
      ]),
    )
    expect(soaked.closed.temporary).toBe(0)
    expect(process.env['TMPDIR']).toBe(before.TMPDIR)
    const shown = seen.map((sample, index) => showSample(sample, paint, index === 0)).join('') + showSoak(soaked, paint)
    expect(shown).toMatch(/seconds +tasks +heap, MB +RSS, MB +descriptors +children +temporary\n/)
    expect(shown).toContain('  after everything was closed\n')
    expect(shown).toContain('script: exited')
  })

  it('[RUN-9] every task has its share in what is mixed', () => {
    expect(Object.keys(TURNS).toSorted()).toEqual(Object.keys(TASKS).toSorted())
    expect(Object.values(TURNS).reduce((sum, share) => sum + share, 0)).toBe(100)
  })
})
